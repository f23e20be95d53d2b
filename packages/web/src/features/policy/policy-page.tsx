import { CountersignError } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import type { Address as AddressType } from 'viem'
import { policyQuery, type VerifiedPolicy } from '../../evidence/policy/served-policy.ts'
import { policyState } from '../../evidence/policy/team-policy.ts'
import { safeQuery } from '../../safe/safe.ts'
import { SafePageHead } from '../../safe/safe-page-head.tsx'
import { useSafeState } from '../../safe/safe-state.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { useSession } from '../../wallet/index.ts'
import { InForce } from './in-force.tsx'
import { comparedWith, type Place } from './policy-words.ts'
import { ProposePolicy } from './propose-policy.tsx'
import { ProposedVersion } from './proposed-version.tsx'
import { text } from './text.ts'

/** The team's policy: what is in force, what is proposed, and a form for the next version. */
export function PolicyPage({ chainId, safeAddress }: { chainId: number; safeAddress: AddressType }) {
  const safe = useQuery(safeQuery(chainId, safeAddress))
  return (
    <div data-policy={safeAddress}>
      <SafePageHead parent="team" chainId={chainId} safeAddress={safeAddress} title={text('policy.title')} />
      <p className="mb-6 max-w-prose text-ink-soft">{text('policy.what')}</p>
      <Loaded
        of={safe}
        loading={text('policy.loading')}
        instead={(error) => error instanceof CountersignError && error.code === 'SAFE_NOT_FOUND' && <TeamOnlyNotice />}
      >
        {({ role }) => (role ? <Policy place={{ chainId, safeAddress }} /> : <TeamOnlyNotice />)}
      </Loaded>
    </div>
  )
}

function TeamOnlyNotice() {
  return <Empty title={text('policy.private')} />
}

function Policy({ place }: { place: Place }) {
  const policy = useQuery(policyQuery(place.chainId, place.safeAddress))
  return (
    <Loaded of={policy} loading={text('policy.loading')} lines={6}>
      {(served) => <VerifiedPolicyView place={place} served={served} />}
    </Loaded>
  )
}

function VerifiedPolicyView({ place, served }: { place: Place; served: VerifiedPolicy }) {
  const safe = useSafeState(place.chainId, place.safeAddress)
  const { session } = useSession()
  return (
    <Loaded of={safe} loading={text('policy.loading')}>
      {({ owners, threshold }) => {
        const state = policyState(place, served, { owners, threshold })
        const account = owners.find((owner) => owner === session?.address) ?? null
        const by = { place, owners, threshold, account }
        const inForce = state.status === 'in-force' ? state : null
        return (
          <>
            {state.status === 'rolled-back' && (
              <Notice tone="danger" title={text('policy.rolledBack')} isAnnounced>
                {text('policy.rolledBack.sentence', {
                  why: state.why,
                  seen: state.seen?.number ?? 0,
                  hash: state.seen?.hash ?? '',
                })}
              </Notice>
            )}
            {state.status === 'none' && <Empty title={text('policy.none')}>{text('policy.none.sentence')}</Empty>}
            {inForce && served.inForce && <InForce {...by} state={inForce} version={served.inForce.version} />}
            {served.proposed && (
              <ProposedVersion
                {...by}
                proposed={served.proposed}
                before={comparedWith(state, served.proposed.policy)}
              />
            )}
            <PolicyScope />
            {account && !served.proposed && state.status !== 'rolled-back' && (
              <ProposePolicy {...by} account={account} previous={inForce} />
            )}
          </>
        )
      }}
    </Loaded>
  )
}

function PolicyScope() {
  return (
    <Section title={text('policy.never')}>
      <Rows label={text('policy.never')}>
        <Row>{text('policy.never.cancel')}</Row>
        <Row>{text('policy.never.owners')}</Row>
        <Row>{text('policy.never.export')}</Row>
        <Row>{text('policy.never.record')}</Row>
      </Rows>
      <p className="mt-3 max-w-prose text-small text-ink-soft">{text('policy.chain')}</p>
    </Section>
  )
}
