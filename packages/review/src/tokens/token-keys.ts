import { addressEnds } from '../alike-address.ts'
import { skeletonOf } from '../findings/addresses/confusables.ts'
import type { TokenQuestion } from './token-question.ts'

/**
 * Returns the keys of a listed token: one for the two ends of its address, one for the appearance of its symbol. A token matches
 * a question if they share a key.
 *
 * @example
 * tokenKeys({ address: usdc, symbol: 'USDC' }) // ['a048', '~usdc']
 */
export function tokenKeys({ address, symbol }: { address: string; symbol: string }): string[] {
  return [addressEnds(address), nameKey(symbol)]
}

/** Longer names do not look like a token. One letter can expand to eighteen characters, and each costs time. */
const MAX_SPELLED_LENGTH = 200

/**
 * Returns the keys of a question without duplicates.
 *
 * @example
 * questionKeys({ addresses: [usdc], names: ['USDC'] }) // ['a048', '~usdc']
 */
export function questionKeys({ addresses, names }: TokenQuestion): string[] {
  const short = [...new Set(names)].filter((name) => name.normalize('NFKD').length <= MAX_SPELLED_LENGTH)
  return [...new Set([...addresses.map(addressEnds), ...short.map(nameKey)])]
}

/** Separates symbols from addresses: no address starts with it. */
function nameKey(name: string): string {
  return `~${skeletonOf(name)}`
}
