import { type Devnet, testContractAbi, testContracts } from '@countersign/devnet'
import {
  encodeMultiSend,
  newSafeTx,
  type SafeTxRun,
  type SimulationResult,
  type StateReader,
  type Touched,
} from '@countersign/safe-core'
import { type Address, encodeFunctionData, type Hex, keccak256, numberToHex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SimulationOptions, simulate } from './simulate.ts'
import { readerOfLatest, type TestNode } from './test/chain.ts'
import { chainId, first, runOfSafe, second, startMeddledSafe, stranger } from './test/meddled-safe.ts'

const meddlerAbi = testContractAbi('Meddler')
const LIMITS = { milliseconds: 3_000 }

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

async function timed(run: SafeTxRun, options: SimulationOptions = {}) {
  const started = performance.now()
  const result = await simulate(reader, run, { limits: LIMITS, ...options })
  return { result, took: performance.now() - started }
}

describe('code that is in the way', () => {
  test('ends an endless loop by its gas, or by the time', async () => {
    const { result, took } = await timed(runOf('spin', []))
    if (result.status === 'unfinished') expect(result.reason).toEqual({ kind: 'limit', limit: 'milliseconds' })
    else expect(result.outcome.kind).toBe('reverted')
    expect(took).toBeLessThan(20_000)
  })

  test('ends an endless loop of more gas than any block has by the time', async () => {
    const rich = { ...reader, header: { ...reader.header, gasLimit: 10n ** 15n } }
    const result = await simulate(rich, runOf('spin', [], { gas: 10n ** 14n }), { limits: { milliseconds: 500 } })
    expect(result).toMatchObject({ status: 'unfinished', reason: { kind: 'limit', limit: 'milliseconds' } })
  })

  test.each([24_576, 1_000_000, 5_000_000])('ends a bomb of %i bytes of memory', async (size) => {
    const { result, took } = await timed(runOf('fillMemory', [BigInt(size), 1_000_000n]))
    if (result.status === 'finished') expect(result.outcome.kind).not.toBe('success')
    expect(took).toBeLessThan(20_000)
  })

  test('ends recursion a thousand calls deep', async () => {
    const { result, took } = await timed(runOf('dive', [1_100n]))
    expect(result.status).toBe('finished')
    // The tree of calls leaves the Worker as a copy.
    expect(structuredClone(result)).toEqual(result)
    expect(took).toBeLessThan(20_000)
  })

  test('keeps little of a revert of 64 kB, and counts all of it', async () => {
    const { result } = await timed(runOf('fail', [5n]))
    expect(result).toMatchObject({ outcome: { kind: 'reverted' } })
  })

  test('reads no more slots than the limit, and says so', async () => {
    const before = node.requests
    // On a busy machine the time is not what ends it.
    const limits = { ...LIMITS, milliseconds: 50_000, reads: 2_500 }
    const { result } = await timed(runOf('readFresh', [100_000n]), { limits })
    expect(result).toMatchObject({ status: 'unfinished', reason: { kind: 'limit', limit: 'reads' } })
    expect(node.requests - before).toBeLessThan(4_000)
  })

  test('asks for no more rounds than the limit', async () => {
    const { result } = await timed(runOf('readFresh', [3_000n]), { limits: { ...LIMITS, rounds: 2 } })
    expect(result).toMatchObject({ status: 'unfinished', reason: { kind: 'limit' } })
  })

  test('says that the precompile for blobs is not here', async () => {
    const blobs: Address = '0x000000000000000000000000000000000000000A'
    const { result } = await timed(runOfData(blobs, `0x${'00'.repeat(192)}`))
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
    const { result: plain } = await timed(run)
    if (plain.status === 'unfinished') throw new Error('The run is unfinished.')
    const shuffled = plain.touched.map(({ address, slots }) => ({ address, slots: slots.toReversed() })).toReversed()
    for (const hints of [wrong, [...wrong, ...shuffled], shuffled, plain.touched, []]) {
      const { result } = await timed(run, { hints })
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
      const { result: cold } = await timed(run)
      if (cold.status === 'unfinished') throw new Error('The run is unfinished.')
      return (await timed(run, { hints: cold.touched })).result.cost
    }
    expect(await costOf(runOfData(testContracts.erc20.address, data))).toMatchObject({ rounds: 1, runs: 1 })
    // Code that looks at who sends it is run for somebody else as well, who is read then.
    expect(await costOf(runOf('observe', [safeAddress, first.address]))).toMatchObject({ rounds: 2, runs: 1 })
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
    ...{ to: erc20.address, value: 0n, operation: 0 as const },
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
    const { result } = await timed(runOfData(library, '0x', { safeTx }))
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
        ...{ token: erc20.address, owner: safeAddress, spender: second.address },
        ...{ standard: 'erc20', tokenId: null, before: 0n, after: 7n },
      },
    ])
  })
})
