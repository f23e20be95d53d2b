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
type Content = 'nothing' | 'add' | 'threshold' | 'remove' | 'swap' | 'batch'

export type History = {
  owners: number[]
  threshold: number
  /** Nonces that were used before anything happens. */
  used: number
  /** `signers` have signed it before anything happens. */
  transactions: {
    nonce: number
    content: Content
    account: number
    threshold: number
    hasGas: boolean
    signers: number[]
  }[]
  /** An account that executes, beside anybody, what signatures make possible one after the other. */
  executor: number
  events: Event[]
}

const account = fc.nat({ max: ACCOUNTS - 1 })
/** Nonces of the transactions: two at one, and one that others follow. */
const nonces = [0, 0, 1, 1, 2]
const transaction = fc.nat({ max: nonces.length - 1 })
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
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('execute' as const), transaction }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('mark' as const, 'reorganise' as const) }) },
)

const contents: Content[] = ['nothing', 'nothing', 'add', 'threshold', 'threshold', 'remove', 'swap', 'batch']
const changes: Content[] = ['add', 'threshold', 'threshold', 'swap', 'batch']

function anyTransaction(nonce: number, { content, signers }: { content: Content[]; signers: [number, number] }) {
  const [minLength, maxLength] = signers
  return fc.record({
    nonce: fc.constant(nonce),
    content: fc.constantFrom(...content),
    account,
    threshold: fc.constantFrom(1, 1, 2, 3),
    hasGas: fc.boolean(),
    signers: fc.uniqueArray(account, { minLength, maxLength }),
  })
}

/** Owners that come and go, signatures at several nonces and two at one, executions, reorganisations. */
const plain: fc.Arbitrary<History> = fc.record({
  owners: fc.uniqueArray(account, { minLength: 2, maxLength: 4 }),
  threshold,
  used: fc.constantFrom(0, 0, 0, 1),
  transactions: fc.tuple(...nonces.map((nonce) => anyTransaction(nonce, { content: contents, signers: [0, 2] }))),
  events: fc.array(event, { minLength: 8, maxLength: 16 }),
  executor: account,
})

/** Changes that many have signed, before transactions that few have: one makes the next possible. */
const ladder: fc.Arbitrary<History> = fc.record({
  owners: fc.uniqueArray(account, { minLength: 3, maxLength: 4 }),
  threshold: fc.constantFrom(2, 2, 3),
  used: fc.constant(0),
  transactions: fc.tuple(
    ...nonces.map((nonce) =>
      nonce === 0
        ? anyTransaction(nonce, { content: changes, signers: [2, 4] })
        : anyTransaction(nonce, { content: contents, signers: [1, 2] }),
    ),
  ),
  events: fc.array(event, { maxLength: 6 }),
  executor: account,
})

export const anyHistory: fc.Arbitrary<History> = fc.oneof(plain, ladder)
