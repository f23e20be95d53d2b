import type { Reviewed, Role } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { Ctx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import type { Log } from '../../outbox/append.ts'
import { write } from '../../outbox/write.ts'
import { chainOf } from '../../rpc/clients.ts'
import type { SafeReading } from '../../rpc/state-reader.ts'
import { mayNotWrite } from '../../safes/access.ts'
import type { SavedFacts } from '../../safes/save-safe.ts'
import { isMemberNow } from '../../safes/viewer.ts'
import type { VerifiedSignature } from '../../signatures/verify-owner-signatures.ts'
import { recordRefusal } from './refused-signatures.ts'

/** Account that confirms. */
export type Confirmer = {
  /** Signed-in account; null: the signatures alone prove the right to confirm. */
  account: Address | null
  /** Owner by whom one of the signatures has to be; null: any owner. */
  mustSign: Address | null
  /** Signed elsewhere: whoever has come by an owner's signature is not of the team by that. */
  isImported?: boolean
  /** The signed-in account's claim of what its page showed: kept beside its own signature, in the log. */
  reviewed?: Reviewed | undefined
}

/** Object of a confirmation: a transaction, or a message. */
export type Confirmable<found, result> = {
  chainId: number
  hash: Hex
  notFound: () => CountersignError
  find: () => Promise<Found<found> | null>
  /** Checks that it can still be confirmed, and the signatures as the Safe itself would. */
  verify: (found: found, state: SafeReading) => Promise<VerifiedSignature[]>
  /** Stores what was verified, and says so in the log. */
  store: (
    tx: Executor,
    log: Log,
    confirmed: { found: found; state: SafeReading; signed: VerifiedSignature[] },
  ) => Promise<result>
}

export type Found<found> = { found: found; safeAddress: Address; role: Role | null; saved: SavedFacts }

/**
 * Adds owners' confirmations. Owners are read from the chain at this moment and each signature is verified there; without
 * the chain nothing is stored. An owner's first confirmation is kept; the same again changes nothing. Who is not of the
 * team, and has no valid signature of an owner, does not learn that it is there.
 */
export async function confirmIt<found, result>(
  ctx: Ctx,
  { account, isImported = false }: Confirmer,
  { chainId, hash, ...it }: Confirmable<found, result>,
): Promise<result> {
  const chain = chainOf(ctx.chains, chainId)
  const known = await it.find()
  if (!known) throw it.notFound()
  const { found, safeAddress, role, saved } = known
  if (isImported && !role) throw it.notFound()
  if (isImported && account && role === 'viewer') throw mayNotWrite(account, safeAddress)
  const state = await chain.readSafe(safeAddress).catch((error: unknown) => {
    // Without the chain, who is an owner is what was read last.
    throw role === null ? it.notFound() : error
  })
  const isMember = isMemberNow(state, account, role)
  const signed = await it.verify(found, state).catch(async (error: unknown) => {
    await recordRefusal(ctx, { state, signedHash: hash, account, isMember }, error)
    throw error instanceof CountersignError && !isMember ? it.notFound() : error
  })
  return write(ctx, { state, saved }, (tx, log) => it.store(tx, log, { found, state, signed }))
}
