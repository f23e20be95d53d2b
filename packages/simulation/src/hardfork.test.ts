import { type BlockHeader, newSafeTx, type StateReader } from '@countersign/safe-core'
import { zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { otherMachineOf, rulesAt } from './hardfork.ts'
import { simulate } from './simulate.ts'
import { simulateCalls } from './simulate-calls.ts'

const at = (fields: Partial<BlockHeader>): BlockHeader => ({
  ...{ hash: zeroHash, number: 25_000_000n, parentHash: zeroHash, stateRoot: zeroHash, timestamp: 0n },
  ...{ coinbase: zeroAddress, gasLimit: 30_000_000n, baseFeePerGas: 7n, prevRandao: zeroHash },
  ...{ excessBlobGas: 0n, fork: 'prague' },
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
      ...[['paris'], ['shanghai'], ['cancun'], ['prague'], ['osaka'], ['bpo1'], ['bpo2']],
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

describe('a chain on another EVM', () => {
  const reader: StateReader = {
    ...{ chainId: 42_161, header: at({}), headerGrade: 'proved' },
    read: async ({ accounts }) => ({
      accounts: accounts.map(({ address, slots }) => ({
        ...{ address, account: { nonce: 0n, balance: 10n ** 18n, code: '0x' }, grade: 'proved' },
        slots: new Map(slots.map((slot) => [slot, zeroHash])),
      })),
      blockHashes: [],
    }),
  }

  test('is run by other rules than its own: no better than the word of one node, and by name', async () => {
    expect([42_161, 324, 1].map((chainId) => otherMachineOf(chainId, at({})))).toEqual(['Arbitrum', 'ZKsync', null])
    const to = '0x00000000000000000000000000000000000fffff'
    const result = await simulate(reader, {
      ...{ kind: 'safe-transaction', safeAddress: to, version: '1.4.1', owners: [to], threshold: 1, executor: to },
      ...{ safeTx: newSafeTx({ to, nonce: 0n }), confirmations: [] },
    })
    expect(result).toMatchObject({ status: 'finished', grade: 'one-node', otherMachine: 'Arbitrum' })
    const [answer] = await simulateCalls(reader, [{ kind: 'call', from: zeroAddress, to, data: '0x' }])
    expect(answer).toMatchObject({ kind: 'unfinished', reason: { kind: 'engine' } })
  })
})
