import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Devnet, testContractAbi, testContracts } from '@countersign/devnet'
import type { SafeTxRun, SimulatedCall, SimulationResult, StateReader, Touched } from '@countersign/review'
import { newSafeTx } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SimulationOptions, simulate } from './simulate.ts'
import { readerOfLatest, type TestNode } from './test/chain.ts'
import { chainId, first, runOfSafe, second, startMeddledSafe, stranger } from './test/meddled-safe.ts'

const meddlerAbi = testContractAbi('Meddler')

let devnet: Devnet
let node: TestNode
let reader: StateReader
let safeAddress: Address
let meddler: Address

beforeAll(async () => {
  ;({ devnet, node, safeAddress, meddler } = await startMeddledSafe('1.4.1'))
  reader = await readerOfLatest(node, chainId)
})
afterAll(() => devnet?.close())

function runOf(name: string, args: unknown[], more: Partial<SafeTxRun> = {}): SafeTxRun {
  const data = encodeFunctionData({ abi: meddlerAbi, functionName: name, args })
  return runOfData(meddler, data, more)
}

function runOfData(to: Address, data: Hex, more: Partial<SafeTxRun> = {}): SafeTxRun {
  return runOfSafe(safeAddress, '1.4.1', { to, data }, more)
}

/** Longer than a run takes on any machine, so that another limit ends the run. */
const PLENTY = { milliseconds: 50_000 }

function simulated(run: SafeTxRun, options: SimulationOptions = {}): Promise<SimulationResult> {
  return simulate(reader, run, { limits: PLENTY, ...options })
}

/** Twice what 6,000 calls are known to leave. Whole, what they say would take 600 MB: it is cut at 4 MB. */
const KEPT_AT_MOST = 150_000_000

/** Memory that a run's result holds, and by how much the process was larger than ever before. */
async function measured<Answer>(run: () => Promise<Answer>) {
  const peakBefore = process.resourceUsage().maxRSS
  const before = memoryInUse()
  const result = await run()
  const peakBytes = (process.resourceUsage().maxRSS - peakBefore) * 1_024
  return { result, peakBytes, keptBytes: memoryInUse() - before }
}

/** Bytes that are still held: what was thrown away is collected first, which takes no option of the process. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** How a run ended, and the call in which that began. */
function innermost(result: SimulationResult) {
  if (result.status === 'unfinished' || result.outcome.kind === 'success') return result
  const { kind, began } = result.outcome
  const call = began.reduce<SimulatedCall | undefined>((frame, step) => frame?.calls[step], result.call)
  return { outcome: kind, failure: call?.failure, depth: began.length }
}

