import type { TokenItem } from '@countersign/safe'
import { Suspense } from 'react'
import { withTexts } from '../../text/text.ts'
import { lazyPart } from '../../ui/part/lazy-part.tsx'

const details = () => withTexts(() => import('./item-details.tsx'), 'items')
const Details = lazyPart(async () => (await details()).ItemDetails)
const Name = lazyPart(async () => (await details()).ItemName)

/** Shows what the contract says of an item. Loaded when it is drawn. */
export function AboutItem(props: { chainId: number; item: TokenItem }) {
  return (
    <Suspense>
      <Details {...props} />
    </Suspense>
  )
}

/** Shows the name that the contract gives an item. Loaded when it is drawn. */
export function ItemClaim(props: { chainId: number; item: TokenItem }) {
  return (
    <Suspense>
      <Name {...props} />
    </Suspense>
  )
}
