import { isSameAddress } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Address as AddressType } from 'viem'
import { useChain } from '../../api/configuration.ts'
import { SIGN_IN_FRAGMENT, signInNonce } from '../../api/sign-in-link.ts'
import { usePreparedReview } from '../../evidence/worker/use-prepared-review.ts'
import { messageRequest } from '../../review/message-request.ts'
import { ProposeReview } from '../../review/sign/propose-review.tsx'
import type { MessageRequest } from '../../review/subject.ts'
import { namesOf } from '../../safe/names/names.ts'
import { useTeamNames } from '../../safe/names/team-names.ts'
import { SafePageHead } from '../../safe/safe-page-head.tsx'
import { useSafeState } from '../../safe/safe-state.ts'
import { messageTitle } from '../../safe/title/message-title.ts'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField, TextField } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { useWritten } from '../../ui/form/use-written.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { Section } from '../../ui/section.tsx'
import { useSession } from '../../wallet/index.ts'
import {
  asTyped,
  emptyMessageDraft,
  keepMessageDraft,
  loadMessageDraft,
  looksTyped,
  type MessageDraft,
  parseMessageDraft,
} from './message-draft.ts'
import { MessageReviewView } from './message-review-view.tsx'
import { signInRequestsQuery } from './queries.ts'
import { RefuseSignIn } from './refuse-sign-in.tsx'
import { isSignInHere, parseSignInLink } from './sign-in-link.ts'
import { SignInNotice } from './sign-in-notice.tsx'
import { text } from './text.ts'

type Place = { chainId: number; safeAddress: AddressType }

/** A new message of the Safe: one that an owner writes, or the sign-in of somebody who sent a link. */
export function NewMessagePage({ chainId, safeAddress }: Place) {
  usePreparedReview('message')
  const state = useSafeState(chainId, safeAddress)
  const { session, ended } = useSession()
  const fragment: string = useLocation({ select: ({ hash }) => hash })
  const isLink = fragment.startsWith(SIGN_IN_FRAGMENT)
  const account = session?.address ?? ended?.session.address ?? null
  const isOwner = account !== null && state.data?.owners.some((owner) => isSameAddress(owner, account))
  const title = text(isLink ? 'messages.signIn.page' : 'message.new.title')
  return (
    <>
      <SafePageHead parent="messages" chainId={chainId} safeAddress={safeAddress} title={title} />
      {!state.data && state.error ? (
        <QueryProblem error={state.error} onRetry={() => void state.refetch()} />
      ) : !state.data ? (
        <Skeleton label={text('safe.loading')} />
      ) : !isOwner ? (
        <Notice tone="warning" title={text('propose.notOwner')}>
          {text('propose.notOwner.sentence', { account: account ?? '' })}
        </Notice>
      ) : state.data.creation ? (
        <Notice title={text('message.new.notDeployed')}>{text('message.new.notDeployed.sentence')}</Notice>
      ) : isLink ? (
        // Another link in the same tab is another message.
        <LinkedSignIn key={fragment} chainId={chainId} safeAddress={safeAddress} account={account} />
      ) : (
        <WrittenMessage chainId={chainId} safeAddress={safeAddress} account={account} />
      )}
    </>
  )
}

type OwnPlace = Place & { account: AddressType | null }

/** Writing a message: the content, then the same review as everybody's, then the signature. */
function WrittenMessage({ chainId, safeAddress, account }: OwnPlace) {
  const [draft, setDraft] = useState<MessageDraft>(
    () => loadMessageDraft({ account, chainId, safeAddress }) ?? emptyMessageDraft,
  )
  const { written: request, review, leave, forget } = useWritten<MessageRequest>()
  const change = (next: MessageDraft) => {
    setDraft(next)
    forget()
    keepMessageDraft({ account, chainId, safeAddress }, next === emptyMessageDraft ? null : next)
  }
  // A sign-in may be pasted here, too: whoever does so is told as much as by its link.
  const notice = draft.kind === 'text' && isSignInHere(draft.text, { chainId, safeAddress }, location) && (
    <div className="mb-8">
      <SignInNotice message={draft.text} />
    </div>
  )
  return (
    <div data-new-message={request ? 'review' : 'edit'}>
      {request && (
        <div className="mb-8">
          <Button onClick={leave}>{text('propose.back')}</Button>
        </div>
      )}
      {notice}
      {request ? (
        <ReviewAndSign request={request} onProposed={() => keepMessageDraft({ account, chainId, safeAddress }, null)} />
      ) : (
        <MessageForm
          draft={draft}
          onChange={change}
          onReview={(content, origin) =>
            review(messageRequest({ chainId, safeAddress, content, origin, confirmations: [] }, null, account))
          }
        />
      )}
    </div>
  )
}

