import type { Chain } from 'viem'
import * as viemChains from 'viem/chains'

/** A chain of viem's list whose coins are worth nothing. */
const FOR_TESTS = 'testnet' satisfies keyof Chain

/**
 * Writes the module of public chains by their number: name, coin, explorer and a public node. Of several with one number it
 * takes the one whose coins are worth something. Run by `scripts/generate-docs.mjs`.
 */
export function writeKnownChains(): string {
  const chains = Object.values<Chain>(viemChains)
    .filter((chain) => !isOfThisMachine(chain))
    .sort((a, b) => a.id - b.id || Number(a[FOR_TESTS] ?? false) - Number(b[FOR_TESTS] ?? false))
  const lines = chains
    .filter(({ id }, at) => chains.findIndex((other) => other.id === id) === at)
    .map((chain) => `  '${chain.id}': ${JSON.stringify(factsOf(chain))},`)
  return `// Generated from viem's list by \`scripts/generate-docs.mjs\`.
/** Name, coin, explorer and a public node of public chains, by their number. Nobody asks that node: it is a suggestion. */
export const knownChains: Record<
  string,
  {
    name: string
    nativeCurrency: { name: string; symbol: string; decimals: number }
    explorerUrl?: string
    publicNode?: string
  }
> = {
${lines.join('\n')}
}
`
}

function factsOf({ name, nativeCurrency, blockExplorers, rpcUrls }: Chain) {
  const { name: coin, symbol, decimals } = nativeCurrency
  const explorerUrl = blockExplorers?.default.url.replace(/\/+$/, '')
  const publicNode = rpcUrls.default.http.find(isLink)
  return {
    name,
    nativeCurrency: { name: coin, symbol, decimals },
    ...(explorerUrl !== undefined && isLink(explorerUrl) ? { explorerUrl } : {}),
    ...(publicNode === undefined ? {} : { publicNode }),
  }
}

function isLink(url: string): boolean {
  return /^https:\/\/[a-z0-9.-]+(?:\/[\w./-]*)?$/i.test(url)
}

function isOfThisMachine({ rpcUrls }: Chain): boolean {
  return rpcUrls.default.http.some((url) => /localhost|127\.0\.0\.1/.test(url))
}
