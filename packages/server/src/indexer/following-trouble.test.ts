import { addSafe, call } from '@countersign/contract'
import { demoAccounts, startDevnet, testContractAbi } from '@countersign/devnet'
import { safeAbi } from '@countersign/safe'
import { and, asc, eq } from 'drizzle-orm'
import pg from 'pg'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRandomInt, isSoak } from '../../../../scripts/testing/random-tests.mjs'
import { chainCursor, historyEntry, multisigTransaction, safe } from '../db/schema.ts'
import { writeLogged } from '../outbox/write.ts'
import { createChains } from '../rpc/clients.ts'
import { lowerCase, readBlock } from '../rpc/logs.ts'
import { createActor } from '../test/safe-actor.ts'
import { type Asked, refusing, type Script, startScriptedNode } from '../test/scripted-node.ts'
import { devnetChain, eventually, newSafe, signInAs, startTestServer, type TestServer } from '../test/test-server.ts'
import { createRangeReader } from './read/range.ts'
import { applyFacts, WINDOW_BLOCKS } from './write/apply.ts'

const [alice, bob] = demoAccounts
const chainId = 31337
const randomInt = createRandomInt()

/** A node with two Safes of alice alone, and servers that follow them. */
async function setScene() {
  const devnet = await startDevnet({ port: 0 })
  const actor = createActor(devnet.rpcUrl)
  const running = new Set<TestServer>()
  const safes: Address[] = []
  for (const l2 of [true, false]) {
    const safe = await newSafe(devnet.rpcUrl, { l2, owners: [alice.address], threshold: 1 })
    await actor.send({ to: safe, value: 1_000_000n })
    await actor.send({ to: devnet.tokens.erc20, data: erc20('mint', [safe, 1_000_000n]) })
    safes.push(safe)
  }

  async function start(options: Partial<Parameters<typeof startTestServer>[0]> = {}): Promise<TestServer> {
    const server = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)], ...options })
    running.add(server)
    return server
  }

  async function stop(server: TestServer): Promise<void> {
    running.delete(server)
    await server.stop()
  }

  async function follow(rpcUrl = devnet.rpcUrl, isDevnet = rpcUrl === devnet.rpcUrl): Promise<TestServer> {
    const server = await start({ chains: [{ ...devnetChain(rpcUrl), isDevnet }] })
    const asAlice = await signInAs(server, alice)
    for (const address of safes) await eventually(() => call(asAlice, addSafe, { chainId, address }).catch(() => null))
    return server
  }

  /** Something that leaves traces of several kinds. */
  async function act(): Promise<void> {
    const safe = safes[randomInt(safes.length)]
    if (!safe) throw new Error('unreachable')
    const choice = randomInt(4)
    const value = BigInt(1 + randomInt(50))
    if (choice === 0) await actor.send({ to: safe, value })
    else if (choice === 1) await actor.execute(safe, { to: bob.address, value })
    else if (choice === 2)
      await actor.execute(safe, { to: devnet.tokens.erc20, data: erc20('transfer', [bob.address, value]) })
    else await actor.send({ to: devnet.tokens.erc20, data: erc20('mint', [safe, value]) })
  }

  async function untilAtHead(server: TestServer): Promise<void> {
    await eventually(async () => {
      const [cursor] = await server.db.select().from(chainCursor).where(eq(chainCursor.chainId, chainId))
      const head: unknown = await actor.rpc('eth_getBlockByNumber', 'latest', false)
      const hash = typeof head === 'object' && head !== null && 'hash' in head ? head.hash : null
      const rest = await server.db.execute('select 1 from safe where backfill_block is not null')
      return cursor?.blockHash === hash && rest.rows.length === 0
    })
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
    // When each was last written down is another matter.
    return { entries, executions: executions.map(({ modifiedDate, ...rest }) => rest) }
  }

  /** Reads the chain with a new server, for comparison. */
  async function afresh() {
    const server = await follow()
    await eventually(async () => {
      const rest = await server.db.execute('select 1 from safe where backfill_block is not null or is_stale')
      return rest.rows.length === 0
    })
    return everything(server)
  }

  return {
    devnet,
    actor,
    start,
    stop,
    follow,
    act,
    untilAtHead,
    everything,
    afresh,
    async [Symbol.asyncDispose]() {
      await Promise.all([...running].map(stop))
      await devnet.close()
    },
  }
}

