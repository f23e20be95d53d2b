import { addressEnds } from '../alike-address.ts'
import { skeletonOf } from '../findings/addresses/confusables.ts'
import type { TokenQuestion } from './token-question.ts'

/**
 * Keys under which a listed token is found: by the ends of its address, and by how its symbol looks. A token is wanted where it
 * shares one with a question.
 *
 * @example
 * tokenKeys({ address: usdc, symbol: 'USDC' }) // ['a048', '~usdc']
 */
export function tokenKeys({ address, symbol }: { address: string; symbol: string }): string[] {
  return [addressEnds(address), nameKey(symbol)]
}

/** Names that are spelled out in more characters look like no token. One letter can stand for eighteen, and each costs time. */
const MAX_SPELLED_LENGTH = 200

/**
 * Keys of a question, each once.
 *
 * @example
 * questionKeys({ addresses: [usdc], names: ['USDC'] }) // ['a048', '~usdc']
 */
export function questionKeys({ addresses, names }: TokenQuestion): string[] {
  const short = [...new Set(names)].filter((name) => name.normalize('NFKD').length <= MAX_SPELLED_LENGTH)
  return [...new Set([...addresses.map(addressEnds), ...short.map(nameKey)])]
}

/** No ends of an address begin like it. */
function nameKey(name: string): string {
  return `~${skeletonOf(name)}`
}
