import { addSafe, call, listBalanceChanges, listHistory, MAX_BALANCE_POINTS } from '@countersign/contract'
import { demoAccounts, testContractAbi } from '@countersign/devnet'
import { readTokens } from '@countersign/safe'
import { eq } from 'drizzle-orm'
import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../db/client.ts'
import { safe } from '../../db/schema.ts'
import { transaction } from '../../db/transaction.ts'
import { actor, asAlice, devnet, openScene, server } from '../../test/scene.ts'
import { codeOf, eventually, newSafe, signInAs } from '../../test/test-server.ts'
import { findBalanceChanges } from './balance-changes.ts'

const [alice, bob, carol, stranger] = demoAccounts
const chainId = 31337

let database: OpenDatabase
let safeAddress: Address

openScene([alice])

beforeAll(async () => {
  database = openDatabase(server.databaseUrl, () => {})
  safeAddress = await newAliceSafe()
  const { erc20 } = devnet.tokens
  await actor.send({ to: safeAddress, value: 5n * 10n ** 18n })
  await actor.send({ to: erc20, data: encode('mint', [safeAddress, 1_000n]) })
  // Blocks of one second have one time.
  await actor.rpc('evm_increaseTime', 3_600)
  await actor.execute(safeAddress, { to: bob.address, value: 10n ** 18n })
  await actor.execute(safeAddress, { to: erc20, data: encode('transfer', [carol.address, 250n]) })
  await actor.send({ to: safeAddress, value: 3n })
  await added(safeAddress, 8)
})

afterAll(async () => {
  await database?.close()
})

const newAliceSafe = () => newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })

function encode(functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName, args })
}

/** Adds a Safe and waits until its history has as many entries. */
async function added(address: Address, entries: number): Promise<void> {
  await call(asAlice, addSafe, { chainId, address })
  await eventually(async () => {
    const page = await call(asAlice, listHistory, { chainId, safeAddress: address, limit: 100 })
    return page.entries.length >= entries
  })
}

function changes(address: Address, token: Address | 'native' = 'native', since?: string) {
  return call(asAlice, listBalanceChanges, { chainId, safeAddress: address, token, ...(since ? { since } : {}) })
}

async function nativeBalance(address: Address, block: number | null): Promise<bigint> {
  return BigInt(String(await actor.rpc('eth_getBalance', address, numberToHex(block ?? 0))))
}

async function tokenBalance(address: Address, token: Address, block: number | null): Promise<bigint> {
  const request = ({ method, params = [] }: { method: string; params?: unknown[] }) => actor.rpc(method, ...params)
  const [reading] = await readTokens(request, address, [token], block ?? 0)
  return typeof reading?.balance === 'bigint' ? reading.balance : -1n
}

describe('listBalanceChanges', () => {
  test('default: counted back from the end, each point is what the chain had at its block', async () => {
    const { blockNumber, points, change, changes: count } = await changes(safeAddress)
    expect(count).toBe(3)
    expect(points).toHaveLength(3)
    const end = await nativeBalance(safeAddress, blockNumber)
    expect(change).toBe(end)
    for (const point of points)
      expect(end - point.changeAfter).toBe(await nativeBalance(safeAddress, point.blockNumber))
    expect(points.map((point) => end - point.changeAfter)).toEqual([
      5n * 10n ** 18n,
      4n * 10n ** 18n,
      4n * 10n ** 18n + 3n,
    ])
    expect(points.some(({ isUnexplained }) => isUnexplained)).toBe(false)
    expect(Math.abs(Date.parse(points[0]?.blockTime ?? '') - Date.now())).toBeLessThan(600_000)
  })

  test('behavior: of a token', async () => {
    const { erc20 } = devnet.tokens
    const { blockNumber, points } = await changes(safeAddress, erc20)
    const end = await tokenBalance(safeAddress, erc20, blockNumber)
    expect(points.map(({ changeAfter }) => end - changeAfter)).toEqual([1_000n, 750n])
    for (const point of points)
      expect(end - point.changeAfter).toBe(await tokenBalance(safeAddress, erc20, point.blockNumber))
    expect((await changes(safeAddress, carol.address)).points).toEqual([])
  })

  test('behavior: since a time, the balances stay the same', async () => {
    const whole = await changes(safeAddress)
    const since = whole.points[1]?.blockTime ?? ''
    const part = await changes(safeAddress, 'native', since)
    const expected = whole.points.filter(({ blockTime }) => blockTime >= since)
    expect(part.points).toEqual(expected)
    expect(part.change).toBe(whole.change)
    expect(part.changeSince).toBe(whole.change - 5n * 10n ** 18n)
    const later = await changes(safeAddress, 'native', new Date(Date.now() + 86_400_000).toISOString())
    expect(later).toMatchObject({ points: [], changes: 0, changeSince: 0n, change: whole.change })
  })

  test('behavior: what nothing explains is counted and marked', async () => {
    const address = await newAliceSafe()
    await actor.rpc('anvil_setBalance', address, numberToHex(77n))
    await actor.rpc('anvil_mine', '0x1')
    await added(address, 2)
    await eventually(async () => (await changes(address)).points.length === 1)
    const { points, change, hasUnexplained } = await changes(address)
    expect(change).toBe(77n)
    expect(hasUnexplained).toBe(true)
    const later = await changes(address, 'native', new Date(Date.now() + 86_400_000).toISOString())
    expect(later.hasUnexplained).toBe(true)
    expect(points[0]).toMatchObject({ isUnexplained: true, changeAfter: 0n })
  })

  test('behavior: of more than can be shown, the last of each span', async () => {
    const address = await newAliceSafe()
    const count = MAX_BALANCE_POINTS + 20
    for (let sent = 0; sent < count; sent += 1) await actor.send({ to: address, value: 1n })
    await added(address, 100)
    await eventually(async () => (await changes(address)).changes === count)
    const { blockNumber, points, change } = await changes(address)
    expect(points.length).toBeLessThanOrEqual(MAX_BALANCE_POINTS)
    expect(points.length).toBeGreaterThan(1)
    expect(change).toBe(BigInt(count))
    expect(points.at(-1)?.changeAfter).toBe(0n)
    expect(points.map((point) => point.blockNumber)).toEqual(
      points.map((point) => point.blockNumber).sort((one, other) => one - other),
    )
    const end = await nativeBalance(address, blockNumber)
    for (const point of points.slice(0, 5))
      expect(end - point.changeAfter).toBe(await nativeBalance(address, point.blockNumber))
  })

  test('behavior: nothing while the past is still being read', async () => {
    await transaction(database.db, async (tx) => {
      await tx.update(safe).set({ backfillBlock: 0 }).where(eq(safe.address, safeAddress))
      expect(await findBalanceChanges(tx, { chainId, safeAddress, token: 'native' })).toEqual({
        blockNumber: null,
        change: 0n,
        hasUnexplained: false,
        changes: 0,
        changeSince: 0n,
        points: [],
      })
      throw new Error('rollback')
    }).catch((error: Error) => expect(error.message).toBe('rollback'))
  })

  test('error: SAFE_NOT_FOUND for who has not added the Safe', async () => {
    const asStranger = await signInAs(server, stranger)
    const asked = call(asStranger, listBalanceChanges, { chainId, safeAddress, token: 'native' })
    expect(await codeOf(asked)).toBe('SAFE_NOT_FOUND')
  })

  test('error: INVALID_REQUEST for what is no asset', async () => {
    const asked = asAlice.fetch(
      `${server.origin}/api/chains/${chainId}/safes/${safeAddress}/balance-changes?token=ether`,
    )
    expect((await asked).status).toBe(400)
  })
})