function erc20(functionName: string, args: unknown[]) {
  return encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName, args })
}

/** A transaction that is sent again takes one more block. */
const SPARE_BLOCKS = 8
const MAX_ACTS = 5
const REORGANISATIONS = isSoak ? 100 : 25

describe('reorganisations', () => {
  test('behavior: after many of any depth the state is that of a fresh index', async () => {
    await using scene = await setScene()
    const { devnet, actor, follow, act, untilAtHead, everything, afresh } = scene
    // Not as the devnet, which begins again when it went back too far.
    const server = await follow(devnet.rpcUrl, false)
    await untilAtHead(server)
    for (let round = 0; round < REORGANISATIONS; round += 1) {
      const snapshot = await actor.rpc('evm_snapshot')
      const depth = 1 + randomInt(round % 5 === 0 ? WINDOW_BLOCKS - SPARE_BLOCKS : 6)
      const acts = Math.min(depth, MAX_ACTS)
      for (let round = 0; round < acts; round += 1) await act()
      if (depth > acts) await actor.rpc('anvil_mine', `0x${(depth - acts).toString(16)}`)
      if (round % 3 === 0 || depth > acts) await untilAtHead(server)
      await actor.revert(snapshot)
      const after = 1 + randomInt(6)
      for (let round = 0; round < after; round += 1) await act()
    }
    const followed = await everything(server)
    const fresh = await afresh()
    expect(followed.entries.length).toBeGreaterThan(50)
    expect(followed).toEqual(fresh)
  })
})

