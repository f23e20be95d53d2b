import { CountersignError, parseSignature, type SafeState } from '@countersign/safe-core'
import { and, desc, eq, sql } from 'drizzle-orm'
import { type Address, type Hex, isHex, keccak256, zeroAddress } from 'viem'
import { recoverConfirmationOwner } from '../../chain/recover.ts'
import type { Ctx } from '../../context.ts'
import { activity, multisigTransaction } from '../../db/schema.ts'
import { refusedSignature } from '../../db/team-schema.ts'
import { notify } from '../../live/notify.ts'

/** Proposals whose hashes a refused signature is tried on. */
const OPEN_TRIED = 200
const EXECUTED_TRIED = 20
/** Kept of one account for one Safe in an hour: each stands on every owner's screen. */
const KEPT_PER_HOUR = 20
const HOUR = 3_600_000
const LOOKED_AT = 200
const codes = new Set(['SIGNATURE_INVALID', 'SIGNATURE_NOT_FROM_OWNER'])

type Refusal = {
  state: SafeState
  /** What it was said to sign. */
  signedHash: Hex
  /** Who is signed in; null for nobody. */
  account: Address | null
  isMember: boolean
}

/**
 * Keeps a signature that did not verify, beside the request that is refused because of it. It is an alarm when somebody
 * of the team sent it, or when it is an owner's for another proposal that is still open: the owner may have been made to
 * sign that one. What strangers make up is not kept at all.
 */
export async function recordRefusal(ctx: Ctx, refusal: Refusal, error: unknown): Promise<void> {
  if (!(error instanceof CountersignError) || !codes.has(error.code)) return
  const { signature } = error.data
  if (!isHex(signature)) return
  const { state, signedHash, account, isMember } = refusal
  const { chainId, address: safeAddress } = state
  const other = await findSigned(ctx, refusal, signature)
  const isAlarm = isMember || other?.isExecuted === false
  if (!isAlarm && !other) return
  const submittedBy = account ?? zeroAddress
  const at = ctx.clock()
  await ctx.db.transaction(async (tx) => {
    const recent = await tx.execute<{ count: number }>(sql`
      select count(*)::int as count from (
        select at, submitted_by from refused_signature
        where chain_id = ${chainId} and safe_address = ${sql.param(safeAddress, refusedSignature.safeAddress)}
        order by id desc limit ${LOOKED_AT}
      ) as newest
      where submitted_by = ${sql.param(submittedBy, refusedSignature.submittedBy)}
        and at > ${new Date(at.getTime() - HOUR).toISOString()}::timestamptz`)
    if ((recent.rows[0]?.count ?? 0) >= KEPT_PER_HOUR) return
    const facts = {
      signer: other?.owner ?? null,
      otherSafeTxHash: other?.safeTxHash ?? null,
      code: error.code,
    }
    const kept = await tx
      .insert(refusedSignature)
      .values({
        ...{ at, chainId, safeAddress, signedHash, signature, signatureHash: keccak256(signature), submittedBy },
        ...{ ...facts, isAlarm },
      })
      .onConflictDoNothing()
      .returning({ id: refusedSignature.id })
    if (kept.length === 0 || !isAlarm) return
    const detail = Object.fromEntries(Object.entries(facts).flatMap(([key, text]) => (text ? [[key, text]] : [])))
    await tx
      .insert(activity)
      .values({ at, account, verb: 'refused-signature', chainId, safeAddress, safeTxHash: signedHash, detail })
    await notify(tx, { kind: 'team', chainId, safeAddress })
  })
}

/** The proposal that it is an owner's signature of, when it is one of a key. */
async function findSigned(
  { db }: Ctx,
  { state, signedHash }: Refusal,
  signature: Hex,
): Promise<{ safeTxHash: Hex; isExecuted: boolean; owner: Address } | null> {
  if ('owner' in parseSignature(signature)) return null
  const { chainId, address } = state
  const ofSafe = and(eq(multisigTransaction.chainId, chainId), eq(multisigTransaction.safeAddress, address))
  const fields = { safeTxHash: multisigTransaction.safeTxHash, isExecuted: multisigTransaction.isExecuted }
  const open = await db
    .select(fields)
    .from(multisigTransaction)
    .where(and(ofSafe, sql`not ${multisigTransaction.isExecuted}`))
    .orderBy(desc(multisigTransaction.nonce))
    .limit(OPEN_TRIED)
  const executed = await db
    .select(fields)
    .from(multisigTransaction)
    .where(and(ofSafe, sql`${multisigTransaction.isExecuted}`))
    .orderBy(desc(multisigTransaction.blockNumber), desc(multisigTransaction.logIndex))
    .limit(EXECUTED_TRIED)
  for (const one of [...open, ...executed]) {
    if (one.safeTxHash === signedHash) continue
    const found = await recoverConfirmationOwner(one.safeTxHash, signature).catch(() => null)
    if (found && state.owners.includes(found.owner)) return { ...one, owner: found.owner }
  }
  return null
}
