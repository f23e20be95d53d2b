import fc from 'fast-check'

/*
 * For tests alone: what may happen to a Safe and to signatures of it. Accounts are numbers: 0 to 3 have keys, 4 is a
 * Safe. Transactions are numbers, too.
 */

const ACCOUNTS = 5
export const NESTED = 4

/** One thing that happens. What is impossible at that moment is left out. */
export type Event =
  /** An account signs; what it signs is known from then on, whatever becomes of the chain. */
  | { kind: 'sign'; account: number; transaction: number; isEthSign: boolean }
  | { kind: 'sign-message'; account: number }
  | { kind: 'approve'; account: number; transaction: number }
  /** By a module, which uses no nonce. */
  | { kind: 'add' | 'remove'; account: number; threshold: number }
  | { kind: 'threshold'; threshold: number }
  /** With all signatures that are known, when they are enough. */
  | { kind: 'execute'; transaction: number }
  /** Remembers where the chain stands, or takes it back to there: a reorganisation. */
  | { kind: 'mark' | 'reorganise' }

/** The call of a transaction. */
type Content = 'nothing' | 'add' | 'lower' | 'remove'

export type History = {
  owners: number[]
  threshold: number
  transactions: { nonce: number; content: Content; account: number }[]
  events: Event[]
}

const account = fc.nat({ max: ACCOUNTS - 1 })
const transaction = fc.nat({ max: 3 })
const threshold = fc.integer({ min: 1, max: 3 })

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('sign' as const), account, transaction, isEthSign: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('sign-message' as const), account }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('approve' as const), account, transaction }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), account, threshold }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), account, threshold }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('threshold' as const), threshold }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('execute' as const), transaction }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('mark' as const, 'reorganise' as const) }) },
)

/** Owners that come and go, signatures at several nonces and two at one, executions, reorganisations. */
export const anyHistory: fc.Arbitrary<History> = fc.record({
  owners: fc.uniqueArray(account, { minLength: 2, maxLength: 4 }),
  threshold,
  transactions: fc.tuple(
    ...[0, 0, 1, 2].map((nonce) =>
      fc.record({
        nonce: fc.constant(nonce),
        content: fc.constantFrom<Content[]>('nothing', 'nothing', 'add', 'lower', 'remove'),
        account,
      }),
    ),
  ),
  events: fc.array(event, { minLength: 6, maxLength: 16 }),
})
