import type { MultisigTransaction } from '@countersign/contract'
import { countConfirmations, isSameAddress, type NonceGroup, type SafeState } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { ReactNode } from 'react'
import type { Address } from 'viem'
import { serverNow } from '../../device/server-time.ts'
import type { Unreviewed } from '../../review/use-verdicts.ts'
import { type Names, shortNameOf } from '../../safe/names/names.ts'
import { type Proposal, waitsFor } from '../../safe/proposals.ts'
import { counterpartyOf } from '../../safe/title/counterparty.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { VerdictMark, verdictColours } from '../../safe/words/verdict-mark.tsx'
import type { VerdictSummary } from '../../safe/words/verdict-summary.ts'
import { shownVerdict, verdictTitle } from '../../safe/words/verdict-words.ts'
import { text } from '../../text/lists.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Age } from '../../ui/text/age.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { OwnerMarks } from './owner-marks.tsx'

/** Facts that every row of a queue goes by. */
export type QueueView = {
  state: SafeState | undefined
  account: Address | null
  names: Names
  verdicts: ReadonlyMap<string, VerdictSummary>
  /** Those that get no verdict here, and why. */
  unreviewed: ReadonlyMap<string, Unreviewed>
  /** Ref of each row, by which it is known to be on the screen. */
  watch: (element: HTMLElement | null) => void
}

/** Where a proposal stands, for the reader. Nothing is asked of them before it is reviewed. */
export type Standing = 'refused' | 'waits' | 'ready' | 'complete' | 'confirmed' | 'open'

export function standingOf(
  transaction: MultisigTransaction,
  isNext: boolean,
  { state, account, verdicts }: Pick<QueueView, 'state' | 'account' | 'verdicts'>,
): Standing {
  const verdict = verdicts.get(transaction.safeTxHash)
  const owners = state?.owners ?? transaction.confirmations.map(({ owner }) => owner)
  const { confirmed } = countConfirmations(transaction.confirmations, owners)
  if (verdict?.verdict === 'do-not-sign') return 'refused'
  if (confirmed.length >= thresholdOf(transaction, state))
    return isNext && verdict && verdict.verdict !== 'cannot-verify' ? 'ready' : 'complete'
  if (account !== null && confirmed.some((owner) => isSameAddress(owner, account))) return 'confirmed'
  return verdict && waitsFor(transaction, account, state) ? 'waits' : 'open'
}

/** A waiting transaction needs today's threshold, which is known unless the chain could not be read. */
function thresholdOf(transaction: MultisigTransaction, state: SafeState | undefined): number {
  return state?.threshold ?? transaction.confirmationsRequired ?? 0
}

/** Titles that were written, of the names that they were written with: by the bytes alone, or as a review reads them. */
const titles = new WeakMap<Names, WeakMap<Proposal | Call, string>>()

/** The effect of a proposal, by which it is also searched for; `call`: as its review reads it. */
export function proposalTitle(proposal: Proposal, names: Names, call?: Call): string {
  const written = titles.get(names) ?? new WeakMap<Proposal | Call, string>()
  titles.set(names, written)
  const { safeTx } = proposal
  const title =
    written.get(call ?? proposal) ??
    (safeTx ? transactionTitle(safeTx, names, { call }) : text('transaction.title.unknown'))
  written.set(call ?? proposal, title)
  return title
}

/** The verdict in its shape and words, of the same width and height while it is being worked out. */
export function RowVerdict({ verdict, why }: { verdict: VerdictSummary | undefined; why: Unreviewed | undefined }) {
  if (!verdict && why) return <MissingVerdict why={why} />
  return (
    <span
      data-listed-verdict={verdict?.verdict ?? 'checking'}
      className={`flex items-center gap-1.5 text-small leading-5 font-semibold ${verdict ? verdictColours[shownVerdict(verdict)] : 'text-ink-faint'}`}
    >
      <VerdictMark of={verdict ? shownVerdict(verdict) : 'checking'} size={17} />
      {verdict ? verdictTitle(verdict) : text('verdict.checking')}
    </span>
  )
}

