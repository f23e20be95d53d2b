import { HIDDEN_CHARACTER } from '@countersign/safe'
import { type Chain, getAddress, isAddress } from 'viem'
import * as viemChains from 'viem/chains'

const DAY_MS = 86_400_000

/** A chain of viem's list whose coins are worth nothing. */
const FOR_TESTS = 'testnet' satisfies keyof Chain

/**
 * Writes the module of public chains by their number: name, coin, explorer, a public node, the contract that makes several
 * calls in one, and the seconds between blocks. Of several with one number it takes the one whose coins are worth something.
 * Run by `scripts/generate-docs.mjs`. What could mislead is left out, the whole chain where that is its number, name or coin.
 */
export function writeKnownChains(list: readonly Chain[] = Object.values<Chain>(viemChains)): string {
  const chains = list
    .filter((chain) => !isOfThisMachine(chain) && isPlain(chain))
    .sort((a, b) => a.id - b.id || Number(a[FOR_TESTS] ?? false) - Number(b[FOR_TESTS] ?? false))
  const lines = chains
    .filter(({ id }, at) => chains.findIndex((other) => other.id === id) === at)
    .map((chain) => `  '${chain.id}': ${JSON.stringify(factsOf(chain))},`)
  return `// Generated from viem's list by \`scripts/generate-docs.mjs\`.
import type { Address } from 'viem'

/**
 * Name, coin, explorer, public node, contract that makes several calls in one, and seconds between blocks of public chains, by
 * their number. Nobody asks that node: it is a suggestion.
 */
export const knownChains: Record<
  string,
  {
    name: string
    nativeCurrency: { name: string; symbol: string; decimals: number }
    explorerUrl?: string
    publicNode?: string
    multicall?: Address
    blockSeconds?: number
  }
> = {
${lines.join('\n')}
}
`
}

function factsOf({ name, nativeCurrency, blockExplorers, rpcUrls, contracts, blockTime }: Chain) {
  const { name: coin, symbol, decimals } = nativeCurrency
  const explorerUrl = blockExplorers?.default.url.replace(/\/+$/, '')
  const publicNode = rpcUrls.default.http.find(isLink)
  const multicall = contracts?.multicall3?.address
  return {
    name,
    nativeCurrency: { name: coin, symbol, decimals },
    ...(explorerUrl !== undefined && isLink(explorerUrl) ? { explorerUrl } : {}),
    ...(publicNode === undefined ? {} : { publicNode }),
    ...(multicall !== undefined && isAddress(multicall) ? { multicall: getAddress(multicall) } : {}),
    ...(blockTime !== undefined && blockTime >= 10 && blockTime <= DAY_MS ? { blockSeconds: blockTime / 1000 } : {}),
  }
}

/** Whether number, name and coin are what they look like. */
function isPlain({ id, name, nativeCurrency: { name: coin, symbol, decimals } }: Chain): boolean {
  const isShown = (text: string, most: number) =>
    text !== '' && text.length <= most && text === text.trim() && !HIDDEN_CHARACTER.test(text)
  const isNumber = Number.isSafeInteger(id) && id > 0 && Number.isInteger(decimals) && decimals >= 0 && decimals <= 36
  return isNumber && isShown(name, 100) && isShown(coin, 100) && isShown(symbol, 32)
}

function isLink(url: string): boolean {
  return /^https:\/\/[a-z0-9.-]+(?:\/[\w./-]*)?$/i.test(url)
}

function isOfThisMachine({ rpcUrls }: Chain): boolean {
  return rpcUrls.default.http.some((url) => /localhost|127\.0\.0\.1/.test(url))
}
