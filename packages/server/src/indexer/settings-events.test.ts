import { addSafe, call } from '@countersign/contract'
import { canonicalContract, demoAccounts, deployOldSafe, testContractAbi } from '@countersign/devnet'
import { and, asc, eq } from 'drizzle-orm'
import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { historyEntry, safe } from '../db/schema.ts'
import type { Actor } from '../test/safe-actor.ts'
import { actor, asAlice, devnet, openScene, server } from '../test/scene.ts'
import { eventually, newSafe } from '../test/test-server.ts'

const [alice, bob, carol, stranger] = demoAccounts
const chainId = 31337
/** Answers everything with 1: a guard that lets everything pass, and says that it is one. */
const guard: Address = '0x00000000000000000000000000000000000e1a02'

openScene([alice])

beforeAll(async () => {
  await actor.rpc('anvil_setCode', guard, '0x600160005260206000f3')
})

const abi: Abi = parseAbi([
  'function addOwnerWithThreshold(address owner, uint256 threshold)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function changeThreshold(uint256 threshold)',
  'function enableModule(address module)',
  'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation) returns (bool)',
  'function setGuard(address guard)',
  'function setModuleGuard(address guard)',
  'function setFallbackHandler(address handler)',
  'function signMessage(bytes message)',
  'function changeMasterCopy(address singleton)',
  'function migrateL2Singleton()',
])
const encode = (functionName: string, args: unknown[] = []): Hex => encodeFunctionData({ abi, functionName, args })
const token = (name: 'TestErc20' | 'TestErc721' | 'TestErc1155', functionName: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi: testContractAbi(name), functionName, args })

type Row = typeof historyEntry.$inferSelect

/** The rows of the history, once it has all kinds that are waited for. */
async function historyOf(safeAddress: Address, isWhole: (rows: Row[]) => boolean): Promise<Row[]> {
  return eventually(async () => {
    const rows = await server.db
      .select()
      .from(historyEntry)
      .where(and(eq(historyEntry.chainId, chainId), eq(historyEntry.safeAddress, safeAddress)))
      .orderBy(asc(historyEntry.blockNumber), asc(historyEntry.logIndex), asc(historyEntry.part))
    return isWhole(rows) && rows
  })
}

const said = (rows: Row[]) =>
  rows
    .filter(({ kind }) => !['created', 'executed', 'transfer-in', 'transfer-out'].includes(kind))
    .map(({ kind, subject, threshold }) => [kind, subject ?? threshold])

const failing = (erc20: Address) =>
  encode('execTransactionFromModule', [erc20, 0n, token('TestErc20', 'transfer', [bob.address, 10n ** 30n]), 0])

