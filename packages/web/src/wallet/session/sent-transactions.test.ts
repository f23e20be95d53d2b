import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { DROPPED_AFTER_MS, type Observation } from '../../api/sent-transaction.ts'
import { outcomeOf } from '../dialog/sent-outcome.ts'
import { parseSent, type SentTransaction } from './sent-transactions.ts'

const safeAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const safeTxHash = `0x${'ab'.repeat(32)}` as const
const success = '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e'
const failure = '0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23'
const sentAt = Date.parse('2026-01-01T00:00:00Z')
const sent: SentTransaction = {
  transactionHash: `0x${'11'.repeat(32)}`,
  submissionDate: '2026-01-01T00:00:00Z',
  accountNonce: 7,
  outcome: 'pending',
}
const seen = (part: Partial<Observation>): Observation => ({
  receipt: null,
  transaction: null,
  minedAccountNonce: 7,
  now: sentAt + 1000,
  ...part,
})
const receipt = (topics: Hex[], status: 'success' | 'reverted' = 'success') =>
  seen({
    receipt: { status, logs: topics.length > 0 ? [{ address: safeAddress, topics, data: `0x${'0'.repeat(64)}` }] : [] },
  })

const shownAs = (sent: SentTransaction, shown: Observation) => outcomeOf(sent, shown).outcome

describe('outcomeOf', () => {
  test('default', () => {
    expect(shownAs(sent, seen({ transaction: { accountNonce: 7, executes: null } }))).toBe('pending')
    expect(shownAs(sent, receipt([]))).toBe('confirmed')
    expect(shownAs(sent, receipt([], 'reverted'))).toBe('failed')
  })

  test('behavior: replaced, or unknown for long, is dropped', () => {
    expect(shownAs(sent, seen({ minedAccountNonce: 8 }))).toBe('dropped')
    expect(shownAs(sent, seen({ now: sentAt + DROPPED_AFTER_MS + 1 }))).toBe('dropped')
    expect(shownAs(sent, seen({}))).toBe('pending')
  })

  test('behavior: an execution whose inner call failed is a failure', () => {
    const execution = { ...sent, subject: { safeAddress, safeTxHash } } as const
    expect(shownAs(execution, receipt([success, safeTxHash]))).toBe('confirmed')
    expect(shownAs(execution, receipt([failure, safeTxHash]))).toBe('failed')
  })
})

describe('parseSent', () => {
  test('default', () => expect(parseSent(JSON.stringify([sent]))).toEqual([sent]))

  test.each([
    'nonsense',
    '{}',
    'null',
    '[null, 1, "x"]',
    JSON.stringify([{ ...sent, transactionHash: 'javascript:alert(1)' }]),
    JSON.stringify([{ ...sent, subject: { safeAddress: '../../evil', safeTxHash } }]),
    JSON.stringify([{ ...sent, submissionDate: 'never' }]),
    JSON.stringify([{ ...sent, outcome: 'safe' }]),
  ])('behavior: what is no list of ours is nothing: %.40s', (stored) => expect(parseSent(stored)).toEqual([]))

  test('behavior: the list is bounded', () =>
    expect(parseSent(JSON.stringify(Array.from({ length: 500 }, () => sent)))).toHaveLength(20))
})
