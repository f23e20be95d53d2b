import { padHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { isOfOneBlock, type ReadFact } from './proved-fact.ts'

const vouching = { status: 'enough', count: 1, needed: 1, sources: [] } as const
const read = (block: bigint | null, fork = 'a'): ReadFact => ({
  answer: 1,
  grade: 'proved',
  isRefused: false,
  isIncomplete: false,
  at: block === null ? null : { block, hash: padHex(`0x${fork}${block}`), vouching },
})

describe('isOfOneBlock', () => {
  test('default: facts of one block, those that nobody answered, and those of other chains', () => {
    expect(isOfOneBlock([])).toBe(true)
    expect(isOfOneBlock([read(7n), undefined, read(null), read(7n)])).toBe(true)
  })

  test('behavior: facts of two blocks, be they of the same height', () => {
    expect(isOfOneBlock([read(7n), read(8n)])).toBe(false)
    expect(isOfOneBlock([read(7n), undefined, read(7n, 'b')])).toBe(false)
  })
})
