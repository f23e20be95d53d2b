import type { Safe } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useChain, useChains } from '../../api/configuration.ts'
import { safesQuery } from '../../api/safes.ts'
import { chooseName, type GivenName, shortName } from '../../api/team-names.ts'
import { loadTexts } from '../../text/text.ts'
import { Address } from '../../ui/address.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Empty } from '../../ui/empty.tsx'
import { List } from '../../ui/list.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSession } from '../../wallet/index.ts'
import { text } from './text.ts'

/** The review and its texts come when something waits. */
const WaitingVerdicts = lazy(async () => {
  const { WaitingVerdicts: view } = await import('./waiting-verdicts.tsx')
  await loadTexts()
  return { default: view }
})

/** My Safes, with what waits for the reader in each. */
export function SafeList() {
  const { session } = useSession()
  const safes = useQuery(safesQuery)
  const alike = alikeSafes(safes.data?.safes ?? [], session?.address ?? null)
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
        {(safe) => <SafeEntry safe={safe} isAlike={alike.has(safe)} />}
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

function SafeEntry({ safe, isAlike }: { safe: Safe; isAlike: boolean }) {
  const chain = useChain(safe.chainId)
  const { session } = useSession()
  const role = session?.address === safe.address ? 'itself' : (safe.role ?? 'none')
  const given = nameOf(safe, session?.address ?? null)
  return (
    <article
      data-safe={safe.address}
      className="grid items-center gap-x-6 gap-y-2 sm:grid-cols-[minmax(0,1fr)_auto] xl:grid-cols-[minmax(0,1fr)_7rem_17rem]"
    >
      <div className="flex min-w-0 items-start gap-3">
        <Avatar address={safe.address} size={34} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <TextLink
              look="row"
              to="/safes/$chainId/$safeAddress"
              params={{ chainId: safe.chainId, safeAddress: safe.address }}
              aria-label={`${given ? shortName(given) : text('safes.unnamed')} ${safe.address}`}
            >
              {given ? shortName(given) : text('safes.unnamed')}
            </TextLink>
            <Tag>{chain?.name ?? text('safes.chain.unknown', { chainId: safe.chainId })}</Tag>
            {safe.version === null && <Tag tone="danger">{text('safes.version.unknown')}</Tag>}
            {isAlike && <Tag tone="warning">{text('safes.alike')}</Tag>}
          </p>
          <Address address={safe.address} hasAvatar={false} isCopyable={false} />
        </div>
      </div>
      <p className="text-small text-ink-soft max-xl:pl-11.5 sm:max-xl:row-start-2">
        {text('safes.owners', { threshold: safe.threshold, owners: safe.owners.length })}
      </p>
      <div className="flex flex-wrap gap-2 max-sm:pl-11.5 xl:justify-end">
        {safe.awaitingMyConfirmation > 0 && (
          <Tag tone="warning">{text('safes.waiting', { count: safe.awaitingMyConfirmation })}</Tag>
        )}
        {safe.awaitingMyConfirmation > 0 && session && (
          <Suspense>
            <WaitingVerdicts chainId={safe.chainId} safeAddress={safe.address} account={session.address} />
          </Suspense>
        )}
        {role !== 'owner' && <Tag>{text(`safes.role.${role}`)}</Tag>}
        {safe.awaitingMyConfirmation === 0 && role === 'owner' && (
          <span className="text-small text-ink-faint">{text('safes.waiting.none')}</span>
        )}
      </div>
    </article>
  )
}

function nameOf(safe: Safe, reader: string | null): GivenName | undefined {
  return chooseName(safe.names, { owners: safe.owners, reader })
}

/**
 * Tells the Safes whose name another one has too, however it is written. A Safe that the reader named is not marked: it
 * is the other that imitates it.
 */
export function alikeSafes(safes: readonly Safe[], reader: string | null): ReadonlySet<Safe> {
  const named = safes.flatMap((safe) => {
    const given = nameOf(safe, reader)
    return given ? [{ safe, by: given.by, skeleton: skeletonOf(given.name) }] : []
  })
  return new Set(
    named
      .filter(
        ({ safe, by, skeleton }) =>
          by !== 'you' && named.some((other) => other.safe !== safe && other.skeleton === skeleton),
      )
      .map(({ safe }) => safe),
  )
}

/** Letters and digits alone: case, accents, blanks and signs make no other name. */
function skeletonOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
