import type { Examined, PackDifference, PackSubject, Vouching } from '@countersign/review'
import type { Hex } from 'viem'
import type { HashSources } from '../proof/hash-sources.ts'

/** A transaction to make a pack for, or to compare a pack with. */
export type PackQuestion = { subject: PackSubject; sources: HashSources }

/** A proof pack as a file, with its hash. */
export type PackFile = { text: string; hash: Hex; blockNumber: bigint }

/** The result of running a pack again, compared with the current chain. */
export type CheckedPack = {
  hash: Hex
  packed: Omit<Examined, 'kept'>
  /** Sources that confirm the block of the pack now. Null if no source could be asked. */
  vouching: Vouching | null
  /** Review parts that contradict the file’s own proofs. Null for packs of the first format, which contain no review. */
  claimed: readonly PackDifference[] | null
  /** Parts that are different now. Null if the chain could not be read. */
  differences: readonly PackDifference[] | null
}
