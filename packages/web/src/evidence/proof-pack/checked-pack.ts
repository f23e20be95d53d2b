import type { Examined, PackDifference, PackSubject, Vouching } from '@countersign/review'
import type { Hex } from 'viem'
import type { HashSources } from '../proof/hash-sources.ts'

/** A transaction to make a pack of, or to check one against. */
export type PackQuestion = { subject: PackSubject; sources: HashSources }

/** A proof pack as a file, with the hash by which it is known. */
export type PackFile = { text: string; hash: Hex; blockNumber: bigint }

/** A pack that was run again here, beside what is on the chain now. */
export type CheckedPack = {
  hash: Hex
  packed: Omit<Examined, 'kept'>
  /** Sources that name the block of the pack now; null where nobody could be asked. */
  vouching: Vouching | null
  /** Parts of the review in the file that its own proofs give otherwise; null: a pack of the first format has none. */
  claimed: readonly PackDifference[] | null
  /** Parts that are different now; null where the chain could not be read. */
  differences: readonly PackDifference[] | null
}
