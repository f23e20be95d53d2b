import { randomInt } from 'node:crypto'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addSafe, call } from '@countersign/contract'
import { type Devnet, demoAccounts, startDevnet, testContractAbi } from '@countersign/devnet'
import { and, asc, eq } from 'drizzle-orm'
import pg from 'pg'
import { type Address, encodeFunctionData } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chainCursor, historyEntry, multisigTransaction } from '../db/schema.ts'
import { type Actor, createActor } from '../test/safe-actor.ts'
import { devnetChain, eventually, newSafe, signInAs, startTestServer, type TestServer } from '../test/test-server.ts'

const [alice, bob] = demoAccounts
const chainId = 31337

let devnet: Devnet
let actor: Actor
let safes: Address[]
const servers: TestServer[] = []

beforeEach(async () => {
  devnet = await startDevnet({ port: 0 })
  actor = createActor(devnet.rpcUrl)
  safes = []
  for (const l2 of [true, false]) {
    const safe = await newSafe(devnet.rpcUrl, { l2, owners: [alice.address], threshold: 1 })
    await actor.send({ to: safe, value: 1_000_000n })
    await actor.send({ to: devnet.tokens.erc20, data: erc20('mint', [safe, 1_000_000n]) })
    safes.push(safe)
  }
})

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()))
  await devnet?.close()
})

function erc20(functionName: string, args: unknown[]) {
  return encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName, args })
}

async function follow(rpcUrl = devnet.rpcUrl): Promise<TestServer> {
  const server = await startTestServer({ chains: [devnetChain(rpcUrl)] })
  servers.push(server)
  const asAlice = await signInAs(server, alice)
  for (const address of safes)
    await eventually(() => call(asAlice, addSafe, { chainId, address }).catch(() => null), 60_000)
  return server
}

/** Something that leaves traces of several kinds. */
async function act(): Promise<void> {
  const safe = safes[randomInt(safes.length)]
  if (!safe) throw new Error('unreachable')
  const choice = randomInt(4)
  if (choice === 0) await actor.send({ to: safe, value: BigInt(1 + randomInt(50)) })
  else if (choice === 1) await actor.execute(safe, { to: bob.address, value: BigInt(1 + randomInt(50)) })
  else if (choice === 2)
    await actor.execute(safe, {
      to: devnet.tokens.erc20,
      data: erc20('transfer', [bob.address, BigInt(1 + randomInt(50))]),
    })
  else await actor.send({ to: devnet.tokens.erc20, data: erc20('mint', [safe, BigInt(1 + randomInt(50))]) })
}

async function untilAtHead(server: TestServer): Promise<void> {
  await eventually(async () => {
    const [cursor] = await server.db.select().from(chainCursor).where(eq(chainCursor.chainId, chainId))
    const head: unknown = await actor.rpc('eth_getBlockByNumber', 'latest', false)
    const hash = typeof head === 'object' && head !== null && 'hash' in head ? head.hash : null
    return cursor?.blockHash === hash
  }, 60_000)
}

/** Everything that was written down of the Safes, in the order of the chain. */
async function everything(server: TestServer) {
  await untilAtHead(server)
  const entries = await server.db
    .select()
    .from(historyEntry)
    .orderBy(
      asc(historyEntry.safeAddress),
      asc(historyEntry.blockNumber),
      asc(historyEntry.logIndex),
      asc(historyEntry.part),
    )
  const executions = await server.db
    .select()
    .from(multisigTransaction)
    .where(and(eq(multisigTransaction.chainId, chainId), multisigTransaction.isExecuted))
    .orderBy(asc(multisigTransaction.safeTxHash))
  return { entries, executions }
}

/** What a server knows that reads the chain now, for the first time. */
async function afresh() {
  const server = await follow()
  await eventually(async () => {
    const rest = await server.db.execute('select 1 from safe where backfill_block is not null or is_stale')
    return rest.rows.length === 0
  })
  return everything(server)
}

describe('reorganisations', () => {
  test('behavior: after a hundred of any depth the state is that of a fresh index', { timeout: 120_000 }, async () => {
    const server = await follow()
    await untilAtHead(server)
    for (let round = 0; round < 100; round += 1) {
      const snapshot = await actor.rpc('evm_snapshot')
      const before = 1 + randomInt(round % 10 === 0 ? 40 : 6)
      for (let one = 0; one < before; one += 1) await act()
      if (round % 3 === 0) await untilAtHead(server)
      await actor.rpc('evm_revert', snapshot)
      const after = 1 + randomInt(6)
      for (let one = 0; one < after; one += 1) await act()
    }
    const followed = await everything(server)
    const fresh = await afresh()
    expect(followed.entries.length).toBeGreaterThan(50)
    expect(followed).toEqual(fresh)
  })
})

