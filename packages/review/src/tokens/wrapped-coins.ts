import { isSameAddress } from '@countersign/safe'
import type { Address } from 'viem'
import type { ReviewInput } from '../input.ts'
import { listedToken } from './listed-tokens.ts'
import { wrappedCoins } from './wrapped-coins.data.ts'

/** Native coin as a token, by the symbols that chains give it. */
const wrapped = new Set(['WETH', 'WPOL', 'WMATIC', 'WBNB', 'WAVAX', 'WXDAI', 'WCELO', 'WS', 'WMNT', 'WBERA', 'WHYPE'])

/**
 * Where the chain's wrapped coin is known by its address, nothing else is it. Elsewhere a token that is listed under another
 * symbol is none; one that is not listed has its own finding.
 */
export function mayBeWrapped(token: Address, { tokens, chainId }: Pick<ReviewInput, 'tokens' | 'chainId'>): boolean {
  const known = wrappedCoins[chainId]
  if (known !== undefined) return isSameAddress(known, token)
  const listed = listedToken(tokens, token)
  return listed === undefined || wrapped.has(listed.symbol)
}
