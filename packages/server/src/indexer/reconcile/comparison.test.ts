import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoAccounts, deployHostileAccount } from '@countersign/devnet'
import { and, eq, sql } from 'drizzle-orm'
import { type Address, getAddress, numberToHex, padHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../db/client.ts'
import { safe } from '../../db/schema.ts'
import { type Chain, createChains } from '../../rpc/clients.ts'
import { createAskAt } from '../../rpc/state-at.ts'
import { saveSafe } from '../../safes/save-safe.ts'
import { devnet, openChain } from '../../test/scene.ts'
import { createDatabase, devnetChain, newSafe } from '../../test/test-server.ts'
import { createLease } from '../lease.ts'
import { createThresholdReader } from '../read/thresholds.ts'
import { createComparison } from './comparison.ts'
import { MAX_AT_ONCE, readQuantities } from './quantities.ts'

let chain: Chain
const opened: OpenDatabase[] = []

openChain()

beforeAll(async () => {
  const [first] = createChains([devnetChain(devnet.rpcUrl)]).values()
  if (!first) throw new Error('no chain')
  chain = first
})

afterAll(async () => {
  for (const resource of opened) await resource.close()
  await devnet.close()
})

/** A comparison over a database of its own, and what it asks the node, which answers after a time. */
async function startComparison(milliseconds = 0) {
  const databaseUrl = await createDatabase()
  const database = openDatabase(databaseUrl, () => {})
  opened.push(database)
  const { db } = database
  const asked: string[] = []
  const counted: Chain = {
    ...chain,
    request: async (args) => {
      asked.push(args.method)
      if (milliseconds > 0) await sleep(milliseconds)
      return chain.request(args)
    },
  }
  const lease = createLease({ chainId: devnet.chainId, db, clock: () => new Date(), databaseUrl })
  await lease.hold()
  const askAt = createAskAt(counted.request)
  const readThreshold = createThresholdReader({ request: counted.request, db, chainId: devnet.chainId })
  const compare = createComparison({ chain: counted, db, clock: () => new Date(), lease, askAt, readThreshold })
  return {
    db,
    compare,
    async add(addresses: readonly Address[]) {
      const [first] = addresses
      if (!first) return
      const state = await chain.readSafe(await newSafe(devnet.rpcUrl))
      const now = new Date()
      await Promise.all(addresses.map((address) => saveSafe(db, { ...state, address }, { now, backfillBlock: 0 })))
      await db.update(safe).set({ backfillBlock: null })
    },
    /** How many are compared up to a block. */
    async comparedAt(block: number) {
      const [row] = await db
        .select({ count: sql<number>`count(*)::int` })
        .from(safe)
        .where(and(eq(safe.chainId, devnet.chainId), eq(safe.comparedBlock, block)))
      return row?.count
    },
    takeAsked: () => asked.splice(0),
  }
}

async function head(): Promise<number> {
  return Number(await chain.request({ method: 'eth_blockNumber' }))
}

async function mine(): Promise<number> {
  await chain.request({ method: 'evm_mine' })
  return head()
}

describe('createComparison', () => {
  test('default: those that agree take one request altogether', async () => {
    const { add, compare, comparedAt, takeAsked } = await startComparison()
    const safes = [await newSafe(devnet.rpcUrl), await newSafe(devnet.rpcUrl), await newSafe(devnet.rpcUrl)]
    await add(safes)
    await compare(await head())
    takeAsked()
    const next = await mine()
    await compare(next)
    expect(takeAsked()).toEqual(['eth_call'])
    expect(await comparedAt(next)).toBe(3)
    await compare(next)
    expect(takeAsked()).toEqual([])
  })

  test('behavior: all have their turn, and a round costs the same however many there are', async () => {
    const { db, add, compare, comparedAt, takeAsked } = await startComparison()
    const count = 2 * MAX_AT_ONCE + 10
    const real = await newSafe(devnet.rpcUrl)
    const code = await chain.request({ method: 'eth_getCode', params: [real, 'latest'] })
    const singleton = await chain.request({ method: 'eth_getStorageAt', params: [real, '0x0', 'latest'] })
    const safes = Array.from({ length: count }, () => getAddress(`0x${randomBytes(20).toString('hex')}`))
    await Promise.all(
      safes.flatMap((address) => [
        chain.request({ method: 'anvil_setCode', params: [address, code] }),
        chain.request({ method: 'anvil_setStorageAt', params: [address, `0x${'0'.repeat(64)}`, singleton] }),
      ]),
    )
    await add(safes)
    await db.update(safe).set({ comparedBlock: await head(), comparedBalance: 0n, comparedNonce: 0n })
    const next = await mine()
    for (const compared of [MAX_AT_ONCE, 2 * MAX_AT_ONCE, count]) {
      await compare(next)
      expect(takeAsked()).toEqual(['eth_call'])
      expect(await comparedAt(next)).toBe(compared)
    }
  })

  test('behavior: nobody waits for ever behind contracts that cannot be compared', async () => {
    const { db, add, compare } = await startComparison()
    const reverting = Array.from({ length: MAX_AT_ONCE }, (_, at) => padHex(numberToHex(1_000_000 + at), { size: 20 }))
    for (const address of reverting) await chain.request({ method: 'anvil_setCode', params: [address, '0x60006000fd'] })
    const behind = await newSafe(devnet.rpcUrl)
    await add([...reverting.map((address) => getAddress(address)), behind])
    const next = await head()
    for (let round = 0; round < 2; round += 1) await compare(next)
    const [row] = await db.select().from(safe).where(eq(safe.address, behind))
    expect(row?.comparedBlock).toBe(next)
  })

  test('behavior: one that differs is looked into alone', async () => {
    const { add, compare, comparedAt, takeAsked } = await startComparison()
    const safes = [await newSafe(devnet.rpcUrl), await newSafe(devnet.rpcUrl)]
    await add(safes)
    await compare(await head())
    takeAsked()
    await chain.request({ method: 'anvil_setBalance', params: [safes[0], '0x5'] })
    const next = await mine()
    await compare(next)
    const asked = takeAsked()
    expect(asked[0]).toBe('eth_call')
    expect(asked).toContain('eth_getBlockByNumber')
    expect(await comparedAt(next)).toBe(2)
  })

  test('behavior: many that differ at a slow node keep nobody waiting until all are looked into', async () => {
    const { add, compare, comparedAt } = await startComparison(500)
    const safes = await Promise.all(Array.from({ length: 30 }, () => newSafe(devnet.rpcUrl)))
    for (const address of safes) await chain.request({ method: 'anvil_setBalance', params: [address, '0x5'] })
    await add(safes)
    const next = await mine()
    await compare(next)
    const first = await comparedAt(next)
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThan(30)
    await compare(next)
    expect(await comparedAt(next)).toBeGreaterThan(first ?? 0)
  })
})

describe('readQuantities', () => {
  test('behavior: a contract that takes all gas, or answers more than a number, is left out', async () => {
    const from = demoAccounts[9].address
    const good = await newSafe(devnet.rpcUrl)
    const hostile = [
      await deployHostileAccount(devnet.rpcUrl, from, 'burns all gas at once'),
      await deployHostileAccount(devnet.rpcUrl, from, 'burns all gas in a loop'),
      await deployHostileAccount(devnet.rpcUrl, from, 'answers the magic in a megabyte'),
    ]
    await chain.request({ method: 'anvil_setBalance', params: [good, '0x7'] })
    const block = numberToHex(await mine())
    const ask = (call: object) => chain.request({ method: 'eth_call', params: [call, block] })
    const found = await readQuantities(ask, [...hostile, good])
    expect(found).toEqual(new Map([[good, { balance: 7n, nonce: 0n }]]))
  })
})
