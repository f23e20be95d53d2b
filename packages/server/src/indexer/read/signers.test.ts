import { addSafe, call, proposeTransaction } from '@countersign/contract'
import { canonicalContract, demoAccounts } from '@countersign/devnet'
import { encodeSignatures, type SafeTx } from '@countersign/safe'
import { encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
import { eq } from 'drizzle-orm'
import { type Address, concat, encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { confirmation, multisigTransaction } from '../../db/schema.ts'
import { settingsAbi } from '../../test/safe-actor.ts'
import { actor, devnet, openChain } from '../../test/scene.ts'
import { changing, startScriptedNode } from '../../test/scripted-node.ts'
import {
  devnetChain,
  eventually,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
  type TestServer,
} from '../../test/test-server.ts'

const [alice, bob, carol, dave, eve] = demoAccounts
const chainId = 31337
const versions = ['1.3.0', '1.4.1', '1.5.0'] as const
type Version = (typeof versions)[number]

openChain()

const deploy = (version: Version) =>
  newSafe(devnet.rpcUrl, { version, l2: false, owners: [alice.address, bob.address, carol.address], threshold: 2 })

async function execution(
  safe: Address,
  version: Version,
  signers: readonly (typeof demoAccounts)[number][],
  fields: Partial<SafeTx>,
) {
  const signed = await Promise.all(signers.map((account) => signedTx(safe, account, fields, { version })))
  const [first] = signed
  if (!first) throw new Error('nobody signs')
  const signatures = signed.map(({ sender, signature }) => ({ owner: sender, signature }))
  return { safeTxHash: first.safeTxHash, data: encodeExecTransaction(first.safeTx, encodeSignatures(signatures)) }
}

/** In one Ethereum transaction. */
function together(calls: readonly { to: Address; data: Hex }[]) {
  const data = encodeMultiSend(calls.map((call) => ({ ...call, value: 0n })))
  return actor.send({ to: canonicalContract('1.4.1', 'multi_send_call_only').address, data })
}

/** Reads the stored confirmations of each, in order. */
async function confirmersOf(rpcUrl: string, safe: Address, hashes: readonly Hex[]): Promise<Address[][]> {
  const server = await startTestServer({ chains: [devnetChain(rpcUrl)] })
  try {
    await call(await signInAs(server, alice), addSafe, { chainId, address: safe })
    await eventually(async () => {
      const rows = await server.db.select().from(multisigTransaction).where(eq(multisigTransaction.safeAddress, safe))
      return rows.filter(({ isExecuted }) => isExecuted).length === hashes.length
    })
    return await Promise.all(
      hashes.map(async (hash) => {
        const rows = await server.db.select().from(confirmation).where(eq(confirmation.safeTxHash, hash))
        return rows.map(({ owner }) => owner).sort()
      }),
    )
  } finally {
    await server.stop()
  }
}

const names = (...accounts: { address: Address }[]) => accounts.map(({ address }) => address).sort()

describe('whose signatures an execution carried, of a Safe that does not say so itself', () => {
  test.each(versions)('default: two with the same fields in one Ethereum transaction, Safe %s', async (version) => {
    const safe = await deploy(version)
    const same = { to: dave.address, data: '0x1234' as const }
    const first = await execution(safe, version, [alice, bob], { ...same, nonce: 0n })
    const second = await execution(safe, version, [bob, carol], { ...same, nonce: 1n })
    const third = await execution(safe, version, [alice, carol], { ...same, nonce: 2n })
    const all = [first, second, third]
    await together(all.map(({ data }) => ({ to: safe, data })))
    const found = await confirmersOf(
      devnet.rpcUrl,
      safe,
      all.map(({ safeTxHash }) => safeTxHash),
    )
    expect(found).toEqual([names(alice, bob), names(bob, carol), names(alice, carol)])
  })

  test.each([
    ['strangers', [dave, eve]],
    ['nobody', []],
  ] as const)('behavior: whoever executes puts in a copy signed by %s', async (_, strangers) => {
    const safe = await deploy('1.4.1')
    const fields = { to: dave.address, nonce: 0n }
    const real = await execution(safe, '1.4.1', [alice, bob], fields)
    const signed = strangers.length > 0 ? await execution(safe, '1.4.1', strangers, fields) : null
    const { safeTx } = await signedTx(safe, alice, fields)
    const copy = signed?.data ?? encodeExecTransaction(safeTx, '0x')
    await together([
      { to: eve.address, data: copy },
      { to: safe, data: real.data },
      { to: eve.address, data: concat(['0x01', copy]) },
    ])
    expect(await confirmersOf(devnet.rpcUrl, safe, [real.safeTxHash])).toEqual([names(alice, bob)])
  })

  test('behavior: an owner who was added just before, and one who is none any more', async () => {
    const safe = await newSafe(devnet.rpcUrl, { l2: false, owners: [alice.address, bob.address], threshold: 1 })
    const add = encodeFunctionData({
      abi: settingsAbi,
      functionName: 'addOwnerWithThreshold',
      args: [carol.address, 1n],
    })
    const previous = '0x0000000000000000000000000000000000000001'
    const remove = encodeFunctionData({
      abi: settingsAbi,
      functionName: 'removeOwner',
      args: [previous, carol.address, 1n],
    })
    const all = [
      await execution(safe, '1.4.1', [alice], { to: safe, data: add, nonce: 0n }),
      await execution(safe, '1.4.1', [carol], { to: dave.address, nonce: 1n }),
      await execution(safe, '1.4.1', [carol], { to: safe, data: remove, nonce: 2n }),
    ]
    await together(all.slice(0, 2).map(({ data }) => ({ to: safe, data })))
    await actor.send({ to: safe, data: all[2]?.data ?? '0x' })
    const hashes = all.map(({ safeTxHash }) => safeTxHash)
    expect(await confirmersOf(devnet.rpcUrl, safe, hashes)).toEqual([[alice.address], [carol.address], [carol.address]])
  })

  test('behavior: of a node that forgot who the owners were, whoever signed', async () => {
    const safe = await newSafe(devnet.rpcUrl, { l2: false, owners: [alice.address, bob.address], threshold: 1 })
    const remove = encodeFunctionData({
      abi: settingsAbi,
      functionName: 'removeOwner',
      args: [alice.address, bob.address, 1n],
    })
    const all = [
      await execution(safe, '1.4.1', [bob], { to: dave.address, nonce: 0n }),
      await execution(safe, '1.4.1', [alice], { to: safe, data: remove, nonce: 1n }),
    ]
    for (const { data } of all) await actor.send({ to: safe, data })
    const keptFrom = BigInt(String(await actor.rpc('eth_blockNumber')))
    const node = await startScriptedNode(
      devnet.rpcUrl,
      changing((answer, { method, params: [, block] }) => {
        const isOld = typeof block === 'string' ? block !== 'latest' && BigInt(block) < keptFrom : block !== undefined
        if (method !== 'eth_call' || !isOld) return answer
        return { ...answer, result: undefined, error: { code: -32_000, message: 'missing trie node' } }
      }),
    )
    try {
      const hashes = all.map(({ safeTxHash }) => safeTxHash)
      expect(await confirmersOf(node.url, safe, hashes)).toEqual([[bob.address], [alice.address]])
    } finally {
      await node.close()
    }
  })

  test('behavior: reading again takes back whom an earlier version stored, and keeps what was verified', async () => {
    const safe = await deploy('1.4.1')
    const chains = [devnetChain(devnet.rpcUrl)]
    const fields = { to: dave.address, nonce: 0n }
    const { safeTxHash, data } = await execution(safe, '1.4.1', [alice, bob], fields)
    const server = await startTestServer({ chains })
    const confirmers = async ({ db }: TestServer) => {
      const rows = await db.select().from(confirmation).where(eq(confirmation.safeTxHash, safeTxHash))
      return rows.map(({ owner, verifiedBlock }) => [owner, verifiedBlock !== null]).sort()
    }
    const isExecuted = async ({ db }: TestServer) => {
      const [row] = await db.select().from(multisigTransaction).where(eq(multisigTransaction.safeTxHash, safeTxHash))
      return row?.isExecuted
    }
    const asAlice = await signInAs(server, alice)
    await call(asAlice, addSafe, { chainId, address: safe })
    await call(asAlice, proposeTransaction, { chainId, safeAddress: safe, ...(await signedTx(safe, alice, fields)) })
    await actor.send({ to: safe, data })
    await eventually(() => isExecuted(server))
    const before = await confirmers(server)
    const [row] = await server.db.select().from(confirmation).where(eq(confirmation.owner, bob.address))
    if (!row) throw new Error('nothing of bob')
    await server.db.insert(confirmation).values({ ...row, owner: eve.address })
    await server.stop()
    const { databaseUrl } = server
    const again = await startTestServer({ chains, databaseUrl, rebuild: { chainId, blockNumber: 0 } })
    try {
      await eventually(() => isExecuted(again))
      expect(await confirmers(again)).toEqual(before)
      expect(before).toEqual(
        [
          [alice.address, true],
          [bob.address, false],
        ].sort(),
      )
    } finally {
      await again.stop()
    }
  })
})
