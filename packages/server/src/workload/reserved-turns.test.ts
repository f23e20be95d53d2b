import { expect, test } from 'vitest'
import { createReservedTurns } from './reserved-turns.ts'

const refused = expect.objectContaining({ code: 'RATE_LIMITED', data: { retryAfterSeconds: 1 } })

test('behavior: a clock that is set back makes no member wait longer than before', () => {
  let now = 1_000_000_000
  const { take } = createReservedTurns({ burst: 1, perSecond: 1, clock: () => new Date(now) })
  take('network', 'alice')
  expect(() => take('network', 'bob')).toThrow(refused)
  now -= 3_600_000
  take('network', 'bob')
  expect(() => take('network', 'alice')).toThrow(refused)
})
