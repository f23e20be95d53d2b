import type { SignedThing } from '@countersign/contract'
import { hashSubject, type SignedHash } from '@countersign/review'
import { CountersignError, parseMessageContent, type SafeState } from '@countersign/safe'
import type { Address } from 'viem'

/** Something that was signed, as this page read it. `subject` null: nobody knows what the hash is of. */
export type ReadSigned = { signed: SignedThing } & SignedHash

/**
 * Reads what the server lists, by its bytes: null where they have another hash than the one they are listed under, and
 * then the signatures are of nothing that is shown.
 */
export function readSigned(
  signed: SignedThing,
  place: { chainId: number; safeAddress: Address },
  state: SafeState,
): ReadSigned | null {
  const { hash, kind, safeTx, content } = signed
  if (kind === 'hash') return { signed, ...place, hash, subject: null }
  try {
    const subject =
      kind === 'transaction'
        ? safeTx && ({ kind, ...place, safeTx } as const)
        : content === null
          ? null
          : ({ kind, ...place, content: parseMessageContent(content) } as const)
    if (subject === null || hashSubject(subject, state).hash !== hash) return null
    return { signed, ...place, hash, subject }
  } catch (error) {
    if (error instanceof CountersignError) return null
    throw error
  }
}