/** The review of a sign-in that somebody sent a link to. Once an owner has signed it, it is a message with a page of its own. */
function LinkedSignIn({ chainId, safeAddress, account }: OwnPlace) {
  const [message] = useState(() => parseSignInLink(location.hash.slice(1), { chainId, safeAddress }, location))
  const nonce = signInNonce(message ?? '')
  const { data, isPending } = useQuery({
    ...signInRequestsQuery(chainId, safeAddress, nonce),
    enabled: message !== null,
  })
  const request = useMemo(() => {
    const content = JSON.stringify(message ?? '')
    return messageRequest({ chainId, safeAddress, content, origin: location.origin, confirmations: [] }, null, account)
  }, [chainId, safeAddress, message, account])
  if (message === null)
    return (
      <Notice tone="danger" isAnnounced title={text('messages.signIn.foreign')}>
        {text('messages.signIn.foreign.sentence')}
      </Notice>
    )
  if (isPending) return <Skeleton label={text('messages.loading')} />
  // Without an answer the text is reviewed all the same: who waits is for the server alone to say.
  const [asked] = data?.requests ?? []
  if (data && !asked)
    return (
      <Notice isAnnounced title={text('messages.signIn.over')}>
        {text('messages.signIn.over.sentence')}
      </Notice>
    )
  if (asked?.safeMessageHash)
    return (
      <Navigate
        replace
        to="/safes/$chainId/$safeAddress/messages/$safeMessageHash"
        params={{ chainId, safeAddress, safeMessageHash: asked.safeMessageHash }}
      />
    )
  return (
    <>
      <div className="mb-8">
        <SignInNotice
          message={message}
          actions={asked && <RefuseSignIn chainId={chainId} safeAddress={safeAddress} message={message} />}
        />
      </div>
      <ReviewAndSign request={request} />
    </>
  )
}

/** The fields of a message, each with its own error, shown once the review was asked for. */
function MessageForm({
  draft,
  onChange,
  onReview,
}: {
  draft: MessageDraft
  onChange: (draft: MessageDraft) => void
  onReview: (content: string, origin: string | null) => void
}) {
  const [isAsked, setIsAsked] = useState(false)
  const read = parseMessageDraft(draft)
  const set = (part: Partial<MessageDraft>) => onChange({ ...draft, ...part })
  const error =
    isAsked && !read.ok
      ? read.reason === null
        ? text('message.new.empty')
        : text('message.new.unreadable', { reason: read.reason })
      : undefined
  const moved = asTyped(draft)
  const [isMoved, setIsMoved] = useState(false)
  return (
    <Section title={text('message.new.edit')}>
      <Form
        submit={text('message.new.review')}
        state={{
          onSubmit: () => {
            setIsAsked(true)
            if (read.ok) onReview(read.content, read.origin)
          },
        }}
        actions={
          <Button
            onClick={() => {
              setIsAsked(false)
              onChange(emptyMessageDraft)
            }}
          >
            {text('message.new.discard')}
          </Button>
        }
      >
        <SelectField
          label={text('message.new.kind')}
          value={draft.kind}
          onChange={(event) => {
            setIsMoved(false)
            set({ kind: event.target.value === 'typed' ? 'typed' : 'text' })
          }}
        >
          <option value="text">{text('message.new.kind.text')}</option>
          <option value="typed">{text('message.new.kind.typed')}</option>
        </SelectField>
        {draft.kind === 'text' ? (
          <TextField
            key="text"
            label={text('message.new.text')}
            rows={6}
            value={draft.text}
            onChange={(event) => set({ text: event.target.value })}
            hint={text(looksTyped(draft) ? 'message.new.text.looksTyped' : 'message.new.text.hint')}
            error={error}
          />
        ) : (
          <TextField
            key="typed"
            label={text('message.new.typed')}
            rows={14}
            isFigures
            spellCheck={false}
            autoComplete="off"
            // The button that had the focus is gone.
            autoFocus={isMoved}
            value={draft.typed}
            onChange={(event) => set({ typed: event.target.value })}
            hint={text('message.new.typed.hint')}
            error={error}
          />
        )}
        {moved && (
          <div>
            <Button
              isCompact
              onClick={() => {
                setIsMoved(true)
                onChange(moved)
              }}
            >
              {text('message.new.text.asTyped')}
            </Button>
          </div>
        )}
        <Field
          label={text('message.new.origin')}
          value={draft.origin}
          maxLength={200}
          onChange={(event) => set({ origin: event.target.value })}
          hint={text('message.new.origin.hint')}
        />
      </Form>
    </Section>
  )
}

function ReviewAndSign({ request, onProposed }: { request: MessageRequest; onProposed?: () => void }) {
  const { chainId, safeAddress } = request.subject
  const chain = useChain(chainId)
  const { session } = useSession()
  const navigate = useNavigate()
  const team = useTeamNames(chainId, safeAddress)
  const account = session?.address ?? null
  return (
    <ProposeReview
      request={request}
      title={() => messageTitle(request.json)}
      explanation={text('message.new.sign.explanation', { account: account ?? '' })}
      onProposed={({ hash }) => {
        onProposed?.()
        void navigate({
          replace: true,
          to: '/safes/$chainId/$safeAddress/messages/$safeMessageHash',
          params: { chainId, safeAddress, safeMessageHash: hash },
        })
      }}
    >
      {({ review, state }, parts) =>
        review.kind === 'message' && (
          <MessageReviewView
            review={review}
            request={request}
            state={state}
            {...parts}
            names={namesOf(safeAddress, state, account, chain, team)}
          />
        )
      }
    </ProposeReview>
  )
}
