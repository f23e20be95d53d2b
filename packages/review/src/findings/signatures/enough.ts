import { domainVersion } from '@countersign/safe'
import type { Hex } from 'viem'
import { findAliveTransactions } from '../../alive/alive.ts'
import { verifyGiven } from '../../alive/given-signatures.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding, SafeConfiguration } from '../../types.ts'
import { finding } from '../make-finding.ts'

/** Each says how many there are in all. */
const MAX_NAMED = 20
/** Thousands of signatures must not keep a browser busy for ever. */
const MAX_VERIFIED = 500

/**
 * Finds other transactions that signatures already given would be enough for, once this one is executed: a lower
 * threshold, or an owner added back, makes executable at once what nobody signs again.
 *
 * @param after - the Safe once this is executed; null when that cannot be told.
 */
export async function reviewEnough(after: SafeConfiguration | null, input: ReviewInput): Promise<Finding[]> {
  if (input.state === null || after === null) return []
  const { state, safeTx } = input
  const { owners, threshold } = state
  const nonce = safeTx.nonce + 1n
  if (after.threshold >= threshold && after.owners.every((owner) => owners.includes(owner))) return []

  const later = input.others.filter((other) => other.nonce >= nonce)
  const transactions = await Promise.all(
    withinBudget(later).map(async ({ safeTxHash, signatures, ...other }) => {
      const confirmations = await verifyGiven(safeTxHash, signatures, { version: domainVersion(state) })
      return { safeTxHash, nonce: other.nonce, confirmations }
    }),
  )
  const isEnough = (safe: Pick<SafeConfiguration, 'owners' | 'threshold' | 'modules'>) =>
    findAliveTransactions(transactions, { ...safe, nonce, hasModules: safe.modules.length > 0 }).filter(
      ({ missing }) => missing === 0,
    )
  const before = new Set(isEnough(state).map(({ transaction }) => transaction.safeTxHash))
  const enough = isEnough(after).filter(({ transaction }) => !before.has(transaction.safeTxHash))
  return enough.slice(0, MAX_NAMED).map(({ transaction, counted, waits }) =>
    finding(
      'SIG-ENOUGH-AFTER',
      'high',
      {
        otherSafeTxHash: transaction.safeTxHash,
        nonce: transaction.nonce,
        signatures: counted.length,
        threshold: after.threshold,
        earlier: waits === 0n ? null : waits,
        competing: enough.length > 1 ? enough.length : null,
      },
      { field: 'signatures' },
    ),
  )
}

type Other = ReviewInput['others'][number]

function withinBudget(
  others: readonly Other[],
): { safeTxHash: Hex; nonce: bigint; signatures: Other['confirmations'] }[] {
  let left = MAX_VERIFIED
  return others.map(({ safeTxHash, nonce, confirmations, formerConfirmations = [] }) => {
    const signatures = [...confirmations, ...formerConfirmations].slice(0, Math.max(0, left))
    left -= signatures.length
    return { safeTxHash, nonce, signatures }
  })
}
