import type { MultisigTransaction } from '@countersign/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useListed } from '../../review/use-listed.ts'
import { useVerdicts } from '../../review/use-verdicts.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { proposalsOf, waitsFor } from '../../safe/proposals.ts'
import { queueQuery } from '../../safe/queries.ts'
import { useRole } from '../../safe/safe.ts'
import { useSafeState } from '../../safe/safe-state.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { useSession } from '../../wallet/index.ts'
import { text } from './text.ts'

/** Transactions that are reviewed to find the next one. */
const MAX_LOOKED_AT = 5

/**
 * The next transaction that waits for the reader, and the way back to the queue: after confirming, after executing. What
 * must not be signed waits for nobody, and what is not reviewed yet is not offered.
 */
export function NextStep({ transaction }: { transaction: MultisigTransaction }) {
  const { chainId, safeAddress, safeTxHash } = transaction
  const { session } = useSession()
  const account = session?.address ?? null
  const names = useNames(chainId, safeAddress)
  const state = useSafeState(chainId, safeAddress).data
  const isOwner = useRole(chainId, safeAddress) === 'owner'
  const queue = useInfiniteQuery({ ...queueQuery(chainId, safeAddress), enabled: isOwner })
  const pages = queue.data?.pages
  // The reviews go by it: another list is reviewed anew.
  const waiting = useMemo(() => {
    const open = proposalsOf((pages ?? []).flatMap((page) => page.transactions))
    return open.filter(
      (other) => other.safeTxHash !== safeTxHash && !other.isExecuted && waitsFor(other, account, state),
    )
  }, [pages, safeTxHash, account, state])
  const lookedAt = useMemo(() => waiting.slice(0, MAX_LOOKED_AT), [waiting])
  const place = { chainId, safeAddress }
  const { listed } = useListed(lookedAt, place, account)
  const { verdicts, unreviewed } = useVerdicts(listed, place, state, false)
  const verdictOf = (other: MultisigTransaction) => verdicts.get(other.safeTxHash)?.verdict
  const count = waiting.filter((other) => verdictOf(other) !== 'do-not-sign').length
  const next = waiting.find((other) => ![undefined, 'do-not-sign'].includes(verdictOf(other)))
  const isLooking = queue.isLoading || listed.some(({ hash }) => !verdicts.has(hash) && !unreviewed.has(hash))
  return (
    <div className="grid gap-2" data-next={next?.safeTxHash ?? (isLooking ? 'checking' : 'none')}>
      {next?.safeTx && (
        <>
          <p className="text-small text-ink-soft">{text('execute.next.count', { count })}</p>
          <p className="font-semibold text-pretty wrap-anywhere">{transactionTitle(next.safeTx, names)}</p>
          <ButtonLink
            variant="primary"
            to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
            params={{ chainId, safeAddress, safeTxHash: next.safeTxHash }}
          >
            {text('execute.next.review')}
          </ButtonLink>
        </>
      )}
      <ButtonLink to="/safes/$chainId/$safeAddress/queue" params={{ chainId, safeAddress }}>
        {text('execute.next.queue')}
      </ButtonLink>
    </div>
  )
}
