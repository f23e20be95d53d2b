import { describe, expect, it } from 'vitest'
import { batchLimits, type PaymentBatch, splitPayments } from './split-payments.ts'

const limits = { gas: 1_000_000n, bytes: 131_072, payments: 500 }

async function split(count: number, gasOf: (index: number) => bigint | null, start = 0, bytesEach = 153) {
  const measured: number[] = []
  const batches: PaymentBatch[] = []
  const measure = async (from: number, size: number) => {
    measured.push(size)
    const each = Array.from({ length: size }, (_, index) => gasOf(from + index))
    const gas = each.reduce<bigint | null>((sum, one) => (sum === null || one === null ? null : sum + one), 50_000n)
    return { gas, bytes: 900 + size * bytesEach }
  }
  for await (const batch of splitPayments(count, limits, measure, start)) batches.push(batch)
  return { batches, measured }
}

function expectWhole(batches: readonly PaymentBatch[], count: number, start = 0): void {
  let next = start
  for (const batch of batches) {
    expect(batch.from).toBe(next)
    expect(batch.count).toBeGreaterThan(0)
    next += batch.count
  }
  expect(next).toBe(count)
}

describe('splitPayments', () => {
  it('default: every payment once, in order, each batch within the gas and well filled', async () => {
    const { batches, measured } = await split(5_000, () => 10_000n)
    expectWhole(batches, 5_000)
    for (const { gas } of batches) expect(gas).toBeLessThanOrEqual(limits.gas)
    for (const { gas } of batches.slice(0, -1)) expect(gas).toBeGreaterThanOrEqual(800_000n)
    expect(measured.length).toBeLessThan(batches.length * 2)
  })

  it('behavior: payments that cost very different gas', async () => {
    const { batches } = await split(1_000, (index) => (index % 97 < 20 ? 200_000n : 3_000n))
    expectWhole(batches, 1_000)
    for (const { gas } of batches) expect(gas).toBeLessThanOrEqual(limits.gas)
  })

  it('behavior: no more payments than a review is read with', async () => {
    const { batches } = await split(1_200, () => 1n)
    expectWhole(batches, 1_200)
    expect(batches.map(({ count }) => count)).toEqual([500, 500, 200])
  })

  it('behavior: a payment that no block holds stands alone, with its gas', async () => {
    const { batches } = await split(3, (index) => (index === 1 ? 5_000_000n : 10_000n))
    expectWhole(batches, 3)
    expect(batches.find(({ from }) => from === 1)).toMatchObject({ count: 1, gas: 5_050_000n })
  })

  it('behavior: what nobody can measure is split by number', async () => {
    const { batches } = await split(250, () => null)
    expect(batches).toEqual([0, 100, 200].map((from) => ({ from, count: Math.min(100, 250 - from), gas: null })))
  })

  it('behavior: no more bytes than nodes take in one transaction, measured gas or not', async () => {
    const { batches, measured } = await split(1_000, () => 10n, 0, 300)
    expectWhole(batches, 1_000)
    expect(Math.max(...batches.map(({ count }) => count))).toBeLessThanOrEqual((limits.bytes - 900) / 300)
    expect(measured.length).toBeLessThan(batches.length * 2)
    const unmeasured = await split(300, () => null, 0, 2_000)
    expectWhole(unmeasured.batches, 300)
    expect(unmeasured.batches.map(({ count }) => count)).toEqual([50, 50, 50, 50, 50, 50])
  })

  it('behavior: goes on where it was left', async () => {
    const { batches } = await split(700, () => 10_000n, 300)
    expectWhole(batches, 700, 300)
  })
})

describe('batchLimits', () => {
  it.each([
    [30_000_000n, 15_000_000n],
    [60_000_000n, 16_777_216n],
  ])('of blocks of %s gas', (block, gas) => {
    expect(batchLimits(block).gas).toBe(gas)
  })
})
