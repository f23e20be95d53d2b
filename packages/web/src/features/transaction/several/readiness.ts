import type { Address, Hex } from 'viem'
import type { Proposal } from '../../../safe/proposals.ts'
import type { ReadyToExecute } from './use-execute-several.ts'

/** Whether a transaction can be executed once its turn has come; why not; by which call; and for how much gas. */
export type RowReadiness = {
  ready: ReadyToExecute | null
  reason: string | null
  call: { to: Address; data: Hex } | null
  gas: bigint | null
}

/** The readiness of several transactions together. */
export type JointReadiness = {
  ready: readonly ReadyToExecute[]
  /** The first that cannot be executed, and why; the reason is null until its row has one. Null if all can be executed. */
  blocked: { nonce: bigint; reason: string | null } | null
  calls: readonly { to: Address; data: Hex }[]
  /** The sum; null while the gas of one is unknown. */
  gas: bigint | null
}

/** Joins the readiness of the chosen transactions, in their order. */
export function joinReadiness(
  chosen: readonly Pick<Proposal, 'safeTxHash' | 'nonce'>[],
  readiness: ReadonlyMap<Hex, RowReadiness>,
): JointReadiness {
  const known = chosen.map(({ safeTxHash }) => readiness.get(safeTxHash))
  const blocked = chosen.find(({ safeTxHash }) => !readiness.get(safeTxHash)?.ready)
  return {
    ready: known.flatMap((row) => row?.ready ?? []),
    blocked: blocked ? { nonce: blocked.nonce, reason: readiness.get(blocked.safeTxHash)?.reason ?? null } : null,
    calls: known.flatMap((row) => row?.call ?? []),
    gas: known.reduce<bigint | null>((sum, row) => (sum === null || !row?.gas ? null : sum + row.gas), 0n),
  }
}
