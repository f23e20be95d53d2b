import { setTimeout as sleep } from 'node:timers/promises'
import {
  addSafe,
  call,
  getSafe,
  listActivity,
  listChainStatus,
  resumeReading,
  stopReading,
} from '@countersign/contract'
import { asc, eq, isNull, ne, sql } from 'drizzle-orm'
import { type Address, numberToHex, zeroAddress } from 'viem'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chainCursor, historyEntry, safe } from '../db/schema.ts'
import { lowerCase } from '../rpc/logs.ts'
import { playing, type Taking } from '../test/providers.ts'
import { actor, alice, chainId, devnet, openChain } from '../test/scene.ts'
import { changing, type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import { devnetChain, eventually, newSafe, signInAs, startTestServer, type TestServer } from '../test/test-server.ts'

openChain()

let node: ScriptedNode
let server: TestServer
let taking: Taking
let older: Awaited<ReturnType<typeof quietSafe>>
let newer: Awaited<ReturnType<typeof quietSafe>>
const small = { blocks: 100, code: -32614, words: 'limited to a 100 range' }
const gone = { blocks: 64, code: -32000, words: 'missing trie node' }

const head = async () => Number(await actor.rpc('eth_blockNumber'))

// Blocks are slow to make: each test reads the same two Safes anew.
beforeAll(async () => {
  older = await quietSafe()
  newer = await quietSafe()
})
beforeEach(async () => {
  taking = {}
  node = await startScriptedNode(
    devnet.rpcUrl,
    playing(() => taking, head),
  )
})
afterEach(async () => {
  await server?.stop()
  await node.close()
})

async function follow(...addresses: Address[]) {
  server = await startTestServer({ chains: [{ ...devnetChain(node.url), isDevnet: false }] })
  const browser = await signInAs(server, alice)
  for (const address of addresses) await call(browser, addSafe, { chainId, address })
  return browser
}

/** A Safe between quiet blocks: the block that created it, and one in which it received coin. */
async function quietSafe() {
  await actor.rpc('anvil_mine', numberToHex(100))
  const address = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1, l2: true })
  const created = await head()
  await actor.rpc('anvil_mine', numberToHex(160))
  await actor.send({ to: address, value: 7n })
  const received = await head()
  await actor.rpc('anvil_mine', numberToHex(100))
  return { address, created, received }
}

async function untilRead(address: Address) {
  return eventually(async () => {
    const [row] = await server.db.select().from(safe).where(eq(safe.address, address))
    return row?.backfillBlock === null && row
  })
}

const lowestQuery = () =>
  Math.min(
    ...node.exchanges
      .flat()
      .filter(({ method }) => method === 'eth_getLogs')
      .map(({ params }) => Number((params[0] as { fromBlock: string }).fromBlock)),
  )

const kindsOf = async (address: Address) => {
  const rows = await server.db
    .select()
    .from(historyEntry)
    .where(eq(historyEntry.safeAddress, address))
    .orderBy(asc(historyEntry.blockNumber))
  return rows.map(({ kind, blockNumber }) => [kind, blockNumber])
}

describe('where a history begins', () => {
  test('default: at the block from which on the Safe has code; nothing before is read', async () => {
    const { address, created, received } = newer
    await follow(address)
    expect(await untilRead(address)).toMatchObject({ origin: 'code' })
    expect(lowestQuery()).toBe(created)
    expect(await kindsOf(address)).toEqual(
      expect.arrayContaining([
        ['created', created],
        ['transfer-in', received],
      ]),
    )
  })

  test("behavior: where old state is gone, at the factory's event", async () => {
    const { address, created } = newer
    taking = { archive: gone }
    await follow(address)
    expect(await untilRead(address)).toMatchObject({ origin: 'event' })
    expect(await kindsOf(address)).toContainEqual(['created', created])
  })

  test('behavior: where ranges are small besides, at the day of its release', async () => {
    const { address, created } = newer
    taking = { archive: gone, range: small }
    await follow(address)
    expect(await untilRead(address)).toMatchObject({ origin: 'release' })
    expect(await kindsOf(address)).toContainEqual(['created', created])
  })

  test('behavior: a node that says there was no code, rather than that it forgot, is not believed', async () => {
    const { address, created } = newer
    const newest = await head()
    node.play(
      changing((answer, { method, params }) =>
        method === 'eth_getCode' && Number(params[1]) < newest - 64 ? { ...answer, result: '0x' } : answer,
      ),
    )
    await follow(address)
    expect((await untilRead(address)).origin).not.toBe('code')
    expect(await kindsOf(address)).toContainEqual(['created', created])
  })
})