describe('code that is in the way', () => {
  const outOfGas = { kind: 'halt', reason: 'out of gas' } as const
  /** A chain without a limit that anything would meet. */
  const boundless = () => ({ ...reader, header: { ...reader.header, gasLimit: 10n ** 15n } })

  test('ends an endless loop by its gas', async () => {
    const { result, keptBytes } = await measured(() => simulate(reader, runOf('spin', []), { limits: PLENTY }))
    expect(innermost(result)).toMatchObject({ outcome: 'reverted', failure: outOfGas })
    expect(keptBytes).toBeLessThan(KEPT_AT_MOST)
  })

  test('ends an endless loop of more gas than any block has by the time', async () => {
    const result = await simulate(boundless(), runOf('spin', [], { gas: 10n ** 14n }), {
      limits: { milliseconds: 500 },
    })
    expect(result).toMatchObject({ status: 'unfinished', reason: { kind: 'limit', limit: 'milliseconds' } })
  })

  test.each([24_576, 1_000_000, 5_000_000])('ends a bomb of %i bytes of memory by its gas', async (size) => {
    const run = runOf('fillMemory', [BigInt(size), 1_000_000n])
    const { result, keptBytes } = await measured(() => simulate(reader, run, { limits: PLENTY }))
    expect(innermost(result)).toMatchObject({ outcome: 'reverted', failure: outOfGas })
    expect(keptBytes).toBeLessThan(KEPT_AT_MOST)
  })

  test.each([
    [24_576, 'calls', { ...PLENTY, calls: 1_000 }],
    [1_000_000, 'milliseconds', { milliseconds: 1_000 }],
  ] as const)(
    'ends a bomb of %i bytes of more gas than any block has by the limit of %s',
    async (size, limit, limits) => {
      const run = runOf('fillMemory', [BigInt(size), 1_000_000n], { gas: 10n ** 14n })
      const { result, keptBytes } = await measured(() => simulate(boundless(), run, { limits }))
      expect(result).toMatchObject({ status: 'unfinished', reason: { kind: 'limit', limit } })
      expect(keptBytes).toBeLessThan(KEPT_AT_MOST)
    },
  )

  test('gives a plain call the gas of one transaction, whatever the chain says: it fills no gigabyte', async () => {
    const data = encodeFunctionData({ abi: meddlerAbi, functionName: 'fillMemory', args: [300_000_000n, 1n] })
    const call = { kind: 'call', from: stranger.address, to: meddler, data } as const
    const { result, peakBytes } = await measured(() => simulate(boundless(), call, { limits: PLENTY }))
    expect(innermost(result)).toMatchObject({ outcome: 'reverted', failure: outOfGas })
    expect(peakBytes).toBeLessThan(200_000_000)
  })

  test('ends recursion by its gas, or at the depth of 1,024 calls', async () => {
    const { result, keptBytes } = await measured(() => simulate(reader, runOf('dive', [1_100n]), { limits: PLENTY }))
    expect(innermost(result)).toMatchObject({ outcome: 'reverted' })
    // The tree of calls leaves the Worker as a copy.
    expect(structuredClone(result)).toEqual(result)
    expect(keptBytes).toBeLessThan(KEPT_AT_MOST)
    const deep = await simulate(boundless(), runOf('dive', [1_100n], { gas: 10n ** 12n }), { limits: PLENTY })
    expect(innermost(deep)).toMatchObject({ outcome: 'reverted', depth: 1_024 })
  })

  test('keeps little of a revert of 64 kB, and counts all of it', async () => {
    const result = await simulated(runOf('fail', [5n]))
    expect(result).toMatchObject({ outcome: { kind: 'reverted' } })
  })

  test('reads no more slots than the limit, and says so', async () => {
    const before = node.requests
    const result = await simulated(runOf('readFresh', [100_000n]), { limits: { ...PLENTY, reads: 2_500 } })
    expect(result).toMatchObject({ status: 'unfinished', reason: { kind: 'limit', limit: 'reads' } })
    expect(node.requests - before).toBeLessThan(4_000)
  })

  test('asks for no more rounds than the limit', async () => {
    const result = await simulated(runOf('readFresh', [3_000n]), { limits: { ...PLENTY, rounds: 2 } })
    expect(result).toMatchObject({ status: 'unfinished', reason: { kind: 'limit' } })
  })

  test('says that the precompile for blobs is not here', async () => {
    const blobs: Address = '0x000000000000000000000000000000000000000A'
    const result = await simulated(runOfData(blobs, `0x${'00'.repeat(192)}`))
    expect(result).toMatchObject({ status: 'unfinished', reason: { kind: 'precompile', address: blobs } })
  })

  test('says what the reader did not answer', async () => {
    const silent: StateReader = { ...reader, read: async () => ({ accounts: [], blockHashes: [] }) }
    expect(await simulate(silent, runOf('set', [1n, 1n]))).toMatchObject({
      status: 'unfinished',
      reason: { kind: 'reader', code: 'RPC_ERROR' },
    })
  })
})