describe('rebuilding', () => {
  test('behavior: a chain reorganised too deep is not followed, until it is read again', async () => {
    const server = await follow()
    for (let one = 0; one < 5; one += 1) await act()
    const before = await everything(server)
    // As if another chain had been followed: none of its blocks is known to the node.
    await server.stop()
    servers.splice(0)
    const { databaseUrl } = server
    const chains = [{ ...devnetChain(devnet.rpcUrl), isDevnet: false }]
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const strange = Buffer.alloc(32, 7)
    await client.query('update chain_header set block_hash = $1', [strange])
    await client.query('update chain_cursor set block_hash = $1', [strange])
    await client.end()

    const stopped = await startTestServer({ chains, databaseUrl })
    await eventually(async () => stopped.logged.some((line) => line.includes('COUNTERSIGN_REBUILD=31337:')))
    await act()
    await stopped.stop()

    const again = await startTestServer({ chains, databaseUrl, rebuild: { chainId, blockNumber: 0 } })
    servers.push(again)
    const after = await everything(again)
    expect(after.entries.length).toBeGreaterThan(before.entries.length)
    expect(after).toEqual(await afresh())
  })
})

type Mischief = (body: string, answer: () => Promise<string>) => Promise<{ status: number; text: string }>

/** A node between us and the real one that does not always tell the truth. */
async function startNode(mischief: Mischief): Promise<{ url: string; server: HttpServer }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    const answer = async () =>
      (await fetch(devnet.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text()
    const { status, text } = await mischief(body, answer).catch(() => ({ status: 500, text: 'broken' }))
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  if (typeof address !== 'object' || !address) throw new Error('unreachable')
  return { url: `http://127.0.0.1:${address.port}`, server }
}

function mapAnswers(text: string, change: (answer: Record<string, unknown>) => unknown): string {
  const parsed: unknown = JSON.parse(text)
  return JSON.stringify(Array.isArray(parsed) ? parsed.map(change) : change(parsed as Record<string, unknown>))
}

const mischiefs: Record<string, Mischief> = {
  'answers 429': async (_, answer) =>
    randomInt(6) === 0 ? { status: 429, text: '{"error":"slow down"}' } : { status: 200, text: await answer() },
  'breaks off': async (_, answer) =>
    randomInt(3) === 0 ? { status: 200, text: (await answer()).slice(0, 40) } : { status: 200, text: await answer() },
  'refuses ranges of more than two blocks': async (body, answer) => {
    const text = await answer()
    const asked: unknown = JSON.parse(body)
    const wide = (Array.isArray(asked) ? asked : [asked]).filter(({ method, params }) => {
      const [filter] = params ?? []
      return method === 'eth_getLogs' && Number(filter.toBlock) - Number(filter.fromBlock) > 1
    })
    const ids = new Set(wide.map(({ id }) => id))
    return {
      status: 200,
      text: mapAnswers(text, (one) =>
        ids.has(one.id) ? { jsonrpc: '2.0', id: one.id, error: { code: -32005, message: 'range too large' } } : one,
      ),
    }
  },
  'says another chain id now and then': async (body, answer) => {
    const text = await answer()
    if (!body.includes('eth_chainId') || randomInt(2) === 0) return { status: 200, text }
    return { status: 200, text: text.replaceAll('"0x7a69"', '"0x1"') }
  },
  'lags behind its own head': async (body, answer) => {
    const text = await answer()
    // One of two nodes behind a balancer has not seen the newest blocks: it knows neither them nor their logs.
    if (!body.includes('eth_getLogs') || randomInt(2) === 0) return { status: 200, text }
    return {
      status: 200,
      text: mapAnswers(text, (one) => {
        if (Array.isArray(one.result)) return { ...one, result: [] }
        const isBlock = typeof one.result === 'object' && one.result !== null && 'parentHash' in one.result
        return isBlock ? { ...one, result: null } : one
      }),
    }
  },
}

describe('nodes', () => {
  test.each(Object.keys(mischiefs))('behavior: a node that %s', { timeout: 60_000 }, async (name) => {
    const mischief = mischiefs[name]
    if (!mischief) throw new Error('unreachable')
    const node = await startNode(mischief)
    try {
      const server = await follow(node.url)
      for (let one = 0; one < 30; one += 1) await act()
      await untilAtHead(server)
      await eventually(async () => {
        const rest = await server.db.execute('select 1 from safe where backfill_block is not null')
        return rest.rows.length === 0
      }, 50_000)
      const followed = await everything(server)
      expect(followed.entries.length).toBeGreaterThan(30)
      expect(followed).toEqual(await afresh())
    } finally {
      node.server.close()
    }
  })
})
