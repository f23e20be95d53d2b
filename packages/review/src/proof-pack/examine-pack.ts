import { domainVersion, fail, type RpcRequest, readSafeState, type SafeState } from '@countersign/safe'
import type { Hex } from 'viem'
import { collectFacts, readFact } from '../facts/collect.ts'
import { createFactReader } from '../facts/proved-fact.ts'
import type { Given } from '../given.ts'
import { parsePolicy } from '../policy/parse-policy.ts'
import { type PolicyState, policyInForce } from '../policy/policy-in-force.ts'
import { verifyPolicySignatures } from '../policy/policy-signatures.ts'
import type { Header } from '../proof/header.ts'
import type { KeptProof } from '../proof/proved-reader.ts'
import type { VouchedBlock } from '../proof/vouched-block.ts'
import { reviewSubject } from '../review.ts'
import { signedConfirmations } from '../simulation/signed-confirmations.ts'
import type { SimulationResult } from '../simulation/simulation-result.ts'
import type { RunCall, SafeTxRun } from '../simulation/simulation-run.ts'
import type { StateReader } from '../simulation/state-reader.ts'
import type { ReviewedConfirmation } from '../types.ts'
import type { PackedPolicy, PackedReview, ProofPack } from './proof-pack.ts'

/** The transaction of a pack, and whoever runs it. */
export type PackSubject = Pick<
  ProofPack,
  'chainId' | 'safeAddress' | 'safeTx' | 'confirmations' | 'creation' | 'executor' | 'policy'
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
  review: PackedReview
  /** Answers that were read: the proofs of a pack. */
  kept: readonly KeptProof[]
}

/**
 * Reads the Safe, checks the signatures, runs the transaction and reviews it at one block, over proofs alone. A pack is made
 * by it over a node, and run again by it over the file: both read the same.
 *
 * @param node `openPack(pack)`, or a node and its block. The block's hash is taken as given
 * @throws CountersignError `PROOF_INVALID` for a wrong proof, `PROOF_PACK_INVALID` for one that is missing, `NOT_A_SAFE`;
 *   `POLICY_MALFORMED` for a policy that is none
 * @example
 * const then = await examine(parseProofPack(text), openPack(pack), engine)
 */
export async function examine(
  { chainId, safeAddress, safeTx, confirmations, creation, executor, policy }: PackSubject,
  node: { block: VouchedBlock & { header: Header }; request: RpcRequest },
  { runCall, run }: PackEngine,
): Promise<Examined> {
  // Proofs are checked against this hash, whoever names it.
  const block = { ...node.block, vouching: { ...node.block.vouching, status: 'enough' as const } }
  const { header } = block
  const { reader, request } = createFactReader(() => node.request, block, runCall)
  const state = await readSafeState(request, safeAddress, chainId, { blockNumber: header.number, creation })
  const { owners, threshold } = state
  const given: Given = {
    kind: 'transaction',
    chainId,
    safeAddress,
    safeTx,
    state,
    claimedHash: null,
    confirmations,
    others: [],
    account: executor,
    origin: null,
    tokens: [],
    policy: await readPolicy(policy, state, request),
    spent: policy?.spent ?? undefined,
  }
  // A fact that nobody proves is absent here as it is in the file, and the review says so.
  const here = (asked: number): RpcRequest => {
    if (asked !== chainId) throw fail('PROOF_PACK_INVALID', { reason: 'missing', what: `chain ${asked}` })
    return request
  }
  const version = domainVersion(state)
  const signed = await signedConfirmations({ safeAddress, version, safeTx, confirmations }, chainId)
  const [facts, result] = await Promise.all([
    collectFacts(given, (needed) => readFact(here, needed)),
    run(
      { ...reader, header },
      {
        kind: 'safe-transaction',
        safeAddress,
        version,
        owners,
        threshold,
        safeTx,
        confirmations: signed,
        executor,
        gasPrice: header.baseFeePerGas ?? 0n,
        creation: state.creation,
      },
    ),
  ])
  const crossCheck = { status: 'unasked', reason: 'pack' } as const
  const review = await reviewSubject({ ...given, ...facts, simulation: { result, crossCheck, standIn: null } })
  const { number, timestamp } = header
  return {
    block: { number, hash: header.hash, timestamp },
    safeTxHash: review.hash,
    state,
    confirmations: review.confirmations,
    result,
    review: {
      verdict: review.verdict,
      policyHash: review.policyHash,
      findings: review.findings.map(({ id, severity }) => ({ id, severity })),
    },
    kept: reader.kept(),
  }
}

/** The policy of a pack as far as its signatures carry it. Nothing was seen before: a file knows no earlier visit. */
async function readPolicy(
  packed: PackedPolicy | undefined,
  { chainId, address: safeAddress, owners, threshold }: SafeState,
  request: RpcRequest,
): Promise<PolicyState> {
  const place = { chainId, safeAddress }
  if (packed === undefined) return { status: 'none' }
  const policy = parsePolicy(packed.text)
  const served = { policy, ...(await verifyPolicySignatures(policy, packed, request)) }
  return policyInForce({ ...place, owners, threshold, served, seen: null })
}
