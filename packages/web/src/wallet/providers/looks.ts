import { skeletonOf } from '@countersign/review'

/** No wallet is this page itself. */
export const PAGE = 'Countersign'

const WALLET = skeletonOf('wallet')

/** So long a name is its wallet's also inside a longer one: "MetaMask Pro", but not "SafePal" for "Safe". */
export const TELLING_LENGTH = 7

/** Two letters that look like one are one; that a wallet is a wallet tells nothing. */
export function lookOf(name: string): string {
  const look = skeletonOf(name).replaceAll('rn', 'm').replaceAll('vv', 'w')
  return look.replaceAll(WALLET, '') || look
}

/** Whether a name looks like this page's own. */
export function passesForPage(name: string): boolean {
  return lookOf(name).includes(lookOf(PAGE))
}
