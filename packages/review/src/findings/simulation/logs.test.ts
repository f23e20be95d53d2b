import { type Address, encodeAbiParameters, encodeEventTopics, type Hex, pad, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, stranger, token } from '../../scene.ts'
import type { SimulatedCall } from '../../simulation/simulation-result.ts'
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
  expect(await found(0n, 1_000n)).toMatchObject([
    { severity: 'high', evidence: { token, said: { value: 1_000n }, moved: { value: 0n } } },
  ])
  expect(await found(-500n, 1_000n)).toHaveLength(1)
})

test('behavior: a log that a balance shows is none, and a little interest is no lie', async () => {
  expect(await found(1_000n, 1_000n)).toEqual([])
  expect(await found(1_005n, 1_000n)).toEqual([])
})

test('behavior: logs of a call that failed are undone', async () => {
  expect(await found(0n, 1_000n, { failure: failureOf('0x') })).toEqual([])
})

const interestAbi = parseAbi([
  'event Burn(address indexed from, address indexed target, uint256 value, uint256 balanceIncrease, uint256 index)',
])
const withdrawn = async (interest: bigint, { account = safeAddress, writer = token, moved = -500n } = {}) => {
  const topics = encodeEventTopics({ abi: interestAbi, args: { from: account, target: account } }) as Hex[]
  const uints = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }] as const
  const burn = { address: writer, topics, data: encodeAbiParameters(uints, [500n - interest, interest, 1n]) }
  const logs = [log(safeAddress, stranger, 500n - interest), burn]
  const balances = [balanceOf(safeAddress, token, [1_000n, 1_000n + moved])]
  const run = simulationOf({ balances, call: callOf({ calls: [callOf({ logs })] }) })
  const { findings } = await reviewSafeTx(inputOf({ to: stranger, data: '0xdeadbeef' }, run))
  return findings.filter(({ id }) => id === 'TOKEN-FAKE-LOG')
}

test('behavior: interest that the token writes down beside a transfer is no lie, however much it is', async () => {
  expect(await withdrawn(100n)).toEqual([])
  expect(await withdrawn(400n)).toEqual([])
})

test('default: interest of another account or token, or beside another move, explains nothing', async () => {
  expect(await withdrawn(100n, { account: stranger })).toHaveLength(1)
  expect(await withdrawn(100n, { writer: stranger })).toHaveLength(1)
  expect(await withdrawn(100n, { moved: 0n })).toHaveLength(1)
})

test('default: nobody earns more interest than they hold', async () => {
  const topics = encodeEventTopics({
    abi: parseAbi(['event Mint(address indexed, address indexed, uint256, uint256, uint256)']),
    args: [stranger, safeAddress],
  }) as Hex[]
  const uints = [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }] as const
  const mint = { address: token, topics, data: encodeAbiParameters(uints, [5_000n, 5_000n, 1n]) }
  const run = simulationOf({ call: callOf({ logs: [log(stranger, safeAddress, 5_000n), mint] }) })
  const { findings } = await reviewSafeTx(inputOf({ to: stranger, data: '0xdeadbeef' }, run))
  expect(findings.map(({ id }) => id)).toContain('TOKEN-FAKE-LOG')
})
