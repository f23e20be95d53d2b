import type { BlockHeader, SafeTxRun, Touched } from '@countersign/review'
import { encodeApprovedHash, encodeSignatures, hashSafeTx, isSameAddress, parseSignature } from '@countersign/safe'
import { decodeMultiSend, encodeExecTransaction } from '@countersign/safe/calls'
import { type Address, type Hex, numberToHex } from 'viem'
import { approvalSlot, ownerSlot, safeSlots } from './safe-slots.ts'

/** How a Safe transaction is put to the chain in a run. */
export type SafeExecution = {
  data: Hex
  safeTxHash: Hex
  /** Owners whose approvals are assumed, in storage. */
  approvedBy: readonly Address[]
  /** The executor, where it is an owner whose consent counts because it sends: somebody else would need its approval. */
  consentOf: Address | null
  /** Accounts and slots that it will read at least. */
  hints: Touched[]
}

/** The precompile that recovers the key of a signature. */
const ECRECOVER = numberToHex(1, { size: 20 })

const APPROVED = numberToHex(1, { size: 32 })

/**
 * The call of `execTransaction`, with signatures up to the threshold: those that were given, the executor's consent if it
 * is an owner, and for the rest approvals on the chain, which the run assumes. Approvals change nothing else: no code but
 * the Safe's own reads them.
 *
 * @throws CountersignError as `encodeSignatures` and `hashSafeTx` do
 */
export function prepareExecution(run: SafeTxRun, chainId: number): SafeExecution {
  const { safeAddress, version, safeTx, owners, threshold, executor } = run
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
  const given = owners.flatMap((owner) =>
    run.confirmations.filter((confirmation) => isSameAddress(confirmation.owner, owner)).slice(0, 1),
  )
  const rest = owners
    .filter((owner) => !given.some((one) => isSameAddress(one.owner, owner)))
    .toSorted((one, other) => Number(isSameAddress(other, executor)) - Number(isSameAddress(one, executor)))
  const needed = given.slice(0, threshold)
  const assumed = rest.slice(0, Math.max(0, threshold - needed.length))
  const signatures = encodeSignatures([
    ...needed,
    ...assumed.map((owner) => ({ owner, signature: encodeApprovedHash(owner) })),
  ])
  const approvedBy = assumed.filter((owner) => !isSameAddress(owner, executor))
  return {
    data: encodeExecTransaction(safeTx, signatures),
    safeTxHash,
    approvedBy,
    consentOf: assumed.find((owner) => isSameAddress(owner, executor)) ?? null,
    hints: [
      {
        address: safeAddress,
        slots: [
          ...Object.values(safeSlots),
          ...[...needed, ...assumed.map((owner) => ({ owner }))].map(({ owner }) => ownerSlot(owner)),
          ...approvedBy.map((owner) => approvalSlot(owner, safeTxHash)),
        ],
      },
      ...[
        executor,
        safeTx.to,
        ...batchTargets(run),
        // Signatures of contracts and approvals name their owner.
        ...(needed.some(({ signature }) => !('owner' in parseSignature(signature))) ? [ECRECOVER] : []),
      ].map((address) => ({ address, slots: [] })),
    ],
  }
}

/**
 * Accounts and slots that a run reads whatever it does: those of its execution, and the producer of the block, whom a tip goes
 * to. A page that reads them before the engine asks makes no run wait for them.
 *
 * @throws CountersignError as `prepareExecution`
 */
export function expectedReads(
  run: SafeTxRun,
  { chainId, header }: { chainId: number; header: BlockHeader },
): Touched[] {
  return [...prepareExecution(run, chainId).hints, producerOf(header)]
}

/** A tip goes to the producer of the block. */
export function producerOf({ coinbase }: BlockHeader): Touched {
  return { address: coinbase, slots: [] }
}

/** Slots that the run sets before it begins: the missing approvals. */
export function assumedApprovals({
  approvedBy,
  safeTxHash,
}: Pick<SafeExecution, 'approvedBy' | 'safeTxHash'>): { slot: Hex; value: Hex }[] {
  return approvedBy.map((owner) => ({ slot: approvalSlot(owner, safeTxHash), value: APPROVED }))
}

function batchTargets({ safeTx }: SafeTxRun): Address[] {
  if (safeTx.operation !== 1) return []
  try {
    return [...new Set(decodeMultiSend(safeTx.data).map(({ to }) => to))]
  } catch {
    // Another delegatecall, or a batch that is not encoded as it should be: the run finds out where it goes.
    return []
  }
}
