import type { ListedToken } from '@countersign/contract'

/** Puts the configuration's word on a token before that of lists. */
export function joinTokens<Own extends { address: string }>(
  own: Own[],
  listed: readonly ListedToken[],
): (Own | ListedToken)[] {
  if (listed.length === 0) return own
  const isOwn = new Set(own.map(({ address }) => address.toLowerCase()))
  return [...own, ...listed.filter(({ address }) => !isOwn.has(address.toLowerCase()))]
}
