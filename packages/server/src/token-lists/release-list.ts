import type { OpenedList } from './parse-token-list.ts'
import { packageVersion, releaseListName, releaseListTime, releaseTokens } from './release-list.data.ts'

/** Opens the list that comes with this release. */
export function readReleaseList(): OpenedList {
  const entries = releaseTokens.map(([chainId, address, decimals, symbol, name]) => ({
    chainId,
    address,
    decimals,
    symbol,
    name,
  }))
  return { name: releaseListName, madeAt: new Date(releaseListTime), version: packageVersion, entries }
}
