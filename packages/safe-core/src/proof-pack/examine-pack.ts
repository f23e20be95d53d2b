import type { Hex } from 'viem'
import type { Header } from '../proof/header.ts'
import { createProvedReader, type KeptProof } from '../proof/proved-reader.ts'
import { createProvedRequest } from '../proof/proved-request.ts'
import type { VouchedBlock } from '../proof/vouched-block.ts'
import { type NeededFact, neededFacts, readFact } from '../review/facts/collect.ts'
import type { Given } from '../review/given.ts'
import { reviewSubject } from '../review/review.ts'
import type { ReviewedConfirmation } from '../review/types.ts'
import { domainVersion, type RpcRequest, readSafeState, type SafeState } from '../safe-state.ts'
import type { SimulationResult } from '../simulation/simulation-result.ts'
import type { RunCall, SafeTxRun } from '../simulation/simulation-run.ts'
import type { StateReader } from '../simulation/state-reader.ts'
import type { ProofPack } from './proof-pack.ts'

/** The transaction of a pack, and whoever runs it. */
export type PackSubject = Pick<
  ProofPack,
  'chainId' | 'safeAddress' | 'safeTx' | 'confirmations' | 'creation' | 'executor'
>

/** The engine that runs a pack: calls, and the whole transaction. */
export type PackEngine = {
  runCall: RunCall
  run: (reader: StateReader, run: SafeTxRun) => Promise<SimulationResult>
}

/** Everything that a pack says, computed from its proofs alone. */
export type Examined = {
  block: { number: bigint; hash: Hex /** Seconds since 1970. */; timestamp: bigint }
  safeTxHash: Hex
  state: SafeState
  confirmations: readonly ReviewedConfirmation[]
  result: SimulationResult
  /** Answers that were read: the proofs of a pack. */
  kept: readonly KeptProof[]
}

/**
 * Reads the Safe, checks the signatures and runs the transaction at one block, over proofs alone. A pack is made by it over
 * a node, and run again by it over the file: both read the same.
 *
 * @param node `openPack(pack)`, or a node and its block. The block's hash is taken as given
 * @throws CountersignError `PROOF_INVALID` for a wrong proof, `PROOF_PACK_INVALID` for one that is missing, `NOT_A_SAFE`
 * @example
 * const then = await examine(readProofPack(text), openPack(pack), engine)
 */
export async function examine(
  { chainId, safeAddress, safeTx, confirmations, creation, executor }: PackSubject,
  node: { block: VouchedBlock & { header: Header }; request: RpcRequest },
  { runCall, run }: PackEngine,
): Promise<Examined> {
  // Proofs are checked against this hash, whoever names it.
  const block = { ...node.block, vouching: { ...node.block.vouching, status: 'enough' as const } }
  const { header } = block
  const reader = createProvedReader(node.request, block)
  const request = createProvedRequest(reader, { plain: node.request, runCall })(() => {})
  const state = await readSafeState(request, safeAddress, chainId, { blockNumber: header.number, creation })
  const given: Given = {
    ...{ kind: 'transaction', chainId, safeAddress, safeTx, state, claimedHash: null, confirmations },
    ...{ others: [], account: executor, origin: null, tokens: [] },
  }
  const facts = await readSignatures(given, request)
  const { hash, confirmations: reviewed } = await reviewSubject({ ...given, ...facts })
  const { owners, threshold } = state
  const result = await run(
    { ...reader, header },
    {
      ...{ kind: 'safe-transaction', safeAddress, version: domainVersion(state), owners, threshold, safeTx },
      ...{ confirmations: [], executor, gasPrice: header.baseFeePerGas ?? 0n, creation: state.creation },
    },
  )
  const { number, timestamp } = header
  const place = { number, hash: header.hash, timestamp }
  return { block: place, safeTxHash: hash, state, confirmations: reviewed, result, kept: reader.kept() }
}

/** A pack without a fact about a signature leaves that signature unchecked. */
async function readSignatures(given: Given, request: RpcRequest): Promise<Record<string, unknown>> {
  const isOfSignatures = ({ id }: NeededFact) => id === 'contractSignatures' || id === 'approvedHashes'
  const needed = neededFacts(given).filter(isOfSignatures)
  const answers = await Promise.all(
    needed.map((fact) => readFact(() => request, fact).then((answer) => [fact.id, answer] as const)),
  )
  return Object.fromEntries(answers)
}