describe('the past', () => {
  test('default: the newest first, with what is left and how fast it goes', async () => {
    const { address, created, received } = newer
    taking = { range: small }
    const held = playing(() => taking, head)
    let isHeld = true
    node.play(async (asked, truth) => {
      const isOld = asked.some(({ method, params }) => {
        if (method !== 'eth_getLogs') return false
        const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
        return fromBlock !== toBlock && Number(toBlock) < received - 60
      })
      while (isOld && isHeld) await new Promise((resolve) => setTimeout(resolve, 20))
      return held(asked, truth)
    })
    const browser = await follow(address)
    await eventually(async () => (await kindsOf(address)).some(([kind]) => kind === 'transfer-in'))
    const found = await eventually(async () => {
      const one = await call(browser, getSafe, { chainId, safeAddress: address })
      return one.backfillTo !== null && one.backfillTo < received && one
    })
    expect(found.backfillBlock).toBe(created)
    expect(await kindsOf(address)).toEqual([['transfer-in', received]])
    const { chains } = await call(browser, listChainStatus, {})
    expect(chains[0]?.backfill).toMatchObject({ safes: 1, blocksPerSecond: expect.any(Number) })
    expect(chains[0]?.backfill?.blocksLeft).toBeLessThan(received - created + 1)
    // The past goes on once the node answers again.
    isHeld = false
    await untilRead(address)
    expect(await kindsOf(address)).toContainEqual(['created', created])
  })

  test('behavior: it is stopped and goes on by the word of an owner; what is new is read all the same', async () => {
    const { address, created } = newer
    taking = { range: { ...small, blocks: 20, words: 'limited to a 20 range' } }
    const browser = await follow(address)
    const place = { chainId, safeAddress: address }
    await eventually(async () => {
      const [row] = await server.db.select().from(safe).where(eq(safe.address, address))
      return row?.backfillTo !== null && row?.origin !== null
    })
    const stopped = await call(browser, stopReading, place)
    expect(stopped).toMatchObject({ backfillBlock: created, backfillStoppedAt: expect.any(String) })
    // A range that was under way may still end.
    await actor.send({ to: address, value: 9n })
    const newest = await head()
    await eventually(async () => (await kindsOf(address)).some(([, block]) => block === newest))
    const { backfillTo: left } = await call(browser, getSafe, place)
    await actor.rpc('anvil_mine', numberToHex(3))
    await eventually(async () => (await server.db.select().from(chainCursor))[0]?.blockNumber === newest + 3)
    expect((await call(browser, getSafe, place)).backfillTo).toBe(left)
    const { chains } = await call(browser, listChainStatus, {})
    expect(chains[0]?.backfill).toBeNull()
    expect((await call(browser, resumeReading, place)).backfillStoppedAt).toBeNull()
    await untilRead(address)
    expect(await kindsOf(address)).toContainEqual(['created', created])
    const { entries } = await call(browser, listActivity, place)
    expect(entries.map(({ verb }) => verb).slice(0, 2)).toEqual(['resumed-reading', 'stopped-reading'])
  })

  test('behavior: Safes whose histories overlap are read together', async () => {
    const [{ address }, other] = [older, newer]
    taking = { range: small }
    await follow(address, other.address)
    await Promise.all([untilRead(address), untilRead(other.address)])
    const own = node.exchanges
      .flat()
      .filter(({ method, params }) => method === 'eth_getLogs' && 'address' in (params[0] as object))
      .map(({ params }) => params[0] as { address: string[]; fromBlock: string })
    const below = own.filter(({ fromBlock }) => Number(fromBlock) < other.created - 100)
    expect(below.length).toBeGreaterThan(2)
    const together = own.filter(({ address: named }) => named.includes(lowerCase(other.address)) && named.length > 1)
    expect(together.length).toBeGreaterThan(0)
  })

  test('behavior: far below the newest block a range takes one exchange: its last block was asked for with the logs above', async () => {
    const { address } = older
    taking = { range: { ...small, blocks: 20, words: 'limited to a 20 range' } }
    const far = (await head()) - 128 - 20
    await follow(address)
    await untilRead(address)
    const isLogs = ({ method }: { method: string }) => method === 'eth_getLogs'
    const ends = node.exchanges.flat().flatMap(({ method, params: [query] }) => {
      if (method !== 'eth_getLogs') return []
      const { fromBlock, toBlock } = query as { fromBlock: string; toBlock: string }
      return fromBlock !== toBlock && Number(toBlock) < far && Number(toBlock) - Number(fromBlock) < 20 ? [toBlock] : []
    })
    expect(new Set(ends).size).toBeGreaterThan(5)
    const firstOf = (block: string) =>
      node.exchanges.find((calls) =>
        calls.some(({ method, params }) => method === 'eth_getBlockByNumber' && params[0] === block),
      )
    for (const end of new Set(ends)) expect([end, firstOf(end)?.some(isLogs)]).toEqual([end, true])
  })

  test('behavior: a reorganisation on the way down leaves what a node that saw none of it tells', async () => {
    const address = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1, l2: true })
    const send = (value: bigint) => actor.send({ to: address, value })
    for (const value of [1n, 2n, 3n]) {
      await send(value)
      await actor.rpc('anvil_mine', numberToHex(8))
    }
    const shared = await head()
    const snapshot = await actor.rpc('evm_snapshot')
    await send(4n)
    await actor.rpc('anvil_mine', numberToHex(8))
    await send(5n)
    await actor.rpc('anvil_mine', numberToHex(3))
    taking = { range: { ...small, blocks: 10, words: 'limited to a 10 range' } }
    const held = playing(() => taking, head)
    let isHeld = true
    node.play(async (asked, truth) => {
      const below = shared - 12
      const isOld = asked.some(({ method, params }) => {
        if (method !== 'eth_getLogs') return false
        const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
        return fromBlock !== toBlock && Number(toBlock) < below
      })
      while (isOld && isHeld) await new Promise((resolve) => setTimeout(resolve, 20))
      return held(asked, truth)
    })
    await follow(address)
    const received = async (from = server) => {
      const rows = await from.db
        .select()
        .from(historyEntry)
        .where(eq(historyEntry.safeAddress, address))
        .orderBy(asc(historyEntry.blockNumber), asc(historyEntry.logIndex))
      return rows.map(({ kind, blockNumber, amount }) => [kind, blockNumber, amount])
    }
    await eventually(async () => (await received()).length === 3)
    await actor.rpc('evm_revert', snapshot)
    await send(6n)
    await actor.rpc('anvil_mine', numberToHex(20))
    isHeld = false
    await eventually(async () => {
      const [cursor] = await server.db.select().from(chainCursor)
      return cursor?.blockNumber === (await head())
    })
    await untilRead(address)
    const fresh = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)] })
    try {
      await call(await signInAs(fresh, alice), addSafe, { chainId, address })
      await eventually(async () => {
        const [row] = await fresh.db.select().from(safe).where(eq(safe.address, address))
        return row?.backfillBlock === null
      })
      const whole = await received(fresh)
      expect(whole.map(([, , amount]) => amount)).toEqual([null, 1n, 2n, 3n, 6n])
      expect(await received()).toEqual(whole)
    } finally {
      await fresh.stop()
    }
  })
})

