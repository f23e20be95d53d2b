import type { Safe } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { chainRequest } from '../../api/chain-client.ts'
import { useChain, useChains, useConfiguration } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { shortName } from '../../safe/names/team-names.ts'
import { waitingIn } from '../../safe/safe.ts'
import { safesQuery } from '../../safe/safes.ts'
import { withTexts } from '../../text/text.ts'
import { Address } from '../../ui/address.tsx'
import { formatAmount, shortenAmount } from '../../ui/amount/format-amount.ts'
import { Avatar } from '../../ui/avatar/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { List } from '../../ui/list.tsx'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSession } from '../../wallet/index.ts'
import { type Alike, alikeSafes, nameOfSafe } from './alike-safes.ts'
import { arrangeSafes, idOf, orders, readSafeOrder, type SafeOrder, storeSafeOrder } from './safe-order.ts'
import { text } from './text.ts'

/** The review and its texts come when something waits. */
const WaitingVerdicts = lazyPart(async () => (await withTexts(() => import('./waiting-verdicts.tsx'))).WaitingVerdicts)

/** Values come where the operator names sources of prices. */
const SafesTotal = lazyPart(async () => (await withTexts(() => import('./safes-total.tsx'), 'worth')).SafesTotal)

/** More balances at once nobody asks the node for. */
const MAX_BALANCES = 50

/** My Safes, with what waits for the reader in each. */
export function SafeList() {
  const { session } = useSession()
  const safes = useQuery(safesQuery)
  const [order, setOrder] = useState(() => readSafeOrder(guardedStorage))
  const [isUnfolded, setIsUnfolded] = useState(false)
  const [list, fold] = [useRef<HTMLDivElement>(null), useRef<HTMLButtonElement>(null)]
  const reader = session?.address ?? null
  const all = safes.data?.safes ?? []
  const alike = alikeSafes(all, reader)
  const { shown, hidden } = arrangeSafes(all, order, (safe) => nameOfSafe(safe, reader)?.name ?? '')
  const rows = isUnfolded ? [...shown, ...hidden] : shown
  const { currency } = useConfiguration()
  const arrange = (next: SafeOrder) => {
    storeSafeOrder(guardedStorage, next)
    setOrder(next)
  }
  const hide = (safe: Safe) => {
    const id = idOf(safe)
    const others = order.hidden.filter((other) => other !== id)
    arrange({ ...order, hidden: others.length < order.hidden.length ? others : [...others, id] })
    // The button that was pressed may have gone with its row.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) (fold.current ?? list.current)?.focus()
    })
  }
  return (
    <div ref={list} tabIndex={-1} className="mb-12 outline-none">
      {currency !== null && rows.length > 0 && (
        <Suspense>
          <SafesTotal
            safes={rows.slice(0, MAX_BALANCES)}
            currency={currency}
            isPart={rows.length > MAX_BALANCES || shown.length < all.length}
          />
        </Suspense>
      )}
      {all.length > 1 && (
        <div className="mb-3 max-w-60">
          <SelectField
            label={text('safes.order')}
            value={order.order}
            onChange={({ target }) => arrange({ ...order, order: target.value as SafeOrder['order'] })}
          >
            {orders.map((value) => (
              <option key={value} value={value}>
                {text(`safes.order.${value}`)}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      <List
        of={safes}
        rows={rows}
        keyOf={({ chainId, address }) => `${chainId} ${address}`}
        label={text('safes.title')}
        loading={text('safes.loading')}
        lines={5}
        empty={
          hidden.length === 0 && (
            <Empty title={text('safes.empty')}>
              {text('safes.empty.sentence', { account: session?.address ?? text('safe.you') })}
            </Empty>
          )
        }
      >
        {(safe) => (
          <SafeEntry
            safe={safe}
            alike={alike.get(safe)}
            isHidden={hidden.includes(safe)}
            hasBalance={rows.indexOf(safe) < MAX_BALANCES}
            // One Safe alone has nothing to be hidden from.
            onHide={all.length > 1 && waitingIn(safe) === 0 ? () => hide(safe) : null}
          />
        )}
      </List>
      {hidden.length > 0 && (
        <div className="mt-3">
          <Button
            ref={fold}
            variant="quiet"
            isCompact
            aria-expanded={isUnfolded}
            onClick={() => setIsUnfolded(!isUnfolded)}
          >
            {text(isUnfolded ? 'safes.hidden.fold' : 'safes.hidden.show', { count: hidden.length })}
          </Button>
        </div>
      )}
      {safes.data && <Coverage hasSafes={all.length > 0} />}
    </div>
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

function SafeEntry({
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
  onHide: (() => void) | null
}) {
  const chain = useChain(safe.chainId)
  const { session } = useSession()
  const role = session?.address === safe.address ? 'itself' : (safe.role ?? 'none')
  const given = nameOfSafe(safe, session?.address ?? null)
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
            {!safe.isDeployed && <Tag>{text('safes.notDeployed')}</Tag>}
            {alike && <Tag tone="warning">{text(`safes.alike.${alike}`)}</Tag>}
          </p>
          <Address address={safe.address} hasAvatar={false} isCopyable={false} />
        </div>
      </div>
      <p className="text-small text-ink-soft max-xl:pl-11.5 sm:max-xl:row-start-2">
        {text('safes.owners', { threshold: safe.threshold, owners: safe.owners.length })}
        {hasBalance && (
          <span className="block">
            <Coin safe={safe} />
          </span>
        )}
      </p>
      <div className="flex flex-wrap items-center gap-2 max-sm:pl-11.5 xl:justify-end">
        {safe.awaitingMyConfirmation > 0 && (
          <Tag tone="warning">{text('safes.waiting', { count: safe.awaitingMyConfirmation })}</Tag>
        )}
        {safe.awaitingMyConfirmation > 0 && session && (
          <Suspense>
            <WaitingVerdicts chainId={safe.chainId} safeAddress={safe.address} account={session.address} />
          </Suspense>
        )}
        {safe.messagesAwaitingMe > 0 && (
          <Tag tone="warning">{text('safes.waiting.messages', { count: safe.messagesAwaitingMe })}</Tag>
        )}
        {role !== 'owner' && <Tag>{text(`safes.role.${role}`)}</Tag>}
        {waitingIn(safe) === 0 && role === 'owner' && (
          <span className="text-small text-ink-faint">{text('safes.waiting.none')}</span>
        )}
        {onHide && (
          <Button
            variant="quiet"
            isCompact
            aria-label={text(isHidden ? 'safes.unhide.named' : 'safes.hide.named', {
              name: given ? shortName(given) : safe.address,
            })}
            onClick={onHide}
          >
            {text(isHidden ? 'safes.unhide' : 'safes.hide')}
          </Button>
        )}
      </div>
    </article>
  )
}
