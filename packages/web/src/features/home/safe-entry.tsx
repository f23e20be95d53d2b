import type { Safe } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { Address as AddressType } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { useChain } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { shortName } from '../../safe/names/team-names.ts'
import { waitingIn } from '../../safe/safe.ts'
import { withTexts } from '../../text/text.ts'
import { Address } from '../../ui/address.tsx'
import { formatAmount, shortenAmount } from '../../ui/amount/format-amount.ts'
import { Avatar } from '../../ui/avatar/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSession } from '../../wallet/index.ts'
import { type Alike, nameOfSafe } from './alike-safes.ts'
import { text } from './text.ts'

/** The review and its texts are loaded when something waits. */
const WaitingVerdicts = lazyPart(async () => (await withTexts(() => import('./waiting-verdicts.tsx'))).WaitingVerdicts)

/** A row of My Safes: which Safe it is, its owners and coin, and what waits for the reader. */
export function SafeEntry({
  safe,
  alike,
  isHidden,
  hasBalance,
  onHide,
}: {
  safe: Safe
  alike: Alike | undefined
  isHidden: boolean
  hasBalance: boolean
  /** Hides the Safe, or shows it again; null if it cannot be hidden. */
  onHide: (() => void) | null
}) {
  const { session } = useSession()
  const given = nameOfSafe(safe, session?.address ?? null)
  const name = given ? shortName(given) : null
  return (
    <article
      data-safe={safe.address}
      className="grid items-center gap-x-6 gap-y-2 sm:grid-cols-[minmax(0,1fr)_auto] xl:grid-cols-[minmax(0,1fr)_7rem_17rem]"
    >
      <SafeIdentity safe={safe} name={name ?? text('safes.unnamed')} alike={alike} />
      <p className="text-small text-ink-soft max-xl:pl-11.5 sm:max-xl:row-start-2">
        {text('safes.owners', { threshold: safe.threshold, owners: safe.owners.length })}
        {hasBalance && (
          <span className="block">
            <Coin safe={safe} />
          </span>
        )}
      </p>
      <div className="flex flex-wrap items-center gap-2 max-sm:pl-11.5 xl:justify-end">
        <WaitingTags safe={safe} account={session?.address ?? null} />
        {onHide && (
          <Button
            variant="quiet"
            isCompact
            aria-label={text(isHidden ? 'safes.unhide.named' : 'safes.hide.named', { name: name ?? safe.address })}
            onClick={onHide}
          >
            {text(isHidden ? 'safes.unhide' : 'safes.hide')}
          </Button>
        )}
      </div>
    </article>
  )
}

/** The name of a Safe, its chain and address, and what a reader must know of it. */
function SafeIdentity({ safe, name, alike }: { safe: Safe; name: string; alike: Alike | undefined }) {
  const { chainId, address } = safe
  const chain = useChain(chainId)
  return (
    <div className="flex min-w-0 items-start gap-3">
      <Avatar address={address} size={34} />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <TextLink
            look="row"
            to="/safes/$chainId/$safeAddress"
            params={{ chainId, safeAddress: address }}
            aria-label={`${name} ${address}`}
          >
            {name}
          </TextLink>
          <Tag>{chain?.name ?? text('safes.chain.unknown', { chainId })}</Tag>
          {safe.version === null && <Tag tone="danger">{text('safes.version.unknown')}</Tag>}
          {!safe.isDeployed && <Tag>{text('safes.notDeployed')}</Tag>}
          {alike && <Tag tone="warning">{text(`safes.alike.${alike}`)}</Tag>}
        </p>
        <Address address={address} hasAvatar={false} isCopyable={false} />
      </div>
    </div>
  )
}

/** Shows the open tasks of the reader in a Safe, and a role other than that of an owner. */
function WaitingTags({ safe, account }: { safe: Safe; account: AddressType | null }) {
  const role = account === safe.address ? 'itself' : (safe.role ?? 'none')
  const { awaitingMyConfirmation, messagesAwaitingMe } = safe
  return (
    <>
      {awaitingMyConfirmation > 0 && (
        <Tag tone="warning">{text('safes.waiting', { count: awaitingMyConfirmation })}</Tag>
      )}
      {awaitingMyConfirmation > 0 && account !== null && (
        <Suspense>
          <WaitingVerdicts chainId={safe.chainId} safeAddress={safe.address} account={account} />
        </Suspense>
      )}
      {messagesAwaitingMe > 0 && (
        <Tag tone="warning">{text('safes.waiting.messages', { count: messagesAwaitingMe })}</Tag>
      )}
      {role !== 'owner' && <Tag>{text(`safes.role.${role}`)}</Tag>}
      {waitingIn(safe) === 0 && role === 'owner' && (
        <span className="text-small text-ink-faint">{text('safes.waiting.none')}</span>
      )}
    </>
  )
}

/** The coin of the chain that the Safe holds, by the chain. */
function Coin({ safe: { chainId, address } }: { safe: Safe }) {
  const chain = useChain(chainId)
  const { data } = useQuery({
    queryKey: [...queryKeys.safeState(chainId, address), 'coin'],
    queryFn: async () =>
      BigInt((await chainRequest(chainId)({ method: 'eth_getBalance', params: [address, 'latest'] })) as string),
    enabled: chain !== undefined,
    retry: false,
  })
  if (!chain) return null
  const { symbol, decimals } = chain.nativeCurrency
  return (
    <span data-coin={data?.toString()} className="tabular-nums">
      {data === undefined ? '…' : `${shortenAmount(data, decimals) ?? formatAmount(data, decimals)} ${symbol}`}
    </span>
  )
}
