import type { HistoryEntry, MultisigTransaction } from '@countersign/contract'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { historyEntry } from '../../test/history-entry.ts'
import { groupHistory } from './history-groups.ts'

const executed = {} as MultisigTransaction

function entry(id: string, transactionHash: Hex | null, transaction: MultisigTransaction | null = null): HistoryEntry {
  const kind = transaction ? 'executed' : 'transfer-in'
  return historyEntry({ id, kind, transactionHash, isSuccessful: transaction && true, transaction })
}

function shape(entries: HistoryEntry[]) {
  return groupHistory(entries).map((group) => [group.executed !== null, group.entries.map(({ id }) => id)])
}

describe('groupHistory', () => {
  test('default: what came of an execution stands with it, in the order of the chain', () => {
    const entries = [entry('e', '0x2', executed), entry('d', '0x2'), entry('c', '0x2'), entry('b', '0x1')]
    expect(shape(entries)).toEqual([
      [true, ['c', 'd']],
      [false, ['b']],
    ])
  })

  test('behavior: moves that are told after the execution belong to it', () => {
    expect(shape([entry('b', '0x1'), entry('a', '0x1', executed)])).toEqual([[true, ['b']]])
  })

  test('behavior: two executions in one Ethereum transaction', () => {
    const entries = [entry('d', '0x1', executed), entry('c', '0x1'), entry('b', '0x1', executed), entry('a', '0x1')]
    expect(shape(entries)).toEqual([
      [true, ['c']],
      [true, ['a']],
    ])
  })

  test('behavior: what no Ethereum transaction explains stands alone', () => {
    expect(shape([entry('b', null), entry('a', null)])).toEqual([
      [false, ['b']],
      [false, ['a']],
    ])
  })
})
