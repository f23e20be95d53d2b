import { readItemUri, type TokenItem } from '@countersign/safe'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { chainRequest } from '../../api/chain-client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { needTexts, text } from '../../text/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Loading } from '../../ui/loading.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { type ItemContent, type ItemPicture, readItemContent } from './item-content.ts'

needTexts('items')

type Described = { chainId: number; item: TokenItem }
type Read = ItemContent | { kind: 'none' | 'too-long' | 'unread' }

function itemQuery({ chainId, item }: Described) {
  // An item may come with how many are held: no part of the question, and no key is made of a bigint.
  const { address, kind } = item
  const asked = { address, kind, tokenId: item.tokenId.toString() }
  return queryOptions({
    queryKey: queryKeys.itemContent(chainId, asked),
    queryFn: async (): Promise<Read> => {
      const tokenId = BigInt(asked.tokenId)
      const read = await readItemUri(chainRequest(chainId), { ...asked, tokenId })
      return read.kind === 'uri' ? readItemContent(read.uri, tokenId) : read
    },
  })
}

/** The name that a contract gives an item, in quotation marks; nothing while it says none. */
export function ItemName(described: Described) {
  const { data } = useQuery(itemQuery(described))
  if (data?.kind !== 'described' || data.name === null) return null
  return <span data-item-name>{text('items.claimed', { name: showUntrusted(data.name, 60) })}</span>
}

/**
 * Shows what the contract itself says of an item: name, description, picture. Whoever draws it was asked to: anybody may send
 * an item to a Safe, and a picture can say anything or take long to draw.
 */
export function ItemDetails(described: Described) {
  const { data, error, refetch } = useQuery(itemQuery(described))
  if (error) return <QueryProblem error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading label={text('items.loading')} />
  return (
    <div data-item-content={data.kind} className="grid max-w-prose justify-items-start gap-2 text-small">
      <Content content={data} />
    </div>
  )
}

function Content({ content }: { content: Read }) {
  if (content.kind === 'elsewhere') return <ExternalUri words={text('items.elsewhere')} uri={content.uri} />
  if (content.kind !== 'described') return <p className="text-ink-soft">{text(`items.${content.kind}`)}</p>
  const { name, description, picture } = content
  if (name === null && description === null && picture === null)
    return <p className="text-ink-soft">{text('items.none')}</p>
  return (
    <>
      <p className="text-ink-soft">{text('items.claim')}</p>
      {name !== null && (
        <p className="font-semibold wrap-anywhere">{text('items.claimed', { name: showUntrusted(name, 120) })}</p>
      )}
      {description !== null && (
        <p className="wrap-anywhere">{text('items.claimed', { name: showUntrusted(description, 1_000) })}</p>
      )}
      {picture && <Picture picture={picture} />}
    </>
  )
}

function Picture({ picture }: { picture: ItemPicture }) {
  const [isBroken, setIsBroken] = useState(false)
  if (picture.kind === 'elsewhere') return <ExternalUri words={text('items.picture.elsewhere')} uri={picture.uri} />
  if (picture.kind === 'unreadable' || isBroken)
    return <p className="text-ink-soft">{text('items.picture.unreadable')}</p>
  return (
    // A square of its own, so that nothing moves when it is drawn; as an image, so that nothing in it runs or is fetched.
    <img
      src={picture.uri}
      alt={text('items.picture')}
      decoding="async"
      onError={() => setIsBroken(true)}
      className="aspect-square w-60 max-w-full border border-rule bg-sunk object-contain"
    />
  )
}

/** Where something is that is not fetched: as text, not as a link. */
function ExternalUri({ words, uri }: { words: string; uri: string }) {
  return (
    <p className="text-ink-soft wrap-anywhere">
      {words} <span className="font-mono text-ink">{showUntrusted(uri, 200)}</span>
    </p>
  )
}
