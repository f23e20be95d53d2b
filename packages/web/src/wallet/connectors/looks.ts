import { skeletonOf } from '@countersign/review'

/** Name of this page, which no wallet may imitate. */
export const PAGE = 'Countersign'

const WALLET = skeletonOf('wallet')

/** Length from which a name also counts inside a longer one: "MetaMask Pro", but not "SafePal" for "Safe". */
export const TELLING_LENGTH = 7

/** Reduces a name to its look: pairs of letters that look like one letter become one, and the word "wallet" is removed. */
export function lookOf(name: string): string {
  const look = skeletonOf(name).replaceAll('rn', 'm').replaceAll('vv', 'w')
  return look.replaceAll(WALLET, '') || look
}

/** Whether a name looks like this page's own. */
export function passesForPage(name: string): boolean {
  return lookOf(name).includes(lookOf(PAGE))
}
