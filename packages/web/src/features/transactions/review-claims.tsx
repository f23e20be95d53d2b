import type { MultisigTransaction } from '@countersign/contract'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import { type Names, nameOf } from './names.ts'
import { text } from './text.ts'

/** What others say. It stands last, because nothing of it is checked. */
export function ReviewClaims({ transaction, names }: { transaction: MultisigTransaction; names: Names }) {
  const { origin, proposer, submissionDate } = transaction
  return (
    <Section title={text('review.claims')} aside={text('review.claims.aside')}>
      <Facts>
        <Fact label={text('review.claims.origin')}>
          {origin === null ? text('review.claims.origin.none') : <q data-origin>{showUntrusted(origin)}</q>}
        </Fact>
        {proposer && (
          <Fact label={text('review.claims.proposer')}>
            <Address address={proposer} name={nameOf(proposer, names)} />
          </Fact>
        )}
        <Fact label={text('review.claims.submitted')}>
          <Time value={submissionDate} />
        </Fact>
        <Fact label={text('review.sources')}>{text('review.sources.server')}</Fact>
      </Facts>
    </Section>
  )
}
