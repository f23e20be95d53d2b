import type { MultisigTransaction } from '@countersign/contract'
import { isSameAddress, type SafeState, type SafeTx } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Address, Hex } from 'viem'
import type { TransactionRequest } from '../../review/subject.ts'
import { nameOf } from '../../safe/names/names.ts'
import { proposalsOf } from '../../safe/proposals.ts'
import { safeQuery } from '../../safe/safe.ts'
import { safesQuery } from '../../safe/safes.ts'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { Section } from '../../ui/section.tsx'
import { BuilderFile } from './builder-file.tsx'
import { addEntry, type Draft, type EntryKind, isEmptyDraft, joinDraft, splitDraft } from './draft.ts'
import { EntryList } from './entry-list.tsx'
import { KNOWN_ADDRESSES } from './fields/address-fields.tsx'
import { NonceField } from './fields/nonce-field.tsx'
import { type FormFacts, useFormFacts } from './form-facts.ts'
import { LiveReview } from './live-review.tsx'
import { sameInQueue } from './payout/batch-standing.ts'
import { PaymentListForm } from './payout/payment-list-form.tsx'
import type { KeptPayout } from './payout/saved-payout.ts'
import { readDraft } from './read-draft.ts'
import { type NamedRecipient, namesIn } from './registered-name.ts'
import { type DraftPlace, isInBrowser } from './saved/unfinished.ts'
import { SettingsChange } from './settings-change.tsx'
import { SharedGone, TeamDrafts } from './team-drafts.tsx'
import { text } from './text.ts'

type FormProps = {
  place: DraftPlace
  draft: Draft
  onChange: (draft: Draft) => void
  onDiscard: () => void
  onReview: (safeTx: SafeTx, origin: string | null, named: readonly NamedRecipient[]) => void
  onPayout: (payout: KeptPayout) => void
  requestOf: (safeTx: SafeTx, origin: string | null) => TransactionRequest
  state: SafeState
  transactions: readonly MultisigTransaction[]
}

/** The entries of a draft with their fields, and beside them what co-owners will read. */
export function ProposeForm({
  place,
  draft,
  onChange,
  onDiscard,
  onReview,
  onPayout,
  requestOf,
  state,
  transactions,
}: FormProps) {
  const [isAsked, setIsAsked] = useState(false)
  /** The draft whose review was asked for before all answers about it were there: then it goes on by itself. */
  const [askedFor, setAskedFor] = useState<Draft | null>(null)
  const [openId, setOpenId] = useState(draft.entries.at(-1)?.id ?? 0)
  const proposals = proposalsOf(transactions)
  const facts = useFormFacts(draft, state, proposals)
  const read = readDraft(draft, facts)
  const errors = isAsked ? read.errors : {}
  const isReading = facts.isReading || read.isAwaited
  const same = read.safeTx && sameInQueue(read.safeTx, transactions)
  const twin = same && same.nonce !== read.safeTx?.nonce ? same : null
  const add = (kind: EntryKind) => {
    const added = addEntry(draft, kind)
    onChange(added.draft)
    setOpenId(added.id)
    setIsAsked(false)
  }
  const ask = () => {
    if (read.safeTx) return onReview(read.safeTx, read.origin, namedIn(draft, facts))
    if (isReading) return setAskedFor(draft)
    setIsAsked(true)
    const faulty = read.parts.find((part) => Object.keys(part.errors).length > 0)
    if (faulty) setOpenId(faulty.entry.id)
  }
  useEffect(() => {
    if (askedFor === null || (askedFor === draft && isReading)) return
    setAskedFor(null)
    // A draft that was changed meanwhile was not asked for.
    if (askedFor === draft) ask()
  })
  return (
    <div className="@container">
      <div className="@[52.75rem]:grid @[52.75rem]:grid-cols-[minmax(0,1fr)_21.75rem] @[52.75rem]:items-start @[52.75rem]:gap-x-10">
        <div className="min-w-0">
          <SharedGone draft={draft} chainId={state.chainId} safeAddress={state.address} />
          <Section title={text(draft.entries.length > 1 ? 'compose.batch' : 'propose.edit.title')}>
            <Form
              submit={text('propose.review')}
              busy={text('compose.reading')}
              state={{ onSubmit: ask, isSending: askedFor !== null }}
              actions={
                <>
                  {!isEmptyDraft(draft) && (
                    <Button variant="quiet" onClick={onDiscard}>
                      {text('propose.draft.discard')}
                    </Button>
                  )}
                  <DraftStorageNote place={place} draft={draft} />
                </>
              }
            >
              <KnownAddresses facts={facts} />
              <EntryList
                draft={draft}
                facts={facts}
                isAsked={isAsked}
                openId={openId}
                onChange={onChange}
                parts={read.parts}
                onOpen={setOpenId}
              />
              <AddButtons onAdd={add} />
              {draft.later.length > 0 && <LaterEntries draft={draft} onChange={onChange} />}
              {facts.problem && <QueryProblem error={facts.problem.error} onRetry={facts.problem.retry} />}
              {errors.library && <LibraryProblem facts={facts}>{errors.library}</LibraryProblem>}
              {twin && <DuplicateWarning {...twin} chainId={state.chainId} safeAddress={state.address} />}
              <NonceField
                proposals={proposals}
                nonce={draft.nonce}
                nextNonce={facts.nextNonce}
                names={facts.names}
                elsewhere={facts.elsewhere}
                onChange={(nonce) => onChange({ ...draft, nonce })}
                error={errors.nonce}
              />
              <Field
                label={text('propose.origin')}
                value={draft.origin}
                onChange={(event) => onChange({ ...draft, origin: event.target.value })}
                autoComplete="off"
                error={errors.origin}
                hint={text('propose.origin.hint')}
              />
            </Form>
          </Section>
          <SettingsChange before={state} after={read.after} names={facts.names} />
          <div className="mb-9">
            <TeamDrafts
              draft={draft}
              names={facts.names}
              chainId={state.chainId}
              safeAddress={state.address}
              onOpen={(opened) => {
                onChange({ ...opened, nonce: draft.nonce })
                setOpenId(opened.entries.at(-1)?.id ?? 0)
                setIsAsked(false)
              }}
            />
            <PaymentListForm draft={draft} facts={facts} onChange={onChange} onPayout={onPayout} />
            <BuilderFile draft={draft} read={read} facts={facts} onChange={onChange} />
          </div>
        </div>
        <div className="mb-9 @[52.75rem]:sticky @[52.75rem]:top-6">
          <LiveReview
            safeTx={read.safeTx}
            request={(safeTx) => requestOf(safeTx, read.origin)}
            names={facts.names}
            entries={draft.entries.length}
            onSplit={(count) => onChange(splitDraft(draft, count))}
          />
        </div>
      </div>
    </div>
  )
}