/** Says that a row gets no verdict, and why: its page may say more. */
function MissingVerdict({ why }: { why: Unreviewed }) {
  return (
    <span data-listed-verdict="not-checked" className="grid text-small leading-5 text-unsure">
      <span className="flex items-center gap-1.5 font-semibold">
        <VerdictMark of="cannot-verify" size={17} />
        {text('verdict.not-checked')}
      </span>
      {text('verdict.not-checked.why', { why })}
    </span>
  )
}

/** One proposal in one line: nonce, effect, who and when, verdict, owners, what comes next. */
export function QueueRow({
  proposal,
  group,
  view,
  isFirst = false,
}: {
  proposal: Proposal
  group: Pick<NonceGroup<Proposal>, 'nonce' | 'waitsFor'>
  view: QueueView
  /** Whether it is the first that waits: it alone has the filled button. */
  isFirst?: boolean
}) {
  const { verdicts, names, state } = view
  const verdict = verdicts.get(proposal.safeTxHash)
  const standing = standingOf(proposal, group.waitsFor === null, view)
  return (
    <article
      ref={view.watch}
      data-row={proposal.safeTxHash}
      data-transaction={proposal.safeTxHash}
      data-standing={standing}
      className="grid items-center gap-x-4 gap-y-1.5 py-3 @3xs:grid-cols-[minmax(0,1fr)_auto] @3xl:min-h-17 @3xl:grid-cols-[2.25rem_minmax(0,1fr)_11.5rem_8.5rem_10rem] @3xl:py-1.5"
    >
      <span
        aria-hidden
        className="hidden truncate text-ink-soft tabular-nums @3xl:block"
        title={text('queue.nonce', { nonce: group.nonce })}
      >
        {group.nonce.toString()}
      </span>
      <div className="min-w-0 @3xs:col-span-2 @3xl:col-span-1">
        <Effect proposal={proposal} names={names} verdict={verdict} isRefused={standing === 'refused'} />
        <Meta proposal={proposal} names={names} />
      </div>
      <div className="min-w-0">
        <RowVerdict verdict={verdict} why={view.unreviewed.get(proposal.safeTxHash)} />
        <StandingWords standing={standing} proposal={proposal} />
      </div>
      <OwnerMarks
        owners={state?.owners ?? proposal.confirmations.map(({ owner }) => owner)}
        confirmations={proposal.confirmations}
        threshold={thresholdOf(proposal, state)}
        names={names}
      />
      <div className="@3xs:col-span-2 @3xl:col-span-1 @3xl:justify-self-stretch">
        <Action
          proposal={proposal}
          group={group}
          standing={standing}
          verdict={verdict}
          names={names}
          isFirst={isFirst}
        />
      </div>
    </article>
  )
}

export function Effect({
  proposal,
  names,
  verdict,
  isRefused,
  children,
}: {
  proposal: Proposal
  names: Names
  verdict: VerdictSummary | undefined
  isRefused: boolean
  /** Instead of the plain title. */
  children?: ReactNode
}) {
  const { chainId, safeAddress, safeTxHash, safeTx } = proposal
  const title = proposalTitle(proposal, names, verdict?.call)
  const isForeignCode = safeTx !== null && counterpartyOf(safeTx, safeAddress).isForeignCode
  return (
    <TextLink
      look={isRefused || isForeignCode ? 'rowDanger' : 'row'}
      to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
      params={{ chainId, safeAddress, safeTxHash }}
      title={title}
    >
      <span className="sr-only">{text('queue.nonce', { nonce: proposal.nonce })}. </span>
      {children ?? title}
    </TextLink>
  )
}

const noNames: ReadonlyMap<string, string> = new Map()

