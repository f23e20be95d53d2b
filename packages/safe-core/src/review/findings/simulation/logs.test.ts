import { type Address, encodeAbiParameters, type Hex, pad } from 'viem'
import { expect, test } from 'vitest'
import type { SimulatedCall } from '../../../simulation/simulation-result.ts'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, stranger, token } from '../../scene.ts'
import { callOf } from './runs.ts'
import { balanceOf, failureOf, simulationOf } from './scene.ts'

const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const log = (from: Address, to: Address, amount: bigint) => ({
  address: token,
  topics: [TRANSFER, pad(from), pad(to)],
  data: encodeAbiParameters([{ type: 'uint256' }], [amount]),
})
const found = async (delta: bigint, amount: bigint, call: Partial<SimulatedCall> = {}) => {
  const logs = [log(stranger, safeAddress, amount)]
  const balances = delta === 0n ? [] : [balanceOf(safeAddress, token, [1_000n, 1_000n + delta])]
  const run = simulationOf({ balances, call: callOf({ calls: [callOf({ logs, ...call })] }) })
  return (await reviewSafeTx(inputOf({ to: stranger, data: '0xdeadbeef' }, run))).findings.filter(
    ({ id }) => id === 'TOKEN-FAKE-LOG',
  )
}

test('default: a log of a transfer that no balance shows is a lie', async () => {
  expect(await found(0n, 1_000n)).toMatchObject([{ severity: 'high', evidence: { token, said: '1000', moved: '0' } }])
  expect(await found(-500n, 1_000n)).toHaveLength(1)
})

test('behavior: a log that a balance shows is none, and a little interest is no lie', async () => {
  expect(await found(1_000n, 1_000n)).toEqual([])
  expect(await found(1_005n, 1_000n)).toEqual([])
})

test('behavior: logs of a call that failed are undone', async () => {
  expect(await found(0n, 1_000n, { failure: failureOf('0x') })).toEqual([])
})