/** Says how long a draft lasts. */
function DraftStorageNote({ place, draft }: Pick<FormProps, 'place' | 'draft'>) {
  return isInBrowser(place, draft) ? (
    <p className="text-small text-ink-faint">{text('drafts.kept')}</p>
  ) : (
    <p data-draft="in-tab" className="text-small text-warning">
      {text('drafts.kept.tab')}
    </p>
  )
}

function AddButtons({ onAdd: add }: { onAdd: (kind: EntryKind) => void }) {
  return (
    <fieldset>
      <legend className="text-small font-semibold">{text('compose.add.title')}</legend>
      <div className="mt-1.5 flex flex-wrap gap-2">
        <Button isCompact onClick={() => add('transfer')}>
          {text('compose.add.payment')}
        </Button>
        <Button isCompact onClick={() => add('function')}>
          {text('compose.add.call')}
        </Button>
        <Button isCompact onClick={() => add('add-owner')}>
          {text('compose.add.settings')}
        </Button>
      </div>
    </fieldset>
  )
}

/** Entries of the draft that are for a later transaction. */
function LaterEntries({ draft, onChange }: Pick<FormProps, 'draft' | 'onChange'>) {
  return (
    <div data-later={draft.later.length}>
      <Notice
        actions={
          <Button isCompact onClick={() => onChange(joinDraft(draft))}>
            {text('compose.later.back')}
          </Button>
        }
      >
        {text('compose.later', { count: draft.later.length })}
      </Notice>
    </div>
  )
}

/** Says why no contract is known that would make the calls of a batch. */
function LibraryProblem({ facts, children }: { facts: FormFacts; children: string }) {
  return (
    <Notice
      tone="danger"
      isAnnounced
      actions={
        facts.isLibraryUnread && (
          <Button isCompact onClick={facts.readLibrary}>
            {text('problem.retry')}
          </Button>
        )
      }
    >
      {children}
    </Notice>
  )
}

/** Warns of a proposal that does exactly this and still waits: somebody else of the team may have typed the same. */
function DuplicateWarning({
  chainId,
  safeAddress,
  hash,
  nonce,
}: {
  chainId: number
  safeAddress: Address
  hash: Hex
  nonce: bigint
}) {
  return (
    <div data-twin={hash}>
      <Notice
        tone="warning"
        isAnnounced
        actions={
          <ButtonLink
            to="/safes/$chainId/$safeAddress/transactions/$safeTxHash"
            params={{ chainId, safeAddress, safeTxHash: hash }}
          >
            {text('compose.sent.open')}
          </ButtonLink>
        }
      >
        {text('again.twice', { nonce })}
      </Notice>
    </div>
  )
}

/** Names that stand for addresses in a draft, and whom they mean. */
function namedIn(draft: Draft, { registered }: FormFacts): NamedRecipient[] {
  return namesIn(draft).flatMap((name) => {
    const read = registered.get(name)
    return read?.kind === 'found' ? [{ name, address: read.address }] : []
  })
}

/** Suggestions of every field for an address: the team's book, the reader's own Safes on this chain, whom the Safe has paid. */
function KnownAddresses({ facts: { names, safe } }: { facts: FormFacts }) {
  const { data } = useQuery(safesQuery)
  const paid = useQuery(safeQuery(safe.chainId, safe.address)).data?.paid ?? []
  const own = (data?.safes ?? []).filter(({ chainId }) => chainId === safe.chainId)
  const known = new Map<string, string>()
  // A name is never without its author: anybody of the team may name an address of their own like a supplier.
  for (const { address } of names.team) known.set(address, nameOf(address, names) ?? '')
  for (const { address } of own) if (!known.has(address)) known.set(address, text('compose.ownSafe'))
  // A history can be poisoned: an account that was paid before is never more than that.
  for (const address of paid) if (!known.has(address)) known.set(address, text('compose.paidBefore'))
  return (
    <datalist id={KNOWN_ADDRESSES}>
      {[...known].flatMap(([address, name]) =>
        isSameAddress(address, safe.address) ? [] : [<option key={address} value={address} label={name} />],
      )}
    </datalist>
  )
}
