import { addSafe, call, listChainStatus } from '@countersign/contract'
import { testContractAbi } from '@countersign/devnet'
import { asc, eq } from 'drizzle-orm'
import { type Address, encodeFunctionData } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { historyEntry, safe } from '../db/schema.ts'
import { playing, providers, type Taking } from '../test/providers.ts'
import { actor, alice, chainId, devnet, openChain } from '../test/scene.ts'
import { type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import {
  createDatabase,
  devnetChain,
  eventually,
  newSafe,
  signInAs,
  startTestServer,
  type TestServer,
} from '../test/test-server.ts'

openChain()

let node: ScriptedNode
let server: TestServer
let databaseUrl: string
let address: Address

const head = async () => Number(await actor.rpc('eth_blockNumber'))

beforeEach(async () => {
  node = await startScriptedNode(
    devnet.rpcUrl,
    playing((): Taking => providers['needs an address'], head),
  )
  databaseUrl = await createDatabase()
  address = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1, l2: true })
})
afterEach(async () => {
  await server?.stop()
  await node.close()
})

async function start({ isListed = false, isWhole = false, added = [] as string[], from = null as number | null } = {}) {
  const tokens = isListed ? [{ address: devnet.tokens.erc20, symbol: 'TEST', decimals: 18 }] : []
  const index = isWhole ? ('whole-chain' as const) : ('tracked' as const)
  const chain = { ...devnetChain(node.url), rpcUrls: [node.url, ...added], isDevnet: false, tokens, index }
  const rebuild = from === null ? null : { chainId, blockNumber: from }
  server = await startTestServer({ chains: [chain], databaseUrl, rebuild })
}

function mint(amount: bigint) {
  const data = encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName: 'mint', args: [address, amount] })
  return actor.send({ to: devnet.tokens.erc20, data })
}

async function untilRead() {
  await eventually(async () => {
    const { rows } = await server.db.execute(`
      select 1 from chain_cursor where block_number = ${await head()}
        and not exists (select from safe where backfill_block is not null)`)
    return rows.length > 0 && (await server.db.$count(safe)) > 0
  })
}

async function kinds() {
  const rows = await server.db
    .select({ kind: historyEntry.kind, token: historyEntry.token, amount: historyEntry.amount })
    .from(historyEntry)
    .where(eq(historyEntry.safeAddress, address))
    .orderBy(asc(historyEntry.blockNumber), asc(historyEntry.logIndex))
  return rows.map(({ kind, token, amount }) => (token ? [kind, amount] : [kind]))
}

async function missing() {
  const { chains } = await call(await signInAs(server, alice), listChainStatus, {})
  return chains[0]?.ofNamedTokens
}

describe('a node that answers no query for logs without an address', () => {
  test('default: own events and transfers of listed tokens are read', async () => {
    await mint(5n)
    await start({ isListed: true })
    await call(await signInAs(server, alice), addSafe, { chainId, address })
    await untilRead()
    await mint(6n)
    await untilRead()
    expect(await kinds()).toEqual([['created'], ['transfer-in', 5n], ['transfer-in', 6n]])
    expect(await missing()).toMatchObject({ to: await head() })
  })

  test('behavior: a chain that is read as a whole is searched for Safes of official factories', async () => {
    await start({ isWhole: true })
    await eventually(async () => (await server.db.$count(safe, eq(safe.address, address))) === 1)
    await eventually(async () => (await kinds()).length > 0)
    const later = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    await eventually(async () => (await server.db.$count(safe, eq(safe.address, later))) === 1)
    expect(await kinds()).toEqual([['created']])
  })

  test('behavior: what is missing is told, and read again from there with a node that answers', async () => {
    await mint(5n)
    await start()
    await call(await signInAs(server, alice), addSafe, { chainId, address })
    await untilRead()
    expect(await kinds()).toEqual([['created']])
    const told = await missing()
    expect(told?.to).toBe(await head())
    await server.stop()
    await start({ added: [devnet.rpcUrl], from: told?.from ?? 0 })
    await eventually(async () => (await kinds()).length === 2)
    expect(await kinds()).toEqual([['created'], ['transfer-in', 5n]])
    expect(await missing()).toBeNull()
  })
})
