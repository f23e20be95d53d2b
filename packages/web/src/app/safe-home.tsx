import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { Address as AddressType } from 'viem'
import { useChain } from '../api/configuration.ts'
import { listedTokensQuery } from '../features/assets/assets.ts'
import { Balances } from '../features/assets/balances.tsx'
import { WaitingForYou } from '../features/queue/waiting-for-you.tsx'
import { Health } from '../features/settings/health.tsx'
import { Alarms } from '../features/transaction/alarms.tsx'
import { NamedOwners } from '../safe/names/named-owners.tsx'
import { shortName } from '../safe/names/team-names.ts'
import { useSafeName } from '../safe/names/use-safe-name.ts'
import { queueQuery } from '../safe/queries.ts'
import { useRole } from '../safe/safe.ts'
import { text } from '../text/safe.ts'
import { withTexts } from '../text/text.ts'
import { Address } from '../ui/address.tsx'
import { Skeleton } from '../ui/loading.tsx'
import { lazyPart } from '../ui/part/lazy-part.tsx'
import { Section } from '../ui/section.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { SafeSection } from './safe-section.tsx'

/** The review of a creation comes with the Safe that has none yet. */
const NotDeployed = lazyPart(
  async () => (await withTexts(() => import('../features/create/not-deployed.tsx'))).NotDeployed,
)

/** The first page of a Safe: what waits for the reader, what it has, whose it is, how it is. */
export function SafeHome({ chainId, safeAddress }: { chainId: number; safeAddress: AddressType }) {
  const place = { chainId, safeAddress }
  const chain = useChain(chainId)
  // Asked in the same tick, it travels in the same batch; the section of balances shows it.
  useQuery(listedTokensQuery(chainId, safeAddress, chain?.tokens ?? []))
  const given = useSafeName(chainId, safeAddress)
  const role = useRole(chainId, safeAddress)
  // The queue stands above: balances come with it, and are not pushed down by it.
  const queue = useInfiniteQuery({ ...queueQuery(chainId, safeAddress), enabled: false })
  const isQueueComing = queue.isPending && queue.fetchStatus === 'fetching'
  return (
    <SafeSection
      {...place}
      title={given ? shortName(given) : chain ? text('safe.title.on', { chain: chain.name }) : text('safe.title')}
      tabTitle={text('safe.screens.home')}
      about={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Address address={safeAddress} />
          {!given && (role === 'owner' || role === 'proposer') && (
            <TextLink to="/safes/$chainId/$safeAddress/settings" params={place} look="action">
              {text('safe.name.give')}
            </TextLink>
          )}
        </div>
      }
      before={(hasTransactions) =>
        hasTransactions && (
          <>
            <Alarms {...place} />
            <WaitingForYou {...place} />
          </>
        )
      }
    >
      {({ state, account }) =>
        isQueueComing ? (
          <Skeleton label={text('safe.loading')} lines={6} />
        ) : (
          <>
            {state.creation && (
              <Suspense fallback={<Skeleton label={text('safe.loading')} lines={2} />}>
                <NotDeployed state={state} account={account} />
              </Suspense>
            )}
            <div className="grid gap-x-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)] xl:grid-cols-[minmax(0,1fr)_minmax(0,27rem)]">
              <div className="min-w-0">
                <Balances state={state} />
                <Health state={state} />
              </div>
              <Section
                title={text('safe.owners')}
                aside={text('safe.owners.aside', { threshold: state.threshold, count: state.owners.length })}
              >
                <NamedOwners {...place} owners={state.owners} />
              </Section>
            </div>
          </>
        )
      }
    </SafeSection>
  )
}
