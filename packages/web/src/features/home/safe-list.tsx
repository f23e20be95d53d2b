import { listSafes, type Safe } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { api } from '../../api/client.ts'
import { useChain, useChains } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { loadTexts, text } from '../../text/text.ts'
import { Address } from '../../ui/address.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSession } from '../../wallet/index.ts'

/** The review and its texts come when something waits. */
const WaitingVerdicts = lazy(async () => {
  const { WaitingVerdicts: view } = await import('./waiting-verdicts.tsx')
  await loadTexts()
  return { default: view }
})

/** My Safes, with what waits for the reader in each. */
export function SafeList() {
  const { session } = useSession()
  const safes = useQuery({
    queryKey: queryKeys.safes,
    queryFn: ({ signal }) => api(listSafes, {}, signal),
  })
  return (
    <div className="mb-12">
      <List
        of={safes}
        rows={safes.data?.safes ?? []}
        keyOf={({ chainId, address }) => `${chainId} ${address}`}
        label={text('safes.title')}
        loading={text('safes.loading')}
        empty={
          <Empty title={text('safes.empty')}>
            {text('safes.empty.sentence', { account: session?.address ?? text('safe.you') })}
          </Empty>
        }
      >
        {(safe) => <SafeEntry safe={safe} />}
      </List>
      {safes.data && <Coverage hasSafes={safes.data.safes.length > 0} />}
    </div>
  )
}

/** Which Safes this list can hold, by chain. */
function Coverage({ hasSafes }: { hasSafes: boolean }) {
  const chains = useChains()
  const names = (index: 'tracked' | 'whole-chain') =>
    chains
      .filter((chain) => chain.index === index)
      .map(({ name }) => name)
      .join(', ')
  const [whole, tracked] = [names('whole-chain'), names('tracked')]
  return (
    <div className="mt-3 grid max-w-prose gap-1 text-small text-ink-faint">
      {hasSafes && <p>{text('safes.readBy')}</p>}
      {whole !== '' && <p>{text('safes.covers.whole', { chains: whole })}</p>}
      {tracked !== '' && <p>{text('safes.covers.tracked', { chains: tracked })}</p>}
    </div>
  )
}

function SafeEntry({ safe }: { safe: Safe }) {
  const chain = useChain(safe.chainId)
  const { session } = useSession()
  const role = session?.address === safe.address ? 'itself' : (safe.role ?? 'none')
  return (
    <article data-safe={safe.address} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
      <div className="min-w-0">
        <TextLink to="/safes/$chainId/$safeAddress" params={{ chainId: safe.chainId, safeAddress: safe.address }}>
          <Address address={safe.address} isCopyable={false} />
        </TextLink>
        <p className="mt-1 flex flex-wrap gap-x-3 text-small text-ink-soft">
          <span>{chain?.name ?? text('safes.chain.unknown', { chainId: safe.chainId })}</span>
          <span>{text('safes.owners', { threshold: safe.threshold, owners: safe.owners.length })}</span>
          <span>{text('safes.nonce', { nonce: safe.nonce })}</span>
          <span>
            {safe.version === null ? text('safes.version.unknown') : text('safes.version', { version: safe.version })}
          </span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {safe.awaitingMyConfirmation > 0 && (
          <Tag tone="warning">{text('safes.waiting', { count: safe.awaitingMyConfirmation })}</Tag>
        )}
        {safe.awaitingMyConfirmation > 0 && session && (
          <Suspense>
            <WaitingVerdicts chainId={safe.chainId} safeAddress={safe.address} account={session.address} />
          </Suspense>
        )}
        <Tag>{text(`safes.role.${role}`)}</Tag>
      </div>
    </article>
  )
}
