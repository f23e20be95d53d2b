import type { SafeMessage } from '@countersign/contract'
import { isSameAddress, type SafeState } from '@countersign/safe'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Address as AddressType } from 'viem'
import { type Unreviewed, useVerdicts } from '../../review/use-verdicts.ts'
import { isHiddenFromAccount } from '../../safe/hidden-error.ts'
import { SafePageHead } from '../../safe/safe-page-head.tsx'
import { useSafeState } from '../../safe/safe-state.ts'
import { summarizeMessage } from '../../safe/title/message-summary.ts'
import { messageTitle } from '../../safe/title/message-title.ts'
import { TransactionHash } from '../../safe/transaction-hash.tsx'
import type { VerdictSummary } from '../../safe/words/verdict-summary.ts'
import { verdictTitle, verdictTones } from '../../safe/words/verdict-words.ts'
import { Hash } from '../../ui/address.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/text/time.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSession } from '../../wallet/index.ts'
import { listedMessages } from './listed-messages.ts'
import { messagesQuery, signedOnChainQuery } from './queries.ts'
import { SignInRequests } from './sign-in-requests.tsx'
import { text } from './text.ts'

type Place = { chainId: number; safeAddress: AddressType }

/** The messages of a Safe: those that owners sign here, and those that a transaction has signed on the chain. */
export function MessagesPage({ chainId, safeAddress }: Place) {
  const { data: state, error: stateError } = useSafeState(chainId, safeAddress)
  const { session } = useSession()
  const account = session?.address ?? null
  const isOwner = account !== null && state?.owners.some((owner) => isSameAddress(owner, account))
  return (
    <div data-messages={safeAddress}>
      <SafePageHead
        chainId={chainId}
        safeAddress={safeAddress}
        title={text('messages.title')}
        what={text('messages.what')}
        actions={
          isOwner ? (
            <ButtonLink
              variant="primary"
              to="/safes/$chainId/$safeAddress/messages/new"
              params={{ chainId, safeAddress }}
            >
              {text('messages.new')}
            </ButtonLink>
          ) : (
            // Room for the button of an owner, until the chain has said who is one.
            account !== null &&
            state === undefined &&
            stateError === null && (
              <span aria-hidden className="invisible min-h-11 border px-4 py-2 font-semibold leading-5">
                {text('messages.new')}
              </span>
            )
          )
        }
      />
      {isOwner && <SignInRequests chainId={chainId} safeAddress={safeAddress} />}
      <OffChain place={{ chainId, safeAddress }} state={stateError ? null : state} account={isOwner ? account : null} />
      <OnChain chainId={chainId} safeAddress={safeAddress} />
    </div>
  )
}

type RowState = 'complete' | 'refused' | 'waits' | 'confirmed' | 'open'
type Verdict = VerdictSummary | 'unreadable' | undefined

/** Where a message stands, for the owner who reads. Confirmations are verified on the message's own page. */
function stateOf(
  message: SafeMessage,
  state: SafeState | null | undefined,
  account: AddressType | null,
  verdict: Verdict,
): RowState {
  const owners = state?.owners ?? message.confirmations.map(({ owner }) => owner)
  const confirmed = message.confirmations.filter(({ owner }) => owners.some((other) => isSameAddress(other, owner)))
  if (verdict === 'unreadable' || verdict?.verdict === 'do-not-sign') return 'refused'
  if (confirmed.length >= (state?.threshold ?? message.confirmationsRequired)) return 'complete'
  if (account !== null && confirmed.some(({ owner }) => isSameAddress(owner, account))) return 'confirmed'
  // Until it is reviewed nothing is asked of the reader.
  return verdict && account !== null ? 'waits' : 'open'
}

