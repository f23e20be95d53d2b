import { addSafe, call } from '@countersign/contract'
import { canonicalContract, demoAccounts, testContractAbi } from '@countersign/devnet'
import { officialDeployment } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { and, asc, eq } from 'drizzle-orm'
import { type Abi, type Address, encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { historyEntry } from '../db/schema.ts'
import { type Actor, settingsAbi } from '../test/safe-actor.ts'
import { actor, asAlice, devnet, openScene, server } from '../test/scene.ts'
import { eventually, newSafe } from '../test/test-server.ts'

const [alice, bob, carol, stranger] = demoAccounts
const chainId = 31337
const sentinel: Address = '0x0000000000000000000000000000000000000001'

openScene([alice])

type Row = typeof historyEntry.$inferSelect

async function historyOf(safeAddress: Address): Promise<Row[]> {
  return server.db
    .select()
    .from(historyEntry)
    .where(and(eq(historyEntry.chainId, chainId), eq(historyEntry.safeAddress, safeAddress)))
    .orderBy(asc(historyEntry.blockNumber), asc(historyEntry.logIndex), asc(historyEntry.part))
}

/** A row without what is the same in all, and without what is empty. */
function short({ chainId, safeAddress, blockNumber, logIndex, part, blockTime, transactionHash, ...rest }: Row) {
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
}

function settings(functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: settingsAbi as Abi, functionName, args })
}

function token(name: 'TestErc20' | 'TestErc721' | 'TestErc1155', functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: testContractAbi(name), functionName, args })
}

const singletons = [
  ['1.3.0', true],
  ['1.3.0', false],
  ['1.4.1', true],
  ['1.4.1', false],
  ['1.5.0', true],
  ['1.5.0', false],
] as const

describe('follow', () => {
  test.each(singletons)('behavior: everything that happens to a Safe %s, L2 %s', async (version, l2) => {
    const safeAddress = await newSafe(devnet.rpcUrl, { version, l2, owners: [alice.address], threshold: 1 })
    const exec = (fields: Parameters<Actor['execute']>[1]) => actor.execute(safeAddress, fields, version)
    const self = (data: Hex) => exec({ to: safeAddress, data })
    const { erc20, erc721, erc1155 } = devnet.tokens

    // Half of it before the Safe is known here, half of it while it is followed.
    await actor.send({ to: safeAddress, value: 5_000n })
    await actor.send({ to: erc20, data: token('TestErc20', 'mint', [safeAddress, 700n]) })
    const paid = await exec({ to: stranger.address, value: 1_000n })
    const spent = await exec({ to: erc20, data: token('TestErc20', 'transfer', [bob.address, 300n]) })
    await call(asAlice, addSafe, { chainId, address: safeAddress })

    await self(settings('addOwnerWithThreshold', [bob.address, 1n]))
    await self(settings('enableModule', [stranger.address]))
    await actor.send({
      from: stranger.address,
      to: safeAddress,
      data: settings('execTransactionFromModule', [carol.address, 40n, '0x', 0]),
    })
    await self(settings('disableModule', [sentinel, stranger.address]))
    const handler = canonicalContract('1.4.1', 'compatibility_fallback_handler').address
    await self(settings('setFallbackHandler', [handler]))
    await self(settings('removeOwner', [sentinel, bob.address, 1n]))
    await actor.send({ from: alice.address, to: safeAddress, data: settings('approveHash', [`0x${'ab'.repeat(32)}`]) })
    const batch = await exec({
      to: canonicalContract('1.4.1', 'multi_send_call_only').address,
      operation: 1,
      data: encodeMultiSend([
        { to: bob.address, value: 11n, data: '0x' },
        { to: erc20, value: 0n, data: token('TestErc20', 'transfer', [carol.address, 1n]) },
        { to: carol.address, value: 12n, data: '0x' },
      ]),
    })
    await exec({ to: erc721, data: token('TestErc721', 'mint', [safeAddress, BigInt(safeAddress)]) })
    await exec({ to: erc1155, data: token('TestErc1155', 'mint', [safeAddress, 7n, 9n]) })
    const failed = await exec({
      to: erc20,
      data: token('TestErc20', 'transfer', [bob.address, 10n ** 30n]),
      safeTxGas: 100_000n,
    })

    const rows = await eventually(async () => {
      const found = await historyOf(safeAddress)
      return found.some(({ safeTxHash }) => safeTxHash === failed.safeTxHash) && found.length === 29 && found
    })
    const executed = (of: { safeTxHash: Hex }, isSuccessful = true) => ({
      kind: 'executed',
      safeTxHash: of.safeTxHash,
      isSuccessful,
    })
    const other = { kind: 'executed', safeTxHash: expect.any(String), isSuccessful: true }
    const native = (kind: string, counterparty: Address, amount: bigint, more = {}) => ({
      kind,
      tokenKind: 'native',
      counterparty,
      amount,
      ...more,
    })
    const erc20Move = (kind: string, counterparty: Address, amount: bigint) => ({
      kind,
      tokenKind: 'erc20',
      token: erc20,
      counterparty,
      amount,
    })
    const of = ({ safeTxHash }: { safeTxHash: Hex }) => ({ safeTxHash })
    const nothing: Address = '0x0000000000000000000000000000000000000000'
    expect(rows.map(short)).toEqual([
      {
        kind: 'created',
        subject: demoAccounts[9].address,
        factory: officialDeployment('factory', version)?.address,
        singleton: officialDeployment(l2 ? 'singleton-l2' : 'singleton', version)?.address,
        threshold: 1,
      },
      native('transfer-in', demoAccounts[8].address, 5_000n),
      erc20Move('transfer-in', nothing, 700n),
      executed(paid),
      native('transfer-out', stranger.address, 1_000n, of(paid)),
      erc20Move('transfer-out', bob.address, 300n),
      executed(spent),
      { kind: 'owner-added', subject: bob.address },
      other,
      { kind: 'module-enabled', subject: stranger.address },
      other,
      // Singletons other than L2 are read by the trace.
      {
        kind: 'module-executed',
        subject: stranger.address,
        isSuccessful: true,
        counterparty: carol.address,
        amount: 40n,
        data: '0x',
        operation: 0,
      },
      native('transfer-out', carol.address, 40n),
      { kind: 'module-disabled', subject: stranger.address },
      other,
      { kind: 'fallback-handler-changed', subject: handler },
      other,
      { kind: 'owner-removed', subject: bob.address },
      other,
      { kind: 'hash-approved', subject: alice.address, safeTxHash: `0x${'ab'.repeat(32)}` },
      erc20Move('transfer-out', carol.address, 1n),
      executed(batch),
      native('transfer-out', bob.address, 11n, of(batch)),
      native('transfer-out', carol.address, 12n, of(batch)),
      {
        kind: 'transfer-in',
        tokenKind: 'erc721',
        token: erc721,
        tokenId: BigInt(safeAddress),
        counterparty: nothing,
        amount: 1n,
      },
      other,
      { kind: 'transfer-in', tokenKind: 'erc1155', token: erc1155, tokenId: 7n, counterparty: nothing, amount: 9n },
      other,
      executed(failed, false),
    ])
    expect(rows.every(({ blockTime }) => Math.abs(Date.now() - blockTime.getTime()) < 600_000)).toBe(true)
  })
})
