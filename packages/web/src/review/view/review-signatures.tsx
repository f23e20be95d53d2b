import type { MultisigTransaction } from '@countersign/contract'
import type { Review, ReviewedConfirmation, SafeState } from '@countersign/safe-core'
import { Address, Hash } from '../../ui/address.tsx'
import { Details, Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { isSame, type Names, nameOf } from '../names.ts'
import { text } from '../text.ts'

const tones = { valid: 'good', invalid: 'danger', 'not-owner': 'danger', 'not-checked': 'neutral' } as const

/** Every signature as it was verified in this browser, then the owners who have not signed. */
export function ReviewSignatures({
  review,
  transaction,
  state,
  names,
}: {
  review: Pick<Review, 'confirmations'>
  /** Or a message, which is never executed. */
  transaction: Pick<MultisigTransaction, 'confirmationsRequired' | 'isExecuted'> & {
    confirmations: readonly { signature: string; submissionDate: string }[]
  }
  state: SafeState | undefined
  names: Names
}) {
  const valid = review.confirmations.filter(({ status }) => status === 'valid')
  const missing = (state?.owners ?? []).filter(
    (owner) => !review.confirmations.some((one) => isSame(one.owner, owner) && one.status !== 'invalid'),
  )
  // Of what is executed, what it needed then: today's threshold may be another.
  const threshold = transaction.isExecuted
    ? transaction.confirmationsRequired
    : (state?.threshold ?? transaction.confirmationsRequired)
  return (
    <Section
      title={text('review.signatures')}
      aside={
        <span data-confirmations={valid.length}>
          {threshold === null
            ? text('review.signatures.countAlone', { count: valid.length })
            : text('review.signatures.count', { count: valid.length, threshold })}
        </span>
      }
    >
      {review.confirmations.length === 0 && <p className="mb-3 text-ink-soft">{text('review.signatures.none')}</p>}
      <Rows label={text('review.signatures')}>
        {review.confirmations.map((confirmation) => (
          <Row key={`${confirmation.owner} ${confirmation.signature}`}>
            <Signature
              confirmation={confirmation}
              names={names}
              submissionDate={
                transaction.confirmations.find((one) => one.signature === confirmation.signature)?.submissionDate
              }
            />
          </Row>
        ))}
        {!transaction.isExecuted &&
          missing.map((owner) => (
            <Row key={owner}>
              <div className="flex flex-wrap items-start justify-between gap-2">
                <Address address={owner} name={nameOf(owner, names)} />
                <Tag>{text('review.signatures.missing')}</Tag>
              </div>
            </Row>
          ))}
      </Rows>
    </Section>
  )
}

function Signature({
  confirmation,
  names,
  submissionDate,
}: {
  confirmation: ReviewedConfirmation
  names: Names
  submissionDate: string | undefined
}) {
  const { owner, signature, status, signatureType, otherSafeTxHash } = confirmation
  return (
    <div data-signature={status} data-owner={owner}>
      <div className="flex flex-wrap items-start justify-between gap-2">
        <Address address={owner} name={nameOf(owner, names)} />
        <Tag tone={tones[status]}>{text(`review.signatures.${status}`)}</Tag>
      </div>
      {otherSafeTxHash && (
        <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-danger">
          {text('review.signatures.other')} <Hash hash={otherSafeTxHash} />
        </p>
      )}
      <Details
        hasRule={false}
        summary={
          <span className="text-small text-ink-soft">
            {text('review.signatures.show')} <span className="figures">{signatureType}</span>
            {submissionDate && (
              <>
                {' · '}
                <Time value={submissionDate} />
              </>
            )}
          </span>
        }
      >
        <span className="figures text-small wrap-anywhere">{signature}</span>
      </Details>
    </div>
  )
}
