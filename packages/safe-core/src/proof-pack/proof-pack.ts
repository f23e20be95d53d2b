import type { Address, Hex } from 'viem'
import type { KeptProof } from '../proof/proved-reader.ts'
import type { SafeTx } from '../safe-tx.ts'
import type { CreationCall } from '../undeployed-safe.ts'

/**
 * Everything by which a transaction was run at one block: the header, proofs and code, the transaction, its signatures. It
 * holds no verdict and no state of its own: whoever runs it again reads both from what is proved.
 */
export type ProofPack = {
  chainId: number
  safeAddress: Address
  safeTx: SafeTx
  confirmations: readonly { owner: Address; signature: Hex }[]
  /** The call that creates the Safe, where it was not there when the pack was made. Owners and threshold are read from it. */
  creation?: CreationCall | undefined
  /** The account that sends the transaction in the run. */
  executor: Address
  /** RLP of the header. */
  header: Hex
  /** Sources, and the hash that each named for the block when the pack was made; null: none. The maker's claim. */
  sources: readonly { name: string; hash: Hex | null }[]
  proofs: readonly KeptProof[]
}
