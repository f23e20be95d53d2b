import type { Price } from '@countersign/contract'
import type { TokenReading } from '@countersign/safe'
import { getAddress } from 'viem'
import type { NamedToken } from './listed-tokens.ts'

/** An amount of an asset: the token's address, or null for the coin. `amount` null: it could not be read. */
export type Holding = { token: string | null; amount: bigint | null; decimals: number }

/** How sources of prices name a token, or the coin (null). */
export function assetOf(token: string | null): Price['token'] {
  return token === null ? 'native' : getAddress(token)
}

/**
 * Decimals to count a token by. Null where its contract says others, or none that can be meant of a token that a list alone
 * names: the operator answers for the tokens of the configuration, and for those of nobody else.
 */
export function countedDecimals({ decimals, lists }: NamedToken, own: number | null): number | null {
  if (own === null) return lists === undefined ? decimals : null
  return own === decimals ? decimals : null
}

/** Amounts of tokens, for their value; null where one was not read, or counts otherwise than is listed. */
export function holdingsOf(
  tokens: readonly NamedToken[],
  readings: ReadonlyMap<string, TokenReading>,
): (Holding & { token: string })[] {
  return tokens.map((token) => {
    const { balance, decimals: own = null } = readings.get(token.address.toLowerCase()) ?? {}
    const isRead = typeof balance === 'bigint' && countedDecimals(token, own) !== null
    return { token: token.address, amount: isRead ? balance : null, decimals: token.decimals }
  })
}
