import { addSafe, call } from '@countersign/contract'
import { demoAccounts, deployOldSafe } from '@countersign/devnet'
import { encodeSignatures } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { and, eq, isNotNull } from 'drizzle-orm'
import { type Address, concat, getAddress, type Hex, numberToHex, pad } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { chainFollower, historyEntry, multisigTransaction } from '../db/schema.ts'
import { actor, devnet, openChain } from '../test/scene.ts'
import { changing, type Script, startScriptedNode } from '../test/scripted-node.ts'
import { devnetChain, eventually, newSafe, signedTx, signInAs, startTestServer } from '../test/test-server.ts'
import { newTxClient } from '../test/tx-client.ts'
import { wireSchemas } from '../tx-service/wire/answer-schemas.ts'

const [alice, bob] = demoAccounts
const chainId = 31337

/** Calls the address in the first word of its calldata with what stands behind it, each bit the other way round. */
const relay: Address = '0x00000000000000000000000000000000000e1a01'
const relayCode =
  '0x60005b60203603811015601b57806020013519815260200160025' +
  '65b6000600060203603600060006000355af115603257005b60006000fd'

openChain()

beforeAll(async () => {
  await actor.rpc('anvil_setCode', relay, relayCode)
})

async function executeThroughRelay(safeAddress: Address, version: string): Promise<Hex> {
  const { safeTx, safeTxHash, signature } = await signedTx(
    safeAddress,
    alice,
    { to: bob.address, value: 7n, nonce: await actor.nonceOf(safeAddress) },
    { version },
  )
  const data = encodeExecTransaction(safeTx, encodeSignatures([{ owner: alice.address, signature }]))
  const padded = pad(data, { size: Math.ceil((data.length - 2) / 64) * 32, dir: 'right' })
  const inverted = numberToHex(BigInt(padded) ^ (2n ** BigInt(4 * (padded.length - 2)) - 1n), {
    size: (padded.length - 2) / 2,
  })
  await actor.send({ to: relay, data: concat([pad(safeAddress), inverted]) })
  return safeTxHash
}

const releases = [
  ['1.0.0', true],
  ['1.1.1', true],
  ['1.3.0', false],
  ['1.4.1', false],
  ['1.5.0', false],
] as const

async function deploy(version: (typeof releases)[number][0]): Promise<Address> {
  const owners = [alice.address]
  if (version === '1.0.0' || version === '1.1.1')
    return deployOldSafe({ rpcUrl: devnet.rpcUrl, version, owners, threshold: 1, saltNonce: BigInt(Date.now()) })
  return newSafe(devnet.rpcUrl, { version, l2: false, owners, threshold: 1 })
}

const denying =
  (isDenied: (method: string) => boolean, reply: { status: number; text: string }): Script =>
  async (asked, truth) =>
    asked.some(({ method }) => isDenied(method)) ? reply : truth()

