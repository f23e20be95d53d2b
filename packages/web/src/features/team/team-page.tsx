import { CountersignError } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import type { Address as AddressType } from 'viem'
import { NamedOwners } from '../../safe/names/named-owners.tsx'
import { safeQuery } from '../../safe/safe.ts'
import { SafePageHead } from '../../safe/safe-page-head.tsx'
import { useSafeState } from '../../safe/safe-state.ts'
import { Empty } from '../../ui/empty.tsx'
import { Loaded } from '../../ui/list.tsx'
import { Section } from '../../ui/section.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSession } from '../../wallet/index.ts'
import { Delegates } from './delegates.tsx'
import { SafeAccessList } from './safe-access.tsx'
import { text } from './text.ts'
import { Viewers } from './viewers.tsx'

/** Shows the team of a Safe: owners by the chain, proposers and viewers by the word of owners. */
export function TeamPage({ chainId, safeAddress }: { chainId: number; safeAddress: AddressType }) {
  const safe = useQuery(safeQuery(chainId, safeAddress))
  const { session, ended } = useSession()
  // The page of a session that has ended stays, with what was typed into its forms.
  const account = (session ?? ended?.session)?.address
  return (
    <div data-team={safeAddress}>
      <SafePageHead chainId={chainId} safeAddress={safeAddress} title={text('team.title')} />
      <Owners chainId={chainId} safeAddress={safeAddress} />
      <Loaded
        of={safe}
        loading={text('team.loading')}
        instead={(error) => error instanceof CountersignError && error.code === 'SAFE_NOT_FOUND' && <TeamOnlyNotice />}
      >
        {({ role }) =>
          role && account ? (
            <>
              <Delegates place={{ chainId, safeAddress }} account={account} isOwner={role === 'owner'} />
              <Viewers place={{ chainId, safeAddress }} account={account} isOwner={role === 'owner'} />
              {role === 'owner' && <SafeAccessList place={{ chainId, safeAddress }} />}
              <Section title={text('team.policy')}>
                <p className="max-w-prose text-ink-soft">{text('team.policy.what')}</p>
                <TextLink look="target" to="/safes/$chainId/$safeAddress/team/policy" params={{ chainId, safeAddress }}>
                  {text('team.policy.open')}
                </TextLink>
              </Section>
              {role === 'owner' && (
                <Section title={text('team.webhooks')}>
                  <p className="max-w-prose text-ink-soft">{text('team.webhooks.what')}</p>
                  <TextLink
                    look="target"
                    to="/safes/$chainId/$safeAddress/team/webhooks"
                    params={{ chainId, safeAddress }}
                  >
                    {text('team.webhooks.open')}
                  </TextLink>
                </Section>
              )}
            </>
          ) : (
            <TeamOnlyNotice />
          )
        }
      </Loaded>
    </div>
  )
}

function TeamOnlyNotice() {
  return <Empty title={text('team.private')}>{text('team.private.sentence')}</Empty>
}

/** As this browser reads them from the chain. */
function Owners({ chainId, safeAddress }: { chainId: number; safeAddress: AddressType }) {
  const state = useSafeState(chainId, safeAddress)
  const threshold = state.data?.threshold ?? 0
  const count = state.data?.owners.length ?? 0
  return (
    <Section title={text('team.owners')} aside={state.data && text('safe.owners.aside', { threshold, count })}>
      <p className="mb-3 max-w-prose text-ink-soft">{text('team.owners.what')}</p>
      <Loaded of={state} loading={text('safe.loading')} lines={5}>
        {({ owners }) => <NamedOwners chainId={chainId} safeAddress={safeAddress} owners={owners} />}
      </Loaded>
    </Section>
  )
}
