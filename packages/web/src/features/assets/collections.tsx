import type { Chain } from '@countersign/contract'
import type { CollectionReading } from '@countersign/safe'
import { AboutItem, ItemClaim } from '../../safe/items/about-item.tsx'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { Details, Row, Rows } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { imitatedSymbol, isHeldOrUnread } from './assets.ts'
import { Claims } from './claims.tsx'
import { text } from './text.ts'

/** Items whose names are read at once; those of others, and all else that contracts say of them, when they are opened. */
const NAMED = 24
const NAMED_OF_EACH = 6

/** Items of collections: those alone that the collection confirms. */
export function Collections({ collections, chain }: { collections: readonly CollectionReading[]; chain: Chain }) {
  const kept = collections.filter(({ items }) => items.some(isHeldOrUnread))
  if (kept.length === 0) return null
  return (
    <div>
      <h2 className="mb-3 font-semibold">{text('assets.items')}</h2>
      <Rows label={text('assets.items')}>
        {kept.map((collection, index) => (
          <Row key={collection.address}>
            <Collection
              chainId={chain.chainId}
              collection={collection}
              imitated={imitatedSymbol(collection, chain)}
              named={Math.max(0, NAMED - index * NAMED_OF_EACH)}
            />
          </Row>
        ))}
      </Rows>
    </div>
  )
}

function itemWords({ kind, tokenId, balance }: CollectionReading['items'][number]): string {
  return kind === 'erc721' || typeof balance !== 'bigint'
    ? text('assets.item', { id: tokenId.toString() })
    : text('assets.item.pieces', { id: tokenId.toString(), amount: formatAmount(balance, 0) })
}

function Collection({
  chainId,
  collection,
  imitated,
  named,
}: {
  chainId: number
  collection: CollectionReading
  imitated: string | null
  /** How many items may be asked for their names. */
  named: number
}) {
  const confirmed = collection.items.filter(({ balance }) => typeof balance === 'bigint' && balance > 0n)
  const unread = collection.items.filter(({ balance }) => typeof balance !== 'bigint').length
  return (
    <article data-collection={collection.address} className="grid justify-items-start gap-1.5">
      <div className="flex max-w-full flex-wrap items-center gap-x-3 gap-y-1">
        <Address address={collection.address} hasAvatar={false} />
        <Tag tone="warning">{text('assets.tag.unlisted')}</Tag>
        {imitated !== null && (
          <Tag tone="danger">{text('assets.tag.imitates', { symbol: showUntrusted(imitated, 12) })}</Tag>
        )}
      </div>
      <Claims claims={collection} />
      {confirmed.length > 0 && (
        <ul aria-label={text('assets.items.ids')} className="grid w-full max-w-full">
          {confirmed.map((item, index) => (
            <li key={`${item.kind}-${item.tokenId}`} className="text-small wrap-anywhere">
              <Details
                hasRule={false}
                isLazy
                summary={
                  <span className="inline-flex max-w-full flex-wrap gap-x-2">
                    <span className="figures">{itemWords(item)}</span>
                    {index < Math.min(named, NAMED_OF_EACH) && <ItemClaim chainId={chainId} item={item} />}
                  </span>
                }
              >
                <AboutItem chainId={chainId} item={item} />
              </Details>
            </li>
          ))}
        </ul>
      )}
      {unread > 0 && <p className="text-small text-warning">{text('assets.items.unread', { count: unread })}</p>}
    </article>
  )
}