function OffChain({
  place,
  state,
  account,
}: {
  place: Place
  /** Null: it cannot be read. */
  state: SafeState | null | undefined
  /** Null for who is no owner. */
  account: AddressType | null
}) {
  const list = useInfiniteQuery(messagesQuery(place.chainId, place.safeAddress))
  const messages = useMemo(() => (list.data?.pages ?? []).flatMap((page) => page.messages), [list.data])
  const { session } = useSession()
  const reader = session?.address ?? null
  const listed = useMemo(() => listedMessages(messages, reader), [messages, reader])
  const { verdicts, unreviewed } = useVerdicts(listed, place, state ?? undefined, state === null)
  const verdictOf = ({ safeMessageHash }: SafeMessage): Verdict =>
    listed.some(({ hash }) => hash === safeMessageHash) ? verdicts.get(safeMessageHash) : 'unreadable'
  const rows = messages.map((message) => {
    const verdict = verdictOf(message)
    const why = unreviewed.get(message.safeMessageHash)
    return { message, verdict, why, standing: stateOf(message, state, account, verdict) }
  })
  const count = (standing: RowState) => rows.filter((row) => row.standing === standing).length
  return (
    <Section
      title={text('messages.offChain')}
      aside={
        list.data && account !== null ? (
          <span data-awaiting-me={count('waits')}>
            {count('waits') > 0 ? text('messages.mine', { count: count('waits') }) : text('messages.mine.none')}
            {count('refused') > 0 && (
              <span className="text-danger"> · {text('messages.refused', { count: count('refused') })}</span>
            )}
          </span>
        ) : undefined
      }
    >
      <List
        of={list}
        rows={rows}
        keyOf={({ message }) => message.safeMessageHash}
        label={text('messages.offChain')}
        loading={text('messages.loading')}
        instead={(error) => isHiddenFromAccount(error) && <Empty title={text('messages.notMember')} />}
        empty={<Empty title={text('messages.empty')}>{text('messages.empty.sentence')}</Empty>}
        more={text('messages.more')}
      >
        {(row) => <MessageRow {...row} threshold={state?.threshold} />}
      </List>
    </Section>
  )
}

function MessageRow({
  message,
  verdict,
  why,
  standing,
  threshold,
}: {
  message: SafeMessage
  verdict: Verdict
  /** Why it has no verdict here. */
  why: Unreviewed | undefined
  standing: RowState
  threshold: number | undefined
}) {
  const { chainId, safeAddress, safeMessageHash, confirmations, confirmationsRequired, submissionDate } = message
  const { kind } = summarizeMessage(message.content)
  const isComplete = confirmations.length >= confirmationsRequired
  return (
    <article data-message={safeMessageHash} data-standing={standing} className="grid gap-2">
      <p>
        <TextLink
          look="title"
          to="/safes/$chainId/$safeAddress/messages/$safeMessageHash"
          params={{ chainId, safeAddress, safeMessageHash }}
        >
          {messageTitle(message.content, { isComplete })}
        </TextLink>
      </p>
      <p className="flex flex-wrap items-center gap-2">
        <Tag>{text(`message.kind.${kind}`)}</Tag>
        <span data-confirmations={confirmations.length}>
          {text('queue.confirmations', { count: confirmations.length, threshold: threshold ?? confirmationsRequired })}
        </span>
        {verdict === 'unreadable' && <Tag tone="danger">{text('verdict.do-not-sign')}</Tag>}
        {verdict && verdict !== 'unreadable' && (
          <span data-listed-verdict={verdict.verdict}>
            <Tag tone={verdictTones[verdict.verdict]}>{verdictTitle(verdict)}</Tag>
          </span>
        )}
        {why && verdict === undefined && (
          <span data-listed-verdict="not-checked">
            {text('verdict.not-checked')}: {text('verdict.not-checked.why', { why })}
          </span>
        )}
        {standing === 'waits' && <Tag tone="warning">{text('queue.waitsForYou')}</Tag>}
        {standing === 'confirmed' && <Tag>{text('queue.youConfirmed')}</Tag>}
        {standing === 'complete' && <Tag tone="good">{text('messages.complete')}</Tag>}
      </p>
      <p className="text-small text-ink-soft">
        <Time value={submissionDate} />
      </p>
    </article>
  )
}

/** Shows the messages that the chain itself records. */
function OnChain({ chainId, safeAddress }: Place) {
  const list = useQuery(signedOnChainQuery(chainId, safeAddress))
  const entries = list.data?.entries ?? []
  return (
    <Section title={text('messages.onChain')}>
      {entries.length > 0 && <p className="mb-3 max-w-prose text-ink-soft">{text('messages.onChain.sentence')}</p>}
      <List
        of={list}
        rows={entries}
        keyOf={({ id }) => id}
        label={text('messages.onChain')}
        loading={text('messages.loading')}
        empty={<p>{text('messages.onChain.none')}</p>}
      >
        {({ safeTxHash, transactionHash, blockTime }) => (
          <div data-signed-on-chain={safeTxHash} className="grid gap-1">
            {safeTxHash && <Hash hash={safeTxHash} />}
            <p className="flex flex-wrap items-baseline gap-x-3 text-small text-ink-soft">
              <Time value={blockTime} />
              {transactionHash && (
                <span className="min-w-0">
                  {text('messages.onChain.transaction')}{' '}
                  <TransactionHash chainId={chainId} transactionHash={transactionHash} />
                </span>
              )}
            </p>
          </div>
        )}
      </List>
    </Section>
  )
}
