import type { MultisigTransaction } from '@countersign/contract'
import { isSameAddress } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import type { Address as AddressType } from 'viem'
import { delegatesQuery } from '../../safe/delegates.ts'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Fold } from '../../ui/fold.tsx'
import { Time } from '../../ui/text/time.tsx'

type Claims = Pick<MultisigTransaction, 'chainId' | 'safeAddress' | 'origin' | 'proposer' | 'submissionDate'> &
  // A message is proposed by owners alone.
  Partial<Pick<MultisigTransaction, 'proposedByDelegate'>>

/** Shows the claims of others. They stand last, because nothing in them is checked. */
export function ReviewClaims({ claims, names }: { claims: Claims; names: Names }) {
  const { origin, proposer, proposedByDelegate, submissionDate } = claims
  return (
    <Fold title={text('review.claims')} result={text('review.claims.result')}>
      <p className="mb-2 text-small text-ink-soft">{text('review.claims.aside')}</p>
      <Facts>
        <Fact label={text('review.claims.origin')}>
          {origin === null ? text('review.claims.origin.none') : <q data-origin>{showUntrusted(origin)}</q>}
        </Fact>
        {proposedByDelegate && (
          <Fact label={text('review.claims.proposer')}>
            <span data-written-by>
              <WrittenBy delegate={proposedByDelegate} claims={claims} names={names} />
            </span>
          </Fact>
        )}
        {proposer && (
          <Fact label={text(proposedByDelegate ? 'review.claims.proposedFor' : 'review.claims.proposer')}>
            <Address address={proposer} name={nameOf(proposer, names)} />
          </Fact>
        )}
        <Fact label={text('review.claims.submitted')}>
          <Time value={submissionDate} />
        </Fact>
      </Facts>
    </Fold>
  )
}

/** The owner who named a proposer called it something. That is a claim too. */
function WrittenBy({ delegate, claims, names }: { delegate: AddressType; claims: Claims; names: Names }) {
  const { data } = useQuery(delegatesQuery(claims.chainId, claims.safeAddress))
  const named = data?.delegates.find((other) => isSameAddress(other.delegate, delegate))
  const called = named
    ? text('review.claims.proposer.name', { name: showUntrusted(named.label, 60) })
    : text('review.claims.proposer.unnamed')
  return <Address address={delegate} name={nameOf(delegate, names) ?? called} />
}
