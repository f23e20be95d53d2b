import type { MultisigTransaction } from '@countersign/contract'
import type { SafeState } from '@countersign/safe'
import { type Dispatch, type SetStateAction, useLayoutEffect } from 'react'
import type { Address } from 'viem'
import { useListed } from '../../review/use-listed.ts'
import { type ListedVerdicts, useVerdicts } from '../../review/use-verdicts.ts'

export type Verdicts = ListedVerdicts

/** Shows nothing: reviews what is queued and tells the verdicts. In a file of its own, which comes when something is. */
export function QueueVerdicts({
  transactions,
  place,
  account,
  state,
  onVerdicts,
}: {
  /** stays the same object until the queue changes */
  transactions: readonly MultisigTransaction[]
  place: { chainId: number; safeAddress: Address }
  account: Address | null
  /** Null: it cannot be read. */
  state: SafeState | null | undefined
  onVerdicts: Dispatch<SetStateAction<Verdicts>>
}) {
  const { listed } = useListed(transactions, place, account)
  const verdicts = useVerdicts(listed, place, state ?? undefined, state === null)
  // Before anything is drawn: no row ever shows the verdict of what it was before.
  useLayoutEffect(() => onVerdicts((before) => (isSame(before, verdicts) ? before : verdicts)), [verdicts, onVerdicts])
  useLayoutEffect(() => () => onVerdicts({ verdicts: new Map(), unreviewed: new Map() }), [onVerdicts])
  return null
}

function isSame(before: Verdicts, now: Verdicts): boolean {
  return areSame(before.verdicts, now.verdicts) && areSame(before.unreviewed, now.unreviewed)
}

function areSame<Value>(before: ReadonlyMap<string, Value>, now: ReadonlyMap<string, Value>): boolean {
  return before.size === now.size && [...now].every(([hash, value]) => before.get(hash) === value)
}
