import * as z from 'zod/mini'
import { safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, signedSum, time } from '../wire/primitives.ts'

/** No more are answered; where there are more, the last one of each of so many equal spans of time. */
export const MAX_BALANCE_POINTS = 200

/** A block with a change of the balance, seen from the end: the balance then is the one at the end less `changeAfter`. */
export const balancePoint = z.object({
  blockNumber: z.int(),
  blockTime: time,
  /** Sum of all later changes, up to the end. In the smallest unit. */
  changeAfter: signedSum,
  /** Whether this change, or one before it in the same span, is one that nothing explains. */
  isUnexplained: z.boolean(),
})
export type BalancePoint = z.output<typeof balancePoint>

export const listBalanceChanges = endpoint({
  name: 'listBalanceChanges',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/balance-changes',
  summary:
    'How the balance of the native coin, or of an ERC-20, changed by what the history tells. Amounts count back from the end: how much the Safe has there is for the chain to say',
  params: safeParams,
  query: z.object({
    /** An address, or `native`. */
    token: z.union([z.literal('native'), address]),
    /** Points not before this time. */
    since: z.optional(time),
  }),
  reply: z.object({
    /** The end: the block up to which the history is known. Null: the Safe's past is still being read. */
    blockNumber: z.nullable(z.int()),
    /** Sum of all changes that the history knows, whatever `since`. */
    change: signedSum,
    /** Whether one of them is a change that nothing explains. */
    hasUnexplained: z.boolean(),
    /** Blocks with a change since then, and what they add up to. */
    changes: z.int(),
    changeSince: signedSum,
    /** Oldest first. */
    points: z.array(balancePoint).check(z.maxLength(MAX_BALANCE_POINTS)),
  }),
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND'],
})
