import type { Address } from 'viem'
import { skeletonOf } from '../findings/addresses/confusables.ts'
import type { Token } from '../types.ts'

type Index = { byAddress: Map<string, Token>; bySkeleton: Map<string, Token> }

/** Lists have thousands of tokens, and a batch asks for hundreds: each list is gone through once. */
const indexes = new WeakMap<readonly Token[], Index>()

function indexOf(tokens: readonly Token[]): Index {
  const known = indexes.get(tokens)
  if (known !== undefined) return known
  const index: Index = { byAddress: new Map(), bySkeleton: new Map() }
  for (const token of tokens) {
    // Those of the configuration come first, and nobody's list says otherwise of them.
    const [address, skeleton] = [token.address.toLowerCase(), skeletonOf(token.symbol)]
    if (!index.byAddress.has(address)) index.byAddress.set(address, token)
    if (!index.bySkeleton.has(skeleton)) index.bySkeleton.set(skeleton, token)
  }
  indexes.set(tokens, index)
  return index
}

/** The listed token at an address. */
export function listedToken(tokens: readonly Token[], address: Address | string): Token | undefined {
  return indexOf(tokens).byAddress.get(address.toLowerCase())
}

/**
 * The listed token whose symbol looks like this name, by look-alike letters and digits.
 *
 * @returns undefined when it imitates none
 *
 * @example
 * imitatedToken([{ address, symbol: 'USDC', decimals: 6 }], 'USDС') // the last letter is Cyrillic
 */
export function imitatedToken(tokens: readonly Token[], name: string): Token | undefined {
  return name === '' ? undefined : indexOf(tokens).bySkeleton.get(skeletonOf(name))
}

/** Contracts take this for the coin of the chain. */
export const NATIVE_PLACEHOLDER: Address = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