describe('settings', () => {
  test.each(['1.0.0', '1.1.1', '1.2.0'] as const)('behavior: of a Safe %s', async (version) => {
    const owners = [alice.address]
    const target = { rpcUrl: devnet.rpcUrl, version, owners, threshold: 1, saltNonce: 9n } as const
    const safeAddress = await deployOldSafe(target)
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    const self = (data: Hex) => actor.execute(safeAddress, { to: safeAddress, data }, version)
    await self(encode('addOwnerWithThreshold', [bob.address, 1n]))
    await self(encode('swapOwner', ['0x0000000000000000000000000000000000000001', bob.address, carol.address]))
    await self(encode('changeThreshold', [1n]))
    await self(encode('enableModule', [stranger.address]))
    await actor.send({ from: stranger.address, to: safeAddress, data: failing(devnet.tokens.erc20) })
    const speaks = version !== '1.0.0'
    if (speaks) await self(encode('signMessage', ['0x1234']))
    const singleton = speaks ? await singletonOf(safeAddress) : null
    if (singleton) await self(encode('changeMasterCopy', [singleton]))
    const rows = await historyOf(safeAddress, (all) => said(all).length >= (speaks ? 8 : 5))
    expect(said(rows)).toEqual([
      ['owner-added', bob.address],
      ['owner-removed', bob.address],
      ['owner-added', carol.address],
      ['threshold-changed', 1],
      ['module-enabled', stranger.address],
      ...(speaks
        ? [
            ['module-executed', stranger.address],
            ['message-signed', null],
            ['singleton-changed', singleton],
          ]
        : []),
    ])
    const executed = rows.find(({ kind }) => kind === 'module-executed')
    if (speaks) expect(executed?.isSuccessful).toBe(false)
    await eventually(async () => {
      const [row] = await server.db.select().from(safe).where(eq(safe.address, safeAddress))
      return row?.owners.join() === [carol.address, alice.address].join() && !row.isStale
    })
  })

  const releases = [
    ['1.3.0', true],
    ['1.3.0', false],
    ['1.4.1', true],
    ['1.4.1', false],
    ['1.5.0', true],
    ['1.5.0', false],
  ] as const

  test.each(releases)(
    'behavior: guards, handler, messages, singleton and batches of a Safe %s, L2 %s',
    async (version, l2) => {
      const safeAddress = await newSafe(devnet.rpcUrl, { version, l2, owners: [alice.address], threshold: 1 })
      await call(asAlice, addSafe, { chainId, address: safeAddress })
      const exec = (fields: Parameters<Actor['execute']>[1]) => actor.execute(safeAddress, fields, version)
      const self = (data: Hex) => exec({ to: safeAddress, data })
      const { erc20, erc721, erc1155 } = devnet.tokens
      const handler = canonicalContract('1.4.1', 'compatibility_fallback_handler').address
      await self(encode('setFallbackHandler', [handler]))
      await self(encode('setGuard', [guard]))
      if (version === '1.5.0') await self(encode('setModuleGuard', [guard]))
      await self(encode('changeThreshold', [1n]))
      await self(encode('enableModule', [stranger.address]))
      await actor.send({ from: stranger.address, to: safeAddress, data: failing(erc20) })
      const library = canonicalContract(version === '1.5.0' ? '1.5.0' : '1.4.1', 'sign_message_lib').address
      await exec({ to: library, operation: 1, data: encode('signMessage', ['0x1234']) })
      // A batch out and back, in one log each.
      await exec({ to: erc1155, data: token('TestErc1155', 'mint', [safeAddress, 7n, 9n]) })
      await exec({ to: erc1155, data: token('TestErc1155', 'mint', [safeAddress, 8n, 5n]) })
      const batch = (from: Address, to: Address) =>
        token('TestErc1155', 'safeBatchTransferFrom', [from, to, [7n, 8n], [2n, 3n], '0x'])
      await exec({ to: erc1155, data: batch(safeAddress, carol.address) })
      await actor.send({ from: carol.address, to: erc1155, data: batch(carol.address, safeAddress) })
      const tokenId = BigInt(safeAddress)
      await exec({ to: erc721, data: token('TestErc721', 'mint', [safeAddress, tokenId]) })
      await exec({ to: erc721, data: token('TestErc721', 'transferFrom', [safeAddress, bob.address, tokenId]) })
      const migration = canonicalContract(version === '1.5.0' ? '1.5.0' : '1.4.1', 'safe_migration').address
      await exec({ to: migration, operation: 1, data: encode('migrateL2Singleton') })
      const singleton = await singletonOf(safeAddress)

      const rows = await historyOf(safeAddress, (all) => all.some(({ kind }) => kind === 'singleton-changed'))
      expect(said(rows)).toEqual([
        ['fallback-handler-changed', handler],
        ['guard-changed', guard],
        ...(version === '1.5.0' ? [['module-guard-changed', guard]] : []),
        ['threshold-changed', 1],
        ['module-enabled', stranger.address],
        ['module-executed', stranger.address],
        ['message-signed', null],
        ['singleton-changed', singleton],
      ])
      expect(rows.find(({ kind }) => kind === 'module-executed')?.isSuccessful).toBe(false)
      expect(rows.find(({ kind }) => kind === 'message-signed')?.safeTxHash).toMatch(/^0x[0-9a-f]{64}$/)
      const moved = rows
        .filter(({ tokenKind }) => tokenKind === 'erc1155' || tokenKind === 'erc721')
        .map(({ kind, tokenKind, tokenId, amount, counterparty }) => [kind, tokenKind, tokenId, amount, counterparty])
      const nobody: Address = '0x0000000000000000000000000000000000000000'
      expect(moved).toEqual([
        ['transfer-in', 'erc1155', 7n, 9n, nobody],
        ['transfer-in', 'erc1155', 8n, 5n, nobody],
        ['transfer-out', 'erc1155', 7n, 2n, carol.address],
        ['transfer-out', 'erc1155', 8n, 3n, carol.address],
        ['transfer-in', 'erc1155', 7n, 2n, carol.address],
        ['transfer-in', 'erc1155', 8n, 3n, carol.address],
        ['transfer-in', 'erc721', tokenId, 1n, nobody],
        ['transfer-out', 'erc721', tokenId, 1n, bob.address],
      ])
      // The present setting is read again, not taken from the log.
      await eventually(async () => {
        const [row] = await server.db.select().from(safe).where(eq(safe.address, safeAddress))
        return row?.version === `${version === '1.3.0' ? '1.4.1' : version}+L2`
      })
    },
  )
})

async function singletonOf(safeAddress: Address): Promise<Address> {
  const word = String(await actor.rpc('eth_getStorageAt', safeAddress, '0x0', 'latest'))
  return getAddress(`0x${word.slice(-40)}`)
}
