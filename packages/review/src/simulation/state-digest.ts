import { type Hex, keccak256, stringToHex } from 'viem'

/** An account and slots of it, as they stand in the state of a block. */
export type StateOfAccount = {
  address: Hex
  nonce: bigint
  balance: bigint
  codeHash: Hex
  slots: Iterable<[Hex, Hex]>
}

/**
 * Digests what accounts and slots hold, in whatever order: the same digest at another block means that nothing of it is
 * different there.
 *
 * @example
 * const isSame = digestState(accounts) === run.seen
 */
export function digestState(accounts: readonly StateOfAccount[]): Hex {
  const lines = accounts.flatMap(({ address, nonce, balance, codeHash, slots }) => {
    const place = address.toLowerCase()
    return [
      `${place} ${nonce} ${balance} ${codeHash}`,
      ...Array.from(slots, ([slot, word]) => `${place} ${BigInt(slot)} = ${BigInt(word)}`),
    ]
  })
  return keccak256(stringToHex(lines.toSorted().join('\n')))
}
