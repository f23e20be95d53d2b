import type { TokenItem } from '@countersign/safe-core'
import { lazy, Suspense } from 'react'
import { withTexts } from '../../text/text.ts'

const details = () => withTexts(() => import('./item-details.tsx'), 'items')
const Details = lazy(async () => ({ default: (await details()).ItemDetails }))
const Name = lazy(async () => ({ default: (await details()).ItemName }))

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
