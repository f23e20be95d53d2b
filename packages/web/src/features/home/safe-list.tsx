import type { Safe } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { useChains, useConfiguration } from '../../api/configuration.ts'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { waitingIn } from '../../safe/safe.ts'
import { safesQuery } from '../../safe/safes.ts'
import { withTexts } from '../../text/text.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { List } from '../../ui/list.tsx'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { useSession } from '../../wallet/index.ts'
import { alikeSafes, nameOfSafe } from './alike-safes.ts'
import { SafeEntry } from './safe-entry.tsx'
import { arrangeSafes, idOf, orders, readSafeOrder, type SafeOrder, storeSafeOrder } from './safe-order.ts'
import { text } from './text.ts'

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