/** Proposer, age and note of a proposal: claims. */
export function Meta({ proposal, names }: { proposal: Proposal; names: Names }) {
  const { proposer, proposedByDelegate, submissionDate, origin, nonce, safeTx, safeAddress } = proposal
  const author = proposedByDelegate ?? proposer
  const party = safeTx ? counterpartyOf(safeTx, safeAddress).address : null
  // A name of the registry comes later, and is the word of a node: the address stays beside it.
  const isPartyShown = party !== null && shortNameOf(party, { ...names, registered: noNames }) === undefined
  const hasNote = origin !== null && origin !== ''
  // Where it is narrow, the line of the author is one line: names that come later move nothing below.
  return (
    <p className="grid min-w-0 text-small leading-5 text-ink-soft @3xl:flex @3xl:gap-x-1.5">
      <span className="flex min-w-0 flex-wrap gap-x-1.5 @3xs:flex-nowrap @3xs:whitespace-nowrap @3xl:contents">
        <span className="max-w-1/2 shrink-0 truncate @3xl:hidden">{text('queue.nonce', { nonce })} ·</span>
        {author && (
          <>
            <span className="truncate" title={author}>
              {shortNameOf(author, names) ?? <span className="figures">{ends(author)}</span>}
            </span>
            <span className="-ml-0.5 shrink-0">·</span>
          </>
        )}
        <span className="shrink-0">
          <Age value={submissionDate} now={serverNow()} />
        </span>
      </span>
      {(isPartyShown || hasNote) && (
        <span className="@3xl:contents">
          {isPartyShown && (
            <span className="figures whitespace-nowrap @3xl:order-first @3xl:shrink-0" title={party}>
              {ends(party)}
              <span className={`font-sans ${hasNote ? '' : 'hidden @3xl:inline'}`}> · </span>
            </span>
          )}
          {hasNote && (
            <span className="min-w-0 wrap-anywhere @3xl:shrink-[4] @3xl:truncate" title={showUntrusted(origin, 200)}>
              <span aria-hidden className="hidden @3xl:inline">
                ·{' '}
              </span>
              {text('queue.origin', { origin: showUntrusted(origin, 80) })}
            </span>
          )}
        </span>
      )}
    </p>
  )
}

function ends(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}

const words = {
  refused: null,
  waits: 'queue.waitsForYou',
  ready: 'queue.ready',
  complete: 'queue.complete',
  confirmed: 'queue.youConfirmed',
  open: null,
} as const

export function StandingWords({ standing, proposal }: { standing: Standing; proposal: MultisigTransaction }) {
  const key = proposal.pendingExecution ? 'queue.sent' : words[standing]
  // Its line is there from the beginning: nothing below moves when the verdict comes.
  return <span className="block min-h-5 text-small leading-5 text-ink-soft">{key && text(key)}</span>
}

/** The way to what comes next. Nothing is confirmed or executed from a list. */
export function Action({
  proposal,
  group,
  standing,
  verdict,
  names,
  isFirst,
}: {
  proposal: Proposal
  group: Pick<NonceGroup<Proposal>, 'waitsFor'>
  standing: Standing
  verdict: VerdictSummary | undefined
  names: Names
  isFirst: boolean
}) {
  const { chainId, safeAddress, safeTxHash } = proposal
  if (standing === 'complete' && group.waitsFor)
    return (
      <p className="text-small text-ink-soft @3xl:text-right">{text('queue.after', { nonce: group.waitsFor.nonce })}</p>
    )
  const action = text(actionOf(standing, verdict))
  return (
    <ButtonLink
      isCompact
      isWide
      variant={isFirst ? 'primary' : 'secondary'}
      to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
      params={{ chainId, safeAddress, safeTxHash }}
      aria-label={text('queue.action.of', { action, title: proposalTitle(proposal, names, verdict?.call) })}
    >
      {action}
    </ButtonLink>
  )
}

function actionOf(standing: Standing, verdict: VerdictSummary | undefined) {
  if (standing === 'refused') return 'queue.action.refused'
  if (standing === 'ready') return 'queue.action.execute'
  if (verdict?.verdict === 'cannot-verify') return 'queue.action.missing'
  if (standing !== 'waits') return 'queue.action.open'
  return verdict?.verdict === 'matches' ? 'queue.action.confirm' : 'queue.action.decide'
}