describe('a past of several ranges', () => {
  test('behavior: a range is read while the one before is written, and nothing is lost when that fails', async () => {
    await using scene = await setScene()
    const { devnet, actor, start, stop, follow, act, everything, untilAtHead, afresh } = scene
    const first = await follow()
    await untilAtHead(first)
    await stop(first)
    for (let round = 0; round < 12; round += 1) {
      await act()
      await actor.rpc('anvil_mine', '0x46')
    }
    const { databaseUrl } = first
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const node = await startScriptedNode(devnet.rpcUrl)
    const starts = () => {
      const asked = node.exchanges.flat().filter(({ method }) => method === 'eth_getLogs')
      return new Set(asked.map(({ params }) => Number(range.parse(params[0]).fromBlock)))
    }
    try {
      // Each write of a range waits for this row.
      await client.query('begin')
      await client.query('select from chain_cursor for update')
      const server = await start({ chains: [{ ...devnetChain(node.url), isDevnet: false }], databaseUrl })
      await eventually(async () => starts().size >= 2)
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ilike '%chain_cursor%'`)
      await client.query('rollback')
      const followed = await everything(server)
      expect(followed.entries.length).toBeGreaterThan(12)
      expect(followed).toEqual(await afresh())
    } finally {
      await client.end()
      await node.close()
    }
  })

  test('behavior: thresholds that a node forgot come from the history, once the range before is in it', async () => {
    await using scene = await setScene()
    const { devnet, actor, follow, untilAtHead } = scene
    const server = await follow()
    const safes = new Set<Hex>()
    for (const { address } of await server.db.select().from(safe)) {
      await actor.execute(address, { to: bob.address, value: 1n })
      safes.add(lowerCase(address))
    }
    await untilAtHead(server)
    const getThreshold = encodeFunctionData({ abi: safeAbi, functionName: 'getThreshold' })
    const isOld = ({ params }: Asked) => JSON.stringify(params).includes(getThreshold)
    const node = await startScriptedNode(devnet.rpcUrl, refusing(isOld, { code: -32000, message: 'missing trie node' }))
    try {
      const chain = createChains([devnetChain(node.url)]).get(chainId)
      const head = chain && (await readBlock(chain.request, 'latest'))
      if (!head) throw new Error('unreachable')
      const kept = await server.db.delete(historyEntry).where(eq(historyEntry.kind, 'created')).returning()
      const written = eventually(async () => node.exchanges.flat().some(isOld)).then(async () => {
        await server.db.insert(historyEntry).values(kept)
      })
      const reader = createRangeReader({ chain, db: server.db })
      // From after their creation on.
      const from = Math.max(...kept.map(({ blockNumber }) => blockNumber)) + 1
      const { facts } = await reader.read({
        safes,
        isWhole: false,
        from,
        upTo: head.number,
        head,
        before: null,
        written,
      })
      expect(facts.executions.map(({ threshold }) => threshold)).toEqual([1, 1])
    } finally {
      await node.close()
    }
  })
})

describe('the first block', () => {
  test('behavior: a reorganisation of those before it is followed', async () => {
    await using scene = await setScene()
    const { devnet, actor, start, act, untilAtHead } = scene
    const snapshot = await actor.rpc('evm_snapshot')
    await actor.rpc('anvil_mine', '0x5')
    // No Safe is added, whose history would keep more blocks.
    const server = await start({ chains: [{ ...devnetChain(devnet.rpcUrl), isDevnet: false }] })
    await untilAtHead(server)
    await actor.revert(snapshot)
    await act()
    await actor.rpc('anvil_mine', '0x8')
    await untilAtHead(server)
  })
})

describe('rebuilding', () => {
  test('behavior: a chain reorganised too deep is not followed, until it is read again', async () => {
    await using scene = await setScene()
    const { devnet, start, stop, follow, act, everything, afresh } = scene
    const server = await follow()
    for (let round = 0; round < 5; round += 1) await act()
    const before = await everything(server)
    // As if another chain had been followed: none of its blocks is known to the node.
    await stop(server)
    const { databaseUrl } = server
    const chains = [{ ...devnetChain(devnet.rpcUrl), isDevnet: false }]
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const strange = Buffer.alloc(32, 7)
    await client.query('update chain_header set block_hash = $1', [strange])
    await client.query('update chain_cursor set block_hash = $1', [strange])
    await client.end()

    const stopped = await start({ chains, databaseUrl })
    await eventually(async () => stopped.logged.some((line) => line.includes('COUNTERSIGN_REBUILD=31337:')))
    await act()
    await stop(stopped)

    const again = await start({ chains, databaseUrl, rebuild: { chainId, blockNumber: 0 } })
    const after = await everything(again)
    expect(after.entries.length).toBeGreaterThan(before.entries.length)
    expect(after).toEqual(await afresh())
  })
})

describe('rebuilding from a block on', () => {
  test('behavior: ends with what was there before, and what was there before it stays', async () => {
    await using scene = await setScene()
    const { devnet, actor, start, stop, follow, act, everything } = scene
    const server = await follow()
    for (let round = 0; round < 8; round += 1) await act()
    const middle = Number(await actor.rpc('eth_blockNumber')) - 4
    const before = await everything(server)
    await stop(server)
    const { databaseUrl } = server
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    const { rowCount } = await client.query('delete from history_entry where block_number >= $1', [middle])
    expect(rowCount).toBeGreaterThan(0)
    await client.end()
    const chains = [{ ...devnetChain(devnet.rpcUrl), isDevnet: false }]
    const again = await start({ chains, databaseUrl, rebuild: { chainId, blockNumber: middle } })
    await eventually(async () => (await everything(again)).entries.length === before.entries.length)
    expect(await everything(again)).toEqual(before)
  })
})

describe('applying', () => {
  test('behavior: everything that a chain says, once more, changes nothing', async () => {
    await using scene = await setScene()
    const { devnet, actor, follow, act, everything } = scene
    const server = await follow()
    for (let round = 0; round < 20; round += 1) await act()
    const read = async () => ({
      ...(await everything(server)),
      confirmations: (await server.db.execute('select * from confirmation order by safe_tx_hash, owner')).rows,
      activity: (await server.db.execute('select * from activity order by id')).rows,
      headers: (await server.db.execute('select * from chain_header order by block_number')).rows,
    })
    const before = await read()
    expect(before.executions.length).toBeGreaterThan(1)
    const chain = createChains([devnetChain(devnet.rpcUrl)]).get(chainId)
    const head = chain && (await readBlock(chain.request, 'latest'))
    if (!head) throw new Error('unreachable')
    const safes = new Set((await server.db.select().from(safe)).map(({ address }) => lowerCase(address)))
    const range = { safes, isWhole: false, from: 0, upTo: head.number, head, before: null }
    const { facts, last } = await createRangeReader({ chain, db: server.db }).read(range)
    expect([last.number, facts.entries.length]).toEqual([head.number, before.entries.length])
    expect(head.number).toBe(Number(await actor.rpc('eth_blockNumber')))
    // It followed from its own start; what it read before that is of blocks whose hashes it never kept.
    const headers = facts.headers.filter(({ blockNumber }) => blockNumber >= Number(before.headers[0]?.block_number))
    expect(headers.length).toBe(before.headers.length)
    await writeLogged({ db: server.db, clock: () => new Date() }, (tx, log) =>
      applyFacts(tx, log, { ...facts, headers }),
    )
    expect(await read()).toEqual(before)
  })
})

const seldom = () => randomInt(6) === 0

/** A new one for each node: some remember what they said. */
const mischiefs: Record<string, () => Script> = {
  'answers 429': () => async (_, truth) => (seldom() ? { status: 429, text: '{"error":"slow down"}' } : truth()),
  'breaks off': () => async (_, truth) => (seldom() ? { text: JSON.stringify(await truth()).slice(0, 40) } : truth()),
  'refuses ranges of more than two blocks': () =>
    refusing(
      ({ method, params }) => {
        if (method !== 'eth_getLogs') return false
        const { fromBlock, toBlock } = range.parse(params[0])
        return Number(toBlock) - Number(fromBlock) > 1
      },
      { code: -32005, message: 'range too large' },
    ),
  'says another chain id now and then': () => async (asked, truth) => {
    const answers = await truth()
    if (!seldom()) return answers
    return answers.map((answer) =>
      asked.some(({ id, method }) => id === answer.id && method === 'eth_chainId')
        ? { ...answer, result: '0x1' }
        : answer,
    )
  },
  'jumps back': () => {
    let newest = 0
    // Another node behind the same balancer, a few blocks back: heads, and none of the newest blocks and their logs.
    const ofOldNode = (result: unknown): unknown => {
      if (Array.isArray(result)) return result.filter(({ blockNumber }) => Number(blockNumber) <= newest - BACK)
      const { number } = header.safeParse(result).data ?? {}
      if (number === undefined) return result
      newest = Math.max(newest, Number(number))
      return Number(number) > newest - BACK ? null : result
    }
    return async (_, truth) => {
      const answers = await truth()
      return seldom() ? answers.map((answer) => ({ ...answer, result: ofOldNode(answer.result) })) : answers
    }
  },
}

const range = z.object({ fromBlock: z.string(), toBlock: z.string() })
const header = z.object({ number: z.string(), parentHash: z.string() })
const BACK = 3

// Each has its own node, and most of the time is waiting before it is asked once more.
describe.concurrent('nodes', () => {
  test.each(Object.keys(mischiefs))('behavior: a node that %s', async (name) => {
    const mischief = mischiefs[name]
    if (!mischief) throw new Error('unreachable')
    await using scene = await setScene()
    const { devnet, follow, act, untilAtHead, everything, afresh } = scene
    const node = await startScriptedNode(devnet.rpcUrl, mischief())
    try {
      const server = await follow(node.url)
      for (let round = 0; round < 30; round += 1) await act()
      await untilAtHead(server)
      const followed = await everything(server)
      expect(followed.entries.length).toBeGreaterThan(30)
      expect(followed).toEqual(await afresh())
      // Nothing was taken back: what a node did not know was no reorganisation.
      expect(server.logged.filter((line) => line.includes('the chain was reorganised'))).toEqual([])
    } finally {
      await node.close()
    }
  })
})