describe('an owner who sends it itself', () => {
  test('is not the only one for whom it is run: somebody else may send what it has approved', async () => {
    const trap: Address = '0x00000000000000000000000000000000007a0001'
    // Where ORIGIN is not this owner, it writes slot 7.
    const code = `0x3273${first.address.slice(2)}1415601c57005b600760075500`
    await node.request({ method: 'anvil_setCode', params: [trap, code] })
    await node.request({ method: 'evm_mine' })
    const of = async (executor: Address) =>
      simulate(await readerOfLatest(node, chainId), runOfData(trap, '0x', { executor }))
    expect(await of(first.address)).toMatchObject({
      outcome: { kind: 'success' },
      assumed: { approvedBy: [second.address] },
      gaps: ['conditions'],
    })
    expect(await of(stranger.address)).toMatchObject({ gaps: [] })
  })
})

/** A result without what it cost. */
function withoutCost(result: SimulationResult) {
  const { cost: _, ...rest } = result
  return { ...rest, touched: null }
}

describe('hints', () => {
  const wrong: Touched[] = Array.from({ length: 300 }, (_, at) => ({
    address: numberToHex(keccakNumber(at) >> 96n, { size: 20 }),
    slots: [keccak256(numberToHex(at)), numberToHex(at, { size: 32 })],
  }))

  test('change nothing but the time: hostile, right, or none', async () => {
    const run = runOf('observe', [safeAddress, first.address])
    const plain = await simulated(run)
    if (plain.status === 'unfinished') throw new Error('The run is unfinished.')
    const shuffled = plain.touched.map(({ address, slots }) => ({ address, slots: slots.toReversed() })).toReversed()
    for (const hints of [wrong, [...wrong, ...shuffled], shuffled, plain.touched, []]) {
      const result = await simulated(run, { hints })
      expect(withoutCost(result)).toEqual(withoutCost(plain))
    }
  })

  test('of the last run make the next one read all in one round trip, and run once', async () => {
    const data = encodeFunctionData({
      abi: testContractAbi('TestErc20'),
      functionName: 'mint',
      args: [safeAddress, 1n],
    })
    const costOf = async (run: SafeTxRun) => {
      const cold = await simulated(run)
      if (cold.status === 'unfinished') throw new Error('The run is unfinished.')
      return (await simulated(run, { hints: cold.touched })).cost
    }
    expect(await costOf(runOfData(testContracts.erc20.address, data))).toMatchObject({ rounds: 1, runs: 1 })
    // Code that looks at who sends it is run for somebody else as well, who is made up and not read.
    expect(await costOf(runOf('observe', [safeAddress, first.address]))).toMatchObject({ rounds: 1, runs: 1 })
  })
})

function keccakNumber(at: number): bigint {
  return BigInt(keccak256(numberToHex(at, { size: 32 })))
}

describe('what moves and what stays allowed', () => {
  const tokenAbi = parseAbi([
    'function mint(address to, uint256 value)',
    'function transfer(address to, uint256 value)',
    'function approve(address spender, uint256 value)',
  ])
  const { erc20 } = testContracts
  const encode = (functionName: 'mint' | 'transfer' | 'approve', args: readonly [Address, bigint]) => ({
    to: erc20.address,
    value: 0n,
    operation: 0 as const,
    data: encodeFunctionData({ abi: tokenAbi, functionName, args }),
  })

  test('comes from balances and allowances before and after', async () => {
    const library: Address = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'
    const calls = [
      encode('mint', [safeAddress, 100n]),
      encode('transfer', [stranger.address, 30n]),
      encode('approve', [second.address, 7n]),
    ]
    const safeTx = newSafeTx({ to: library, data: encodeMultiSend(calls), operation: 1, nonce: 0n })
    const result = await simulated(runOfData(library, '0x', { safeTx }))
    if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
    const tokens = result.balances.filter(({ standard }) => standard === 'erc20')
    expect(tokens.map(({ account, before, after }) => [account, (after ?? 0n) - (before ?? 0n)])).toEqual(
      expect.arrayContaining([
        [safeAddress, 70n],
        [stranger.address, 30n],
      ]),
    )
    expect(result.approvals).toEqual([
      {
        token: erc20.address,
        owner: safeAddress,
        spender: second.address,
        standard: 'erc20',
        tokenId: null,
        before: 0n,
        after: 7n,
      },
    ])
  })
})
