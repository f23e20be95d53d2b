import { type Acknowledgement, type SubjectReview, wrongHashesOf } from '@countersign/review'
import { domainVersion, type SafeState } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { readSignatureFacts } from '../../evidence/facts.ts'
import { text } from '../../evidence/page-text.ts'
import { type HashSources, useHashSources } from '../../evidence/proof/hash-sources.ts'
import { type Names, nameOf } from '../../safe/names/names.ts'
import type { Place } from '../../safe/queries.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Fold } from '../../ui/fold.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Row, Rows } from '../../ui/section.tsx'
import type { ReviewRequest } from '../subject.ts'
import { hexOf, type ImportContext, type ImportProblem, type ImportReading, readImport } from './imported-signature.ts'
import { hasButton, type Offer } from './offer.ts'
import { useImport } from './use-confirm.ts'

/**
 * Signatures that owners made elsewhere: a contract, a machine without a network. What was reviewed is what a pasted one
 * is compared with, here, before it is sent.
 */
export function ImportConfirmations({
  place,
  request,
  review,
  acknowledgements,
  state,
  offer,
  acknowledge,
  names,
}: {
  place: Place
  request: ReviewRequest
  review: SubjectReview
  /** The person's answers to that review. */
  acknowledgements: readonly Acknowledgement[]
  state: SafeState
  offer: Offer
  /** The points to answer first, unless they stand elsewhere on the page. */
  acknowledge: ReactNode
  names: Names
}) {
  const importing = useImport(place)
  const sources = useHashSources(request.subject.chainId)
  const { ask, ...known } = contextOf(request, review, { state, sources })
  const [typed, setTyped] = useState('')
  const hex = hexOf(typed)
  const { data: reading, isFetching } = useQuery({
    queryKey: ['imported-signature', hex, known],
    queryFn: () => (hex === null ? null : readImport(hex, { ...known, ask })),
    enabled: hex !== null && offer.kind === 'offered',
    retry: false,
    gcTime: 0,
    // Most kinds need no node; where one is needed and away, that is said.
    networkMode: 'always',
  })
  if (!hasButton(offer)) return null
  const read = !isFetching && reading?.ok === true ? reading.signatures : null
  const send = () => {
    const shown = { hash: review.hash, acknowledgements }
    if (read && !importing.isPending) importing.mutate({ signed: read, shown }, { onSuccess: () => setTyped('') })
  }
  return (
    <div data-import={offer.kind}>
      <Fold title={text('importSignature.title')}>
        <p className="mb-4 max-w-prose text-ink-soft">{text('importSignature.what')}</p>
        {offer.kind !== 'refused' && <div className="mb-4 empty:hidden">{acknowledge}</div>}
        {offer.kind !== 'offered' ? (
          <p className="text-warning">{offer.reason}</p>
        ) : (
          <SignatureForm
            importing={importing}
            typed={typed}
            onType={(next) => {
              setTyped(next)
              importing.reset()
            }}
            isMalformed={typed.trim() !== '' && hex === null}
            isDisabled={read === null}
            onSend={send}
          >
            {hex !== null && isFetching && <Loading label={text('importSignature.checking')} />}
            {hex !== null && !isFetching && reading && <SignatureDescription reading={reading} names={names} />}
          </SignatureForm>
        )}
      </Fold>
    </div>
  )
}

function SignatureForm({
  importing,
  typed,
  onType,
  isMalformed,
  isDisabled,
  onSend,
  children,
}: {
  importing: ReturnType<typeof useImport>
  typed: string
  onType: (typed: string) => void
  isMalformed: boolean
  isDisabled: boolean
  onSend: () => void
  /** The signature as it was read. */
  children: ReactNode
}) {
  return (
    <Form
      submit={text('importSignature.submit')}
      busy={text(`confirm.busy.${importing.step}`)}
      isDisabled={isDisabled}
      state={{
        onSubmit: onSend,
        isSending: importing.isPending,
        error: importing.error,
        sent: importing.isSuccess || undefined,
      }}
      done={() => text('importSignature.done')}
    >
      <TextField
        label={text('importSignature.field')}
        hint={text('importSignature.field.hint')}
        isFigures
        rows={4}
        value={typed}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onType(target.value)}
        error={isMalformed ? text('importSignature.notHex') : undefined}
      />
      {children}
    </Form>
  )
}

function contextOf(
  { subject, others }: ReviewRequest,
  review: SubjectReview,
  { state, sources }: { state: SafeState; sources: HashSources },
): ImportContext {
  return {
    hash: review.hash,
    version: domainVersion(state),
    owners: state.owners,
    confirmed: review.confirmations.filter(({ status }) => status === 'valid').map(({ owner }) => owner),
    otherHashes: [...others.map(({ safeTxHash }) => safeTxHash), ...wrongHashesOf(subject, state)],
    takesApprovals: subject.kind === 'transaction',
    ask: (confirmations) => readSignatureFacts({ subject, state, sources }, confirmations),
  }
}

/** Whose it is and of what kind; or whose it is not. */
function SignatureDescription({ reading, names }: { reading: ImportReading; names: Names }) {
  if (!reading.ok)
    return (
      <Notice tone="danger" isAnnounced title={text('importSignature.refused')}>
        <span data-import-problem={reading.problem.kind}>
          <ImportProblemText problem={reading.problem} names={names} />
        </span>
      </Notice>
    )
  return (
    <div role="status">
      <Rows label={text('importSignature.found')}>
        {reading.signatures.map(({ owner, signatureType }) => (
          <Row key={owner}>
            <div data-imported={owner} data-kind={signatureType}>
              <Address address={owner} name={nameOf(owner, names)} />
              <p className="mt-1 text-small text-ink-soft">{text(`importSignature.kind.${signatureType}`)}</p>
            </div>
          </Row>
        ))}
      </Rows>
    </div>
  )
}

function ImportProblemText({ problem, names }: { problem: ImportProblem; names: Names }) {
  switch (problem.kind) {
    case 'malformed':
      return problem.sentence
    case 'kind-not-known':
      return text('importSignature.problem.kind-not-known', { kind: problem.signatureType })
    case 'not-owner':
      return (
        <>
          {text('importSignature.problem.not-owner')}{' '}
          <Address address={problem.signer} name={nameOf(problem.signer, names)} />
        </>
      )
    case 'other-hash':
      return (
        <>
          {text('importSignature.problem.other-hash')}{' '}
          <Address address={problem.owner} name={nameOf(problem.owner, names)} />
          <span className="mt-2 block">
            {text('importSignature.problem.other-hash.which')} <Hash hash={problem.otherHash} />
          </span>
        </>
      )
    default:
      return (
        <>
          {text(`importSignature.problem.${problem.kind}`)}{' '}
          <Address address={problem.owner} name={nameOf(problem.owner, names)} />
        </>
      )
  }
}
