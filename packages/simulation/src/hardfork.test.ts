import { type BlockHeader, newSafeTx, type StateReader } from '@countersign/safe-core'
import { zeroAddress, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { hardforkOf, otherMachineOf } from './hardfork.ts'
import { simulate } from './simulate.ts'
import { simulateCalls } from './simulate-calls.ts'

const at = (fields: Partial<BlockHeader>): BlockHeader => ({
  ...{ hash: zeroHash, number: 25_000_000n, parentHash: zeroHash, stateRoot: zeroHash, timestamp: 0n },
  ...{ coinbase: zeroAddress, gasLimit: 30_000_000n, baseFeePerGas: 7n, prevRandao: zeroHash, excessBlobGas: 0n },
  ...fields,
})

describe('hardforkOf', () => {
  test('default: by the schedule of the chain, whatever fields the header has', () => {
    const forks = [1_681_338_454, 1_681_338_455, 1_710_338_135, 1_746_612_311, 1_764_798_551, 1_900_000_000]
    expect(forks.map((time) => hardforkOf(1, at({ timestamp: BigInt(time) })))).toEqual([
      ...['paris', 'shanghai', 'cancun', 'prague', 'osaka', 'osaka'],
    ])
    expect(hardforkOf(1, at({ number: 12_964_999n }))).toBe('berlin')
    expect(hardforkOf(1, at({ number: 12_965_000n }))).toBe('london')
    expect(hardforkOf(560_048, at({ timestamp: 1_742_999_831n }))).toBe('cancun')
    expect(hardforkOf(560_048, at({ timestamp: 1_742_999_832n }))).toBe('prague')
  })

  test('behavior: of another chain the newest that the header allows', () => {
    expect(hardforkOf(8_453, at({}))).toBe('osaka')
    expect(hardforkOf(8_453, at({ excessBlobGas: null }))).toBe('shanghai')
    expect(hardforkOf(8_453, at({ baseFeePerGas: null, excessBlobGas: null }))).toBe('berlin')
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
    expect([otherMachineOf(42_161), otherMachineOf(324), otherMachineOf(1)]).toEqual(['Arbitrum', 'ZKsync', null])
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