describe('an execution whose calldata a contract makes up', () => {
  test.each(releases)('behavior: is read from a trace, Safe %s', async (version) => {
    const server = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)] })
    try {
      const safeAddress = await deploy(version)
      await actor.send({ to: safeAddress, value: 100n })
      await call(await signInAs(server, alice), addSafe, { chainId, address: safeAddress })
      const safeTxHash = await executeThroughRelay(safeAddress, version)
      const byHash = and(eq(multisigTransaction.safeTxHash, safeTxHash), isNotNull(multisigTransaction.to))
      const [row] = await eventually(async () => {
        const found = await server.db.select().from(multisigTransaction).where(byHash)
        return found.length > 0 && found
      })
      expect(row).toMatchObject({ to: bob.address, value: 7n, nonce: 0n, isExecuted: true, isSuccessful: true })
      const entries = await eventually(async () => {
        const found = await server.db.select().from(historyEntry).where(eq(historyEntry.safeAddress, safeAddress))
        return found.some(({ kind }) => kind === 'transfer-out') && found
      })
      const of = (wanted: string) => entries.filter(({ kind }) => kind === wanted)
      expect(of('transfer-out')).toMatchObject([{ amount: 7n, counterparty: bob.address, safeTxHash }])
      expect(of('executed')).toMatchObject([{ safeTxHash }])
      expect(entries.filter(({ afterBlock }) => afterBlock !== null)).toEqual([])
    } finally {
      await server.stop()
    }
  })

  test.each([403, 404, 501])(
    'behavior: is told without its fields by a node that answers traces with %i',
    async (status) => {
      const script = denying((method) => method.startsWith('debug_'), { status, text: '{"error":"not on your plan"}' })
      const node = await startScriptedNode(devnet.rpcUrl, script)
      const server = await startTestServer({ chains: [{ ...devnetChain(node.url), isDevnet: false }] })
      try {
        const safeAddress = await deploy('1.4.1')
        await actor.send({ to: safeAddress, value: 100n })
        await call(await signInAs(server, alice), addSafe, { chainId, address: safeAddress })
        const safeTxHash = await executeThroughRelay(safeAddress, '1.4.1')
        const unexplained = await eventually(async () => {
          const found = await server.db
            .select()
            .from(historyEntry)
            .where(and(eq(historyEntry.safeAddress, safeAddress), isNotNull(historyEntry.afterBlock)))
          return found.length > 0 && found
        })
        expect(unexplained).toMatchObject([{ kind: 'unexplained-out', amount: 7n }])
        const [row] = await server.db
          .select()
          .from(multisigTransaction)
          .where(eq(multisigTransaction.safeTxHash, safeTxHash))
        expect(row).toMatchObject({ to: null, isExecuted: true, isSuccessful: true })
        // Strict readers of the wire would refuse it: they get the Ethereum transaction alone.
        const { ask } = await newTxClient(server, await signInAs(server, alice))
        expect((await ask(`/v2/safes/${safeAddress}/multisig-transactions/`)).body).toMatchObject({
          count: 0,
          results: [],
          countUniqueNonce: 0,
        })
        expect((await ask(`/v2/multisig-transactions/${safeTxHash}/`)).status).toBe(404)
        const { body } = await ask(`/v2/safes/${safeAddress}/all-transactions/`)
        expect(wireSchemas.TransactionsV2.parse(body).results[0]).toMatchObject({
          txType: 'ETHEREUM_TRANSACTION',
          to: getAddress(relay),
        })
        await eventually(async () => (await server.db.select().from(chainFollower))[0]?.failureCode === null)
      } finally {
        await server.stop()
        await node.close()
      }
    },
  )
})

describe('a node with oddities', () => {
  /** Odd answers of a node: about a transaction without calldata of its own, and one that it gave up to trace. */
  const odd: Record<string, Script> = {
    'transactions without calldata or value': changing((answer, { method }) => {
      const { result } = answer
      const isTransaction = method === 'eth_getTransactionByHash' && typeof result === 'object'
      return isTransaction ? { ...answer, result: { ...result, input: null, value: null } } : answer
    }),
    'traces that are none': changing((answer, { method }) =>
      method.startsWith('debug_')
        ? { ...answer, result: [{ txHash: `0x${'00'.repeat(32)}`, error: 'timeout' }] }
        : answer,
    ),
  }

  test.each(Object.keys(odd))('behavior: %s keep nobody from being followed', async (name) => {
    const node = await startScriptedNode(devnet.rpcUrl, odd[name])
    const server = await startTestServer({ chains: [{ ...devnetChain(node.url), isDevnet: false }] })
    try {
      const safeAddress = await deploy('1.4.1')
      await actor.send({ to: safeAddress, value: 100n })
      await call(await signInAs(server, alice), addSafe, { chainId, address: safeAddress })
      const safeTxHash = await executeThroughRelay(safeAddress, '1.4.1')
      const entries = await eventually(async () => {
        const found = await server.db.select().from(historyEntry).where(eq(historyEntry.safeAddress, safeAddress))
        return found.some(({ kind }) => kind === 'transfer-out' || kind === 'unexplained-out') && found
      })
      expect(entries.filter(({ kind }) => kind === 'executed')).toMatchObject([{ safeTxHash, isSuccessful: true }])
      await eventually(async () => (await server.db.select().from(chainFollower))[0]?.failureCode === null)
    } finally {
      await server.stop()
      await node.close()
    }
  })
})
