import type { Address, Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { DROPPED_AFTER_MS, executionOutcome, type Observation } from '../../../api/sent-transaction.ts'
import type { SentExecution } from './execution-state.ts'
import { mayExecuteAgain, observeExecution } from './execution-state.ts'

const safeAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const safeTxHash = `0x${'ab'.repeat(32)}` as const
const safe = { safeAddress, safeTxHash } as const
const success = '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e'
const failure = '0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23'
const payment = '0'.repeat(64)
const sentAt = Date.parse('2026-01-01T00:00:00Z')
const sent: SentExecution = {
  transactionHash: `0x${'11'.repeat(32)}`,
  executor: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  submissionDate: '2026-01-01T00:00:00Z',
  accountNonce: 7,
}
const seen = (part: Partial<Observation>): Observation => ({
  receipt: null,
  transaction: null,
  minedAccountNonce: 7,
  now: sentAt + 1000,
  ...part,
})
const log = (topics: Hex[], data: Hex = `0x${payment}`, address: Address = safeAddress) => ({ address, topics, data })

describe('observeExecution', () => {
  it('waits while the node has it in its pool, however long', () => {
    const now = sentAt + 100 * DROPPED_AFTER_MS
    expect(observeExecution(sent, safe, seen({ transaction: { accountNonce: 7, executes: null }, now })).step).toBe(
      'waiting',
    )
  })

  it('waits a while for a node that has not seen it', () => {
    expect(observeExecution(sent, safe, seen({})).step).toBe('waiting')
    expect(observeExecution(sent, safe, seen({ now: sentAt + DROPPED_AFTER_MS + 1 })).step).toBe('dropped')
  })

  it('sees a replacement at once when the account nonce is known', () => {
    expect(observeExecution(sent, safe, seen({ minedAccountNonce: 8 })).step).toBe('replaced')
    expect(observeExecution({ ...sent, accountNonce: null }, safe, seen({ minedAccountNonce: 8 })).step).toBe('waiting')
  })

  it('reads the outcome from the event of this Safe and this hash', () => {
    const receipt = (logs: ReturnType<typeof log>[], status: 'success' | 'reverted' = 'success') =>
      seen({ receipt: { status, logs } })
    expect(observeExecution(sent, safe, receipt([log([success, safeTxHash])])).step).toBe('executed')
    expect(observeExecution(sent, safe, receipt([log([failure, safeTxHash])])).step).toBe('inner-failed')
    expect(observeExecution(sent, safe, receipt([], 'reverted')).step).toBe('reverted')
    expect(observeExecution(sent, safe, receipt([])).step).toBe('reverted')
  })

  it('takes an execution without an event for one of a Safe 1.0.0, and no other call', () => {
    const step = (executes: Address | null, logs: ReturnType<typeof log>[] = []) =>
      observeExecution(
        sent,
        safe,
        seen({ receipt: { status: 'success', logs }, transaction: { accountNonce: 7, executes } }),
      ).step
    expect(step(safeAddress)).toBe('executed')
    expect(step(null)).toBe('reverted')
    expect(step(sent.executor)).toBe('reverted')
    // It executed something else.
    expect(step(safeAddress, [log([success, `0x${'cd'.repeat(32)}`])])).toBe('reverted')
  })
})

describe('executionOutcome', () => {
  it('reads both layouts of the event', () => {
    expect(executionOutcome([log([success, safeTxHash])], safe)).toBe('success')
    expect(executionOutcome([log([success], `${safeTxHash}${payment}`)], safe)).toBe('success')
  })

  it('ignores events of other contracts and other hashes', () => {
    const other = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    expect(executionOutcome([log([success, safeTxHash], '0x', other)], safe)).toBeNull()
    expect(executionOutcome([log([success, `0x${'cd'.repeat(32)}`])], safe)).toBeNull()
  })
})

it('never lets a second execution go while one may be mined', () => {
  expect(mayExecuteAgain(null)).toBe(true)
  expect(mayExecuteAgain({ step: 'waiting' })).toBe(false)
  expect(mayExecuteAgain({ step: 'executed' })).toBe(false)
  expect(mayExecuteAgain({ step: 'dropped' })).toBe(true)
  expect(mayExecuteAgain({ step: 'replaced' })).toBe(true)
})