describe('a Safe that somebody adds', () => {
  test('behavior: is looked at before others that are waiting already', async () => {
    const owners = { owners: [alice.address], threshold: 1, l2: true } as const
    const many = await Promise.all(Array.from({ length: 110 }, () => newSafe(devnet.rpcUrl, owners)))
    const chains = [{ ...devnetChain(node.url), isDevnet: false }]
    server = await startTestServer({ chains, hasRateLimits: false })
    const browser = await signInAs(server, alice)
    await Promise.all(many.map((address) => call(browser, addSafe, { chainId, address })))
    const [last] = many
    if (last) await untilRead(last)
    // All of the past again, of a node that takes its time.
    node.play(async (_, truth) => sleep(100, truth()))
    const waits = { origin: null, backfillBlock: 0, backfillTo: await head() }
    await server.db.transaction(async (writing) => {
      // The follower writes the same rows, in an order of its own.
      await writing.execute(sql`lock table safe in exclusive mode`)
      await writing.update(safe).set(waits).where(ne(safe.address, zeroAddress))
    })
    const late = await newSafe(devnet.rpcUrl, owners)
    await call(browser, addSafe, { chainId, address: late })
    await untilRead(late)
    expect(await server.db.$count(safe, isNull(safe.origin))).toBeGreaterThan(0)
  })

  test('behavior: is read before the chain is searched to its end', async () => {
    const { address, created } = older
    taking = { range: { ...small, blocks: 10, words: 'limited to a 10 range' } }
    const script = playing(() => taking, head)
    node.play(async (asked, truth) => sleep(20, await script(asked, truth)))
    server = await startTestServer({ chains: [{ ...devnetChain(node.url), isDevnet: false, index: 'whole-chain' }] })
    const browser = await signInAs(server, alice)
    await call(browser, addSafe, { chainId, address })
    await untilRead(address)
    expect(await kindsOf(address)).toContainEqual(['created', created])
    const [cursor] = await server.db.select().from(chainCursor)
    expect(cursor?.discoveredBlock ?? 0).toBeLessThan(created)
  })
})
