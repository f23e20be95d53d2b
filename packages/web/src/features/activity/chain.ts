import type { ActivityEntry } from '@countersign/contract'
import { hashKey } from '@tanstack/react-query'
import { concatHex, sha256, stringToHex } from 'viem'

/** Whether what an entry says about itself is what its hash covers. */
function matchesHash({ previousHash, hashed, hash }: ActivityEntry): boolean {
  return sha256(concatHex([previousHash, stringToHex(hashed)])) === hash
}

/** Compares the hashed text with the values that the screen shows. */
function matchesHashedText({ verb, account, safeTxHash, detail, reviewed, hashed }: ActivityEntry): boolean {
  try {
    const parsed: unknown = JSON.parse(hashed)
    if (typeof parsed !== 'object' || parsed === null) return false
    const shown = { verb, account: account?.toLowerCase() ?? null, safeTxHash, detail, reviewed }
    const {
      verb: what,
      account: who,
      safeTxHash: of,
      detail: more,
      reviewed: report = null,
    } = parsed as Partial<Record<keyof typeof shown, unknown>>
    return hashKey([shown]) === hashKey([{ verb: what, account: who, safeTxHash: of, detail: more, reviewed: report }])
  } catch {
    return false
  }
}

/**
 * Whether entries, newest first and without a gap, are what the database wrote one after the other: each text gives its
 * hash, and each carries the hash of the one before it.
 */
export function isChainIntact(entries: readonly ActivityEntry[]): boolean {
  return entries.every((entry, at) => {
    const newer = at === 0 ? undefined : entries[at - 1]
    return matchesHash(entry) && matchesHashedText(entry) && (newer === undefined || newer.previousHash === entry.hash)
  })
}
