import type { Devnet } from '@countersign/devnet'
import { excessGas, type FinishedSimulation, type SafeTxRun, type StateReader } from '@countersign/review'
import { officialDeployment, type SafeTx } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crossCheck } from './cross-check.ts'
import { type SimulationOptions, simulate } from './simulate.ts'
import { readerOfLatest, type TestNode } from './test/chain.ts'
import { chainId, runOfSafe, startMeddledSafe } from './test/meddled-safe.ts'

const burner = getAddress(`0x${'b1'.repeat(20)}`)
/** Raises a number to a power 5,474 times, which takes 9,000,000 gas, whoever calls it. */
const BURNS: Hex = `0x6115625b7f${'ff'.repeat(32)}800a506001900380600357`
const MAX_GAS = 16_777_216n

let devnet: Devnet
let node: TestNode
let reader: StateReader
let safeAddress: Address
let meddler: Address

beforeAll(async () => {
  ;({ devnet, node, safeAddress, meddler } = await startMeddledSafe('1.4.1'))
  await node.request({ method: 'anvil_setCode', params: [burner, `${BURNS}00`] })
  await node.request({ method: 'evm_mine' })
  reader = await readerOfLatest(node, chainId)
})
afterAll(() => devnet?.close())

/** Payments to the burner, as one batch. */
function payments(count: number): Partial<SafeTx> & Pick<SafeTx, 'to'> {
  const to = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? burner
  const calls = Array.from({ length: count }, () => ({ to: burner, value: 1n, data: '0x' as const }))
  return { to, data: encodeMultiSend(calls), operation: 1 }
}

async function ran(
  fields: Partial<SafeTx> & Pick<SafeTx, 'to'>,
  { more, at = reader, limits }: { more?: Partial<SafeTxRun>; at?: StateReader } & SimulationOptions = {},
): Promise<{ run: SafeTxRun; result: FinishedSimulation }> {
  const run = runOfSafe(safeAddress, '1.4.1', fields, more)
  const result = await simulate(at, run, { limits })
  if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
  return { run, result }
}

const given = { signatures: 2, safeTxGas: 0n }

describe('a transaction that fails for want of gas', () => {
  test('default: with more it succeeds: it is too large, and the gas that it takes is known', async () => {
    const { result } = await ran(payments(2))
    expect(result).toMatchObject({ outcome: { kind: 'reverted' }, gasLimit: MAX_GAS, slots: [] })
    const wanted = result.gasWanted ?? 0n
    expect([wanted > 18_000_000n, wanted < 18_300_000n]).toEqual([true, true])
    expect(excessGas(result, given)).toEqual({ gas: (wanted * 6n) / 5n + 24_000n, most: MAX_GAS })
  })

  test('behavior: one that has room is what it was', async () => {
    const { result } = await ran(payments(1))
    expect(result).toMatchObject({ outcome: { kind: 'success' }, gasLimit: MAX_GAS, gasWanted: null })
    expect(excessGas(result, given)).toBeNull()
  })

  test('behavior: the limit is that of the block where it is lower, and the node is asked with no more', async () => {
    const at = { ...reader, header: { ...reader.header, gasLimit: 8_000_000n } }
    const { run, result } = await ran(payments(1), { at })
    expect(result).toMatchObject({ outcome: { kind: 'reverted' }, gasLimit: 8_000_000n })
    expect(excessGas(result, given)).toMatchObject({ most: 8_000_000n })
    expect(await crossCheck(node.request, run, result)).toMatchObject({ status: 'agrees', outcome: 'reverted' })
  })

  test('behavior: so is one that tells the Safe to keep more gas than there is', async () => {
    const { result } = await ran({ to: burner, safeTxGas: 20_000_000n })
    expect(result.outcome.kind).toBe('reverted')
    expect(excessGas(result, { signatures: 2, safeTxGas: 20_000_000n })).toMatchObject({ most: MAX_GAS })
  })

  test.each<[string, () => Partial<SafeTx> & Pick<SafeTx, 'to'>, Partial<SafeTxRun>]>([
    ['that fails however much it has', () => failing('fail', 0n), {}],
    ['that never ends', () => failing('spin'), {}],
    ['whose gas is given', () => payments(2), { gas: MAX_GAS }],
  ])('behavior: nothing is said of one %s', async (_, fields, more) => {
    // It is not tried for as long as a run may take.
    const { result } = await ran(fields(), { more, limits: { milliseconds: 60_000 } })
    expect(result.cost.totalMs).toBeLessThan(45_000)
    expect(result).toMatchObject({ outcome: { kind: 'reverted' }, gasWanted: null })
    expect(excessGas(result, given)).toBeNull()
  })
})

function failing(functionName: 'fail' | 'spin', ...args: bigint[]): Partial<SafeTx> & Pick<SafeTx, 'to'> {
  const abi = parseAbi(['function fail(uint256)', 'function spin()'])
  return { to: meddler, data: encodeFunctionData({ abi, functionName, args } as never) }
}
