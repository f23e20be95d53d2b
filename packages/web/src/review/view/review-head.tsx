import type { Verdict } from '@countersign/review'
import type { ReactNode } from 'react'
import type { Address as AddressType } from 'viem'
import { type Names, shortNameOf } from '../../safe/names/names.ts'
import { useSafeTitle } from '../../safe/names/use-safe-name.ts'
import { text } from '../../safe/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address, ShortAddress } from '../../ui/address.tsx'
import { usePageTitle } from '../../ui/page-head.tsx'
import { Time } from '../../ui/text/time.tsx'
import { TextLink } from '../../ui/text-link.tsx'

const backs = {
  transaction: { to: '/safes/$chainId/$safeAddress/queue', label: 'review.back' },
  message: { to: '/safes/$chainId/$safeAddress/messages', label: 'message.back' },
} as const

export type Claims = {
  proposer: AddressType | null
  /** The account that wrote it in the name of the proposer; null: the proposer did. */
  proposedByDelegate: AddressType | null
  submissionDate: string
  origin: string | null
  names: Names
}

/** The head of a review: the effect in one sentence. The tab is named after it, behind a verdict that forbids it. */
export function ReviewHead({
  kind,
  title,
  place: { chainId, safeAddress },
  chainName,
  verdict,
  about,
  claims,
}: {
  kind: keyof typeof backs
  title: string
  place: { chainId: number; safeAddress: AddressType }
  chainName: string | undefined
  /** Undefined until there is one, and once nothing is left to decide. */
  verdict: Verdict | undefined
  /** Where it stands in the queue. */
  about?: ReactNode
  /** Claimed proposer, time and purpose. */
  claims?: Claims | undefined
}) {
  const isWarned = verdict === 'do-not-sign' || verdict === 'cannot-verify'
  usePageTitle(isWarned ? text(`title.ofTab.${verdict}`, { title }) : title, useSafeTitle(chainId, safeAddress))
  const { to, label } = backs[kind]
  return (
    <header className="ledger-head pb-3 sm:pb-4">
      <nav
        aria-label={text('page.above')}
        className="mb-1 flex flex-wrap items-baseline gap-x-2 text-small text-ink-soft"
      >
        <TextLink to={to} params={{ chainId, safeAddress }}>
          {text(label)}
        </TextLink>
        {about && (
          <>
            <span aria-hidden>·</span>
            <span>{about}</span>
          </>
        )}
        {chainName !== undefined && (
          <>
            <span aria-hidden>·</span>
            <span>{chainName}</span>
          </>
        )}
      </nav>
      <h1
        tabIndex={-1}
        className={`text-title font-semibold tracking-tight wrap-anywhere outline-none sm:text-display ${verdict === 'do-not-sign' ? 'text-danger' : ''}`}
      >
        {title}
      </h1>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-small text-ink-soft">
        {text('review.head.safe')} <Address address={safeAddress} hasAvatar={false} isCopyable={false} />
      </p>
      {claims && <ProposedBy claims={claims} />}
    </header>
  )
}

/** Shows one line, so that a name that loads later does not move the page. The claims show the full text. */
function ProposedBy({ claims }: { claims: Claims }) {
  const { proposer, proposedByDelegate, submissionDate, origin, names } = claims
  return (
    <div className="mt-1 text-small text-ink-soft" data-proposed-by>
      <p className="truncate">
        {proposer && (
          <>
            {text(proposedByDelegate === null ? 'review.head.by' : 'review.head.for')}{' '}
            <span className="font-medium text-ink">
              {shortNameOf(proposer, names) ?? <ShortAddress address={proposer} />}
            </span>{' '}
            <span aria-hidden>·</span>{' '}
          </>
        )}
        <Time value={submissionDate} />
      </p>
      {origin !== null && origin !== '' && (
        <p className="line-clamp-2 wrap-anywhere">
          {text('review.head.purpose', { words: showUntrusted(origin, 120) })}
        </p>
      )}
    </div>
  )
}
