import type { CreationCall, SafeTx } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { Severity } from '../catalogue.ts'
import type { PolicySignature } from '../policy/policy-signatures.ts'
import type { SpentAmount } from '../policy/team-policy.ts'
import type { KeptProof } from '../proof/proved-reader.ts'
import type { Verdict } from '../types.ts'

/** A team's policy with what was signed of it: whoever reads it verifies the signatures. */
export type PackedPolicy = {
  /** The text that `parsePolicy` reads. */
  text: string
  approvals: readonly PolicySignature[]
  withdrawals: readonly (PolicySignature & { entryHash: Hex })[]
  /** Sums that count against its limits, by the word of the maker's server; null: nobody said. */
  spent: readonly SpentAmount[] | null
}

/** The review by proofs and policy alone, without names and ABIs of people: the same wherever it is made. */
export type PackedReview = {
  verdict: Verdict
  /** Hash of the policy in force; null: of none. */
  policyHash: Hex | null
  findings: readonly { id: string; severity: Severity }[]
}

/**
 * Everything by which a transaction was run and reviewed at one block: the header, proofs and code, the transaction, its
 * signatures, the policy. It holds no state of its own: whoever runs it again reads that from what is proved, and its
 * review is what its maker found, to be compared.
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
  /** The team's policy; left out where there is none. */
  policy?: PackedPolicy | undefined
  /** Left out of packs of the first format. */
  review?: PackedReview | undefined
  /** RLP of the header. */
  header: Hex
  /** Sources, and the hash that each named for the block when the pack was made; null: none. The maker's claim. */
  sources: readonly { name: string; hash: Hex | null }[]
  proofs: readonly KeptProof[]
}
