import { isSameAddress } from '@countersign/safe'

/** An entry of the address book, by who gave it and when. */
export type BookEntry = { author: string; updatedAt: string }

/** Accounts that gave one and the same: who was first, and the present owners who endorsed it by giving it too. */
export type Givers = { author: string; endorsers: readonly string[] }

/**
 * Tells who wrote an entry and who endorsed it. The endorsement of an owner of the past falls away.
 *
 * @param owners by the chain, whatever the server says of roles
 */
export function giversOf(same: readonly BookEntry[], owners: readonly string[]): Givers | undefined {
  const [first, ...later] = same.toSorted((one, other) => Date.parse(one.updatedAt) - Date.parse(other.updatedAt))
  if (first === undefined) return undefined
  const hasGiven = (owner: string) => later.some(({ author }) => isSameAddress(author, owner))
  return {
    author: first.author,
    endorsers: owners.filter((owner) => !isSameAddress(owner, first.author) && hasGiven(owner)),
  }
}

/** Brings together entries that say the same. */
export function groupSame<Entry>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
): ReadonlyMap<string, readonly [Entry, ...Entry[]]> {
  const groups = new Map<string, [Entry, ...Entry[]]>()
  for (const entry of entries) {
    const same = groups.get(keyOf(entry))
    if (same) same.push(entry)
    else groups.set(keyOf(entry), [entry])
  }
  return groups
}

/** Writes what a name says as a key: another spelling is another name. */
export function keyOfName({ address, name }: { address: string; name: string }): string {
  return `${address.toLowerCase()} ${name}`
}

/** Writes what an ABI says as a key, whatever it is called. */
export function keyOfAbi({ contract, abi }: { contract: string; abi: string }): string {
  return `${contract.toLowerCase()} ${abi}`
}
