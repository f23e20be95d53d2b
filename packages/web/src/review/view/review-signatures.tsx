import type { MultisigTransaction } from '@countersign/contract'
import type { Review, ReviewedConfirmation } from '@countersign/review'
import { isSameAddress, type SafeState } from '@countersign/safe'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { Address, Hash } from '../../ui/address.tsx'
import { Avatar } from '../../ui/avatar/avatar.tsx'
import { CardPart } from '../../ui/card.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Details } from '../../ui/section.tsx'
import { Time } from '../../ui/text/time.tsx'

const looks = {
  valid: 'text-accent',
  invalid: 'font-semibold text-danger',
  'not-owner': 'font-semibold text-danger',
  'not-checked': 'text-ink-soft',
} as const
/** Owners who have not signed and are named at once. */
const SHOWN = 5

type Collected = {
  review: Pick<Review, 'confirmations' | 'verdict'>
  /** Or a message, which is never executed. */
  transaction: Pick<MultisigTransaction, 'confirmationsRequired' | 'isExecuted'> & {
    confirmations: readonly { signature: string; submissionDate: string }[]
  }
  state: SafeState | undefined
  names: Names
}

/** Lists who has signed, as this browser verified it, then the owners who have not: in the card of the decision. */
export function Signers({ review, transaction, state, names }: Collected) {
  const { confirmations, verdict } = review
  const count = confirmations.filter(({ status }) => status === 'valid').length
  const missing = transaction.isExecuted
    ? []
    : (state?.owners ?? []).filter(
        (owner) =>
          !confirmations.some(
            (confirmation) => isSameAddress(confirmation.owner, owner) && confirmation.status !== 'invalid',
          ),
      )
  // An executed transaction needed the threshold of its time: today's may be another.
  const threshold = transaction.isExecuted
    ? transaction.confirmationsRequired
    : (state?.threshold ?? transaction.confirmationsRequired)
  const isComplete = threshold !== null && count >= threshold
  const open = (owners: readonly string[]) =>
    owners.map((owner) => (
      <Signer key={owner} owner={owner} names={names} isWaiting>
        {text(
          verdict === 'do-not-sign'
            ? 'review.signatures.doNotSign'
            : isComplete
              ? 'review.signatures.notNeeded'
              : names.account !== null && isSameAddress(owner, names.account)
                ? 'review.signatures.yourTurn'
                : 'review.signatures.missing',
        )}
      </Signer>
    ))
  return (
    <CardPart
      title={
        <span data-confirmations={count}>
          {threshold === null
            ? text('review.signatures.countAlone', { count })
            : text('review.signatures.count', { count, threshold })}
        </span>
      }
    >
      <ul aria-label={text('review.signatures')}>
        {confirmations.map((confirmation) => (
          <SignatureStatus
            key={`${confirmation.owner} ${confirmation.signature}`}
            confirmation={confirmation}
            names={names}
            verdict={verdict}
          />
        ))}
        {open(missing.slice(0, SHOWN))}
      </ul>
      {missing.length > SHOWN && (
        <Details hasRule={false} summary={text('review.signatures.more', { count: missing.length - SHOWN })}>
          <ul>{open(missing.slice(SHOWN))}</ul>
        </Details>
      )}
    </CardPart>
  )
}

/** A signature that is good under what must not be signed is bad news. */
function SignatureStatus({
  confirmation: { owner, status, otherSafeTxHash },
  names,
  verdict,
}: {
  confirmation: ReviewedConfirmation
  names: Names
  verdict: Review['verdict']
}) {
  const look = verdict === 'do-not-sign' && status === 'valid' ? looks.invalid : looks[status]
  return (
    <>
      <Signer owner={owner} names={names} status={status}>
        <span className={look}>{text(`review.signatures.${status}`)}</span>
      </Signer>
      {otherSafeTxHash && (
        <li className="pb-1.5 text-small text-danger">
          {text('review.signatures.other')} <Hash hash={otherSafeTxHash} />
        </li>
      )}
    </>
  )
}

function Signer({
  owner,
  names,
  status,
  isWaiting = false,
  children,
}: {
  owner: string
  names: Names
  status?: ReviewedConfirmation['status']
  isWaiting?: boolean
  children: string | React.ReactElement
}) {
  const name = nameOf(owner, names)
  return (
    <li data-signature={status} data-owner={status && owner} className="flex flex-wrap items-center gap-x-2.5 py-1">
      <span className={isWaiting ? 'opacity-45 grayscale' : ''}>
        <Avatar address={owner} size={26} />
      </span>
      <span className="min-w-0 flex-[1_1_5rem] wrap-anywhere" title={owner}>
        {name ?? <Address address={owner} hasAvatar={false} isCopyable={false} />}
      </span>
      <span className="ml-auto text-right text-small text-ink-soft">{children}</span>
    </li>
  )
}

/** Every signature as it was handed in, with the account in full. */
export function ReviewSignatures({ review, transaction, names }: Omit<Collected, 'state'>) {
  return (
    <Fold
      title={text('review.signatures')}
      result={text('review.signatures.result', { count: review.confirmations.length })}
    >
      {review.confirmations.length === 0 && <p className="text-ink-soft">{text('review.signatures.none')}</p>}
      <ul className="grid gap-3">
        {review.confirmations.map(({ owner, signature, signatureType, status }) => {
          const date = transaction.confirmations.find(
            (confirmation) => confirmation.signature === signature,
          )?.submissionDate
          return (
            <li key={`${owner} ${signature}`}>
              <Address address={owner} name={nameOf(owner, names)} hasAvatar={false} />
              <p className="text-small text-ink-soft">
                <span className={looks[status]}>{text(`review.signatures.${status}`)}</span>
                {' · '}
                <span className="figures">{signatureType}</span>
                {date && (
                  <>
                    {' · '}
                    <Time value={date} />
                  </>
                )}
              </p>
              <p className="figures text-small wrap-anywhere">{signature}</p>
            </li>
          )
        })}
      </ul>
    </Fold>
  )
}
