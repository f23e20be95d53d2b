import type { BlockHeader, StateReader } from '@countersign/review'
import { CountersignError, newSafeTx, type RpcRequest } from '@countersign/safe'
import { concat, type Hex, numberToHex, zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { crossCheck, nodeSimulation } from './cross-check.ts'
import { otherMachineOf, rulesAt } from './hardfork.ts'
import { simulate } from './simulate.ts'
import { simulateCalls } from './simulate-calls.ts'

const at = (fields: Partial<BlockHeader>): BlockHeader => ({
  hash: zeroHash,
  number: 25_000_000n,
  parentHash: zeroHash,
  stateRoot: zeroHash,
  timestamp: 0n,
  coinbase: zeroAddress,
  gasLimit: 30_000_000n,
  baseFeePerGas: 7n,
  prevRandao: zeroHash,
  excessBlobGas: 0n,
  fork: 'prague',
  ...fields,
})

describe('rulesAt', () => {
  const rulesOf = (chainId: number, fields: Partial<BlockHeader>) => {
    const { hardfork, older } = rulesAt(chainId, at(fields))
    return [hardfork, ...older]
  }

  test('default: by the schedule of the chain, whatever fields the header has', () => {
    const times = [
      1_681_338_454, 1_681_338_455, 1_710_338_135, 1_746_612_311, 1_764_798_551, 1_765_290_071, 1_900_000_000,
    ]
    expect(times.map((time) => rulesOf(1, { timestamp: BigInt(time) }))).toEqual([
      ['paris'],
      ['shanghai'],
      ['cancun'],
      ['prague'],
      ['osaka'],
      ['bpo1'],
      ['bpo2'],
    ])
    expect(rulesOf(1, { number: 12_964_999n })).toEqual(['berlin'])
    expect(rulesOf(1, { number: 12_965_000n })).toEqual(['london'])
    expect(rulesOf(560_048, { timestamp: 1_742_999_831n })).toEqual(['cancun'])
    expect(rulesOf(560_048, { timestamp: 1_742_999_832n })).toEqual(['prague'])
  })

  test('behavior: of another chain the newest, and older ones that its headers do not exclude', () => {
    expect(rulesOf(8_453, { fork: 'prague' })).toEqual(['osaka', 'prague'])
    expect(rulesOf(8_453, { fork: 'cancun' })).toEqual(['osaka', 'prague', 'cancun'])
    expect(rulesOf(137, { fork: 'london' })).toEqual(['osaka', 'prague', 'shanghai'])
    expect(rulesOf(137, { fork: 'frontier' })).toEqual(['berlin', 'istanbul'])
  })

  test('behavior: rules of a fork to come are not known here, and named', () => {
    expect(otherMachineOf(1, at({ fork: 'prague' }))).toBeNull()
    expect(otherMachineOf(1, at({ fork: 'amsterdam' }))).toBe('Amsterdam')
    expect(otherMachineOf(42_161, at({}))).toBe('Arbitrum')
  })
})

describe('what code sees of a block', () => {
  const code = '0x00000000000000000000000000000000000fffff'
  /** The word that one operation gives, by the rules of a fork. */
  async function seen(opcode: Hex, hardfork: string, fields: Partial<BlockHeader>): Promise<bigint> {
    const reader: StateReader = {
      chainId: 31_337,
      header: at(fields),
      headerGrade: 'proved',
      read: async ({ accounts }) => ({
        accounts: accounts.map(({ address, slots }) => ({
          address,
          grade: 'proved' as const,
          account: { nonce: 1n, balance: 0n, code: address === code ? concat([opcode, '0x60005260206000f3']) : '0x' },
          slots: new Map(slots.map((slot) => [slot, zeroHash])),
        })),
        blockHashes: [],
      }),
    }
    const call = { kind: 'call', from: zeroAddress, to: code, data: '0x' } as const
    const [answer] = await simulateCalls(reader, [call], { rules: { hardfork, older: [] } })
    if (answer?.kind !== 'returned') throw new Error(JSON.stringify(answer))
    return BigInt(answer.data)
  }

  // The first three are the vectors of EIP-4844 as Geth tests them; the others follow from the fractions of each fork.
  test.each([
    ['cancun', 2_314_057n, 1n],
    ['cancun', 2_314_058n, 2n],
    ['cancun', 10_485_760n, 23n],
    ['prague', 10_485_760n, 8n],
    ['osaka', 10_485_760n, 8n],
    ['bpo1', 10_485_760n, 3n],
    ['bpo2', 10_485_760n, 2n],
  ])('by %s the price of blobs at %i is %i', async (hardfork, excessBlobGas, price) => {
    expect(await seen('0x4a', hardfork, { excessBlobGas })).toBe(price)
  })

  test('is the difficulty where there is one, by older rules as well', async () => {
    const prevRandao = numberToHex(131n, { size: 32 })
    for (const hardfork of ['istanbul', 'berlin', 'osaka'])
      expect(await seen('0x44', hardfork, { prevRandao, baseFeePerGas: null, excessBlobGas: null })).toBe(131n)
  })
})

describe('a chain on another EVM', () => {
  const reader: StateReader = {
    chainId: 42_161,
    header: at({}),
    headerGrade: 'proved',
    read: async ({ accounts }) => ({
      accounts: accounts.map(({ address, slots }) => ({
        address,
        account: { nonce: 0n, balance: 10n ** 18n, code: '0x' },
        grade: 'proved',
        slots: new Map(slots.map((slot) => [slot, zeroHash])),
      })),
      blockHashes: [],
    }),
  }

  test('is run by other rules than its own: no better than the word of one node, and by name', async () => {
    const to = '0x00000000000000000000000000000000000fffff'
    const result = await simulate(reader, {
      kind: 'safe-transaction',
      safeAddress: to,
      version: '1.4.1',
      owners: [to],
      threshold: 1,
      executor: to,
      safeTx: newSafeTx({ to, nonce: 0n }),
      confirmations: [],
    })
    expect(result).toMatchObject({ status: 'finished', grade: 'one-node', otherMachine: 'Arbitrum' })
    const [answer] = await simulateCalls(reader, [{ kind: 'call', from: zeroAddress, to, data: '0x' }])
    expect(answer).toMatchObject({ kind: 'unfinished', reason: { kind: 'engine' } })
  })
})

describe('a chain whose machine is no EVM', () => {
  const safeAddress = '0x00000000000000000000000000000000000fffff'
  const run = {
    kind: 'safe-transaction',
    safeAddress,
    version: '1.4.1',
    owners: [safeAddress],
    threshold: 1,
    executor: safeAddress,
    safeTx: newSafeTx({ to: safeAddress, nonce: 0n }),
    confirmations: [],
  } as const
  /** Bytes as EraVM's compiler begins with them. To an EVM the first is the end of the code. */
  const code = `0x00040000000000020008000000000002${'00'.repeat(64)}`
  let reads = 0
  const readerOf = (chainId: number): StateReader => ({
    chainId,
    header: at({}),
    headerGrade: 'one-node',
    read: async ({ accounts }) => {
      reads += 1
      return {
        accounts: accounts.map(({ address, slots }) => ({
          address,
          account: { nonce: 0n, balance: 10n ** 18n, code },
          grade: 'one-node',
          slots: new Map(slots.map((slot) => [slot, zeroHash])),
        })),
        blockHashes: [],
      }
    },
  })
  const answers: Record<string, unknown> = {}
  const node: RpcRequest = async ({ method }) => {
    if (!(method in answers)) throw new CountersignError('RPC_ERROR', 'no such method', { data: { rpcCode: -32_601 } })
    return answers[method]
  }

  test('is told by its id: nothing is read, nothing is run', async () => {
    reads = 0
    for (const chainId of [324, 300, 232, 2_741, 50_104]) {
      const reason = { kind: 'machine', name: 'ZKsync' }
      expect(await simulate(readerOf(chainId), run)).toMatchObject({ status: 'unfinished', reason })
      expect(
        await simulateCalls(readerOf(chainId), [{ kind: 'call', from: zeroAddress, to: safeAddress, data: '0x' }]),
      ).toMatchObject([{ kind: 'unfinished' }])
    }
    expect(reads).toBe(0)
    // An EVM ends such code at its first byte, without the word of a Safe, and a node that says otherwise diverges.
    const elsewhere = await simulate(readerOf(42_161), run)
    expect(elsewhere).toMatchObject({ status: 'finished', outcome: { kind: 'inner-failure' } })
    answers.eth_call = numberToHex(1, { size: 32 })
    expect(await crossCheck(node, run, elsewhere)).toMatchObject({ status: 'diverges', outcome: 'success' })
  })

  test("has its node's own run, by the method that it serves", async () => {
    const { block } = await simulate(readerOf(324), run)
    answers.eth_call = numberToHex(1, { size: 32 })
    const bySingleCall = { method: 'eth_call', outcome: 'success', failure: null }
    expect(await nodeSimulation(node, run, block)).toMatchObject({ ...bySingleCall, gasUsed: null })
    answers.eth_simulateV1 = [{ calls: [{ status: '0x1', returnData: answers.eth_call, gasUsed: '0x5208', logs: [] }] }]
    expect(await nodeSimulation(node, run, block)).toMatchObject({ method: 'eth_simulateV1', outcome: 'success' })
  })
})
