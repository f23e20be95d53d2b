import type { AliveTransaction } from '@countersign/review'
import { isCancellation, type SafeState } from '@countersign/safe'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useListed } from '../../review/use-listed.ts'
import type { Names } from '../../safe/names/names.ts'
import { queueQuery } from '../../safe/queries.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import { AliveTransactionRow } from './alive-transaction-row.tsx'
import { text } from './text.ts'
import type { Alive, VerifiedTransaction } from './use-alive.ts'

/** Shows what is alive at one nonce, what ends it, and the way to that. */
export function AliveNonce({
  alive,
  entries,
  shown = entries,
  state,
  names,
  mayPropose,
}: {
  alive: Alive
  /** All of one nonce. */
  entries: readonly AliveTransaction<VerifiedTransaction>[]
  /** Those of them that have a row here. */
  shown?: readonly AliveTransaction<VerifiedTransaction>[]
  state: SafeState
  names: Names
  mayPropose: boolean
}) {
  const { chainId, address: safeAddress } = state
  const queue = useInfiniteQuery(queueQuery(chainId, safeAddress))
  const transactions = useMemo(() => queue.data?.pages.flatMap((page) => page.transactions) ?? [], [queue.data])
  const { listed, isPending } = useListed(transactions, { chainId, safeAddress }, names.account)
  const nonce = entries[0]?.transaction.nonce
  if (nonce === undefined) return null
  const isCancelled = entries.some(({ transaction: { signed, subject } }) => {
    return !signed.isDeleted && isCancellation(subject.safeTx, state.address)
  })
  return (
    <div className="grid gap-3">
      {entries.length > 1 && <p>{text('alive.nonce.several', { count: entries.length })}</p>}
      {shown.length > 0 && (
        <Rows label={text('alive.nonce', { nonce })}>
          {shown.map((entry) => (
            <Row key={entry.transaction.hash}>
              <AliveTransactionRow
                entry={entry}
                alive={alive}
                sameNonce={entries}
                listed={queue.isPending || isPending ? null : listed}
                state={state}
                names={names}
              />
            </Row>
          ))}
        </Rows>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="max-w-prose text-small text-ink-soft">
          {text(isCancelled ? 'alive.nonce.cancelled' : 'alive.nonce.burn', { nonce })}
        </p>
        {mayPropose && !isCancelled && (
          <ButtonLink
            to="/safes/$chainId/$safeAddress/new"
            params={{ chainId: state.chainId, safeAddress: state.address }}
            search={{ nonce: nonce.toString(), cancel: true }}
          >
            {text('alive.nonce.cancel')}
          </ButtonLink>
        )}
      </div>
    </div>
  )
}
