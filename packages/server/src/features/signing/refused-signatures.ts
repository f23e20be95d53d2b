import { CountersignError, parseSignature, type SafeState, splitSignatures } from '@countersign/safe'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { type Address, type Hex, isHex, keccak256, zeroAddress } from 'viem'
import type { Ctx } from '../../context.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { multisigTransaction } from '../../db/schema.ts'
import { refusedSignature as table } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { recoverConfirmationOwner } from '../../signatures/recover.ts'

/** Proposals whose hashes a refused signature is tried on. */
const OPEN_TRIED = 200
const EXECUTED_TRIED = 20
/** Kept of one account for one Safe in an hour: each stands on every owner's screen. */
const KEPT_PER_HOUR = 20
const HOUR = 3_600_000
const LOOKED_AT = 200
const codes = new Set(['SIGNATURE_INVALID', 'SIGNATURE_NOT_FROM_OWNER'])

export type Refusal = {
  state: SafeState
  /** Claimed object of the signature. */
  signedHash: Hex
  /** Signed-in account; null for none. */
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
  const other = await findSigned(ctx, refusal, signature)
  const isAlarm = refusal.isMember || other?.isExecuted === false
  if (!isAlarm && !other) return
  const facts = { signer: other?.owner ?? null, otherSafeTxHash: other?.safeTxHash ?? null, code: error.code }
  await keep(ctx, refusal, { signature, isAlarm, ...facts })
}

/**
 * Keeps an owner's signature that came with what has another hash than the owner signed: somebody may have shown the owner
 * one thing and sends another. An alarm when the team sent it; of strangers nothing is kept.
 */
export async function recordMismatch(
  ctx: Ctx,
  refusal: Refusal,
  { signatures, error }: { signatures: Hex; error: CountersignError },
): Promise<void> {
  if (!refusal.isMember) return
  const found = await findOwners(signatures, refusal).catch(() => [])
  for (const { owner, signature } of found.slice(0, 1))
    await keep(ctx, refusal, { signature, isAlarm: true, signer: owner, otherSafeTxHash: null, code: error.code })
}

/** Owners whose keys signed the hash; not more signatures are looked at than there are owners. */
async function findOwners(signatures: Hex, { state: { owners }, signedHash }: Refusal) {
  const found: { owner: Address; signature: Hex }[] = []
  let left = owners.length
  for (const { signatureType, signature } of splitSignatures(signatures)) {
    if (left === 0) break
    left -= 1
    if (signatureType !== 'EOA' && signatureType !== 'ETH_SIGN') continue
    const signed = await recoverConfirmationOwner(signedHash, signature)
    if (owners.includes(signed.owner)) found.push(signed)
  }
  return found
}

type Kept = Pick<typeof table.$inferSelect, 'signature' | 'isAlarm' | 'signer' | 'otherSafeTxHash' | 'code'>

async function keep(
  ctx: Ctx,
  { state, signedHash, account }: Refusal,
  { signature, isAlarm, ...facts }: Kept,
): Promise<void> {
  const { chainId, address: safeAddress } = state
  const submittedBy = account ?? zeroAddress
  const signatureHash = keccak256(signature)
  const place = sql`chain_id = ${chainId} and safe_address = ${sql.param(safeAddress, table.safeAddress)}`
  await write(ctx, null, async (tx, log) => {
    const { now: at } = log
    await lockUntilCommit(tx, `refused ${chainId} ${safeAddress}`)
    const known = await tx.execute<{ is_alarm: boolean }>(sql`
      select bool_or(is_alarm) as is_alarm from refused_signature
      where ${place} and ${isSame(signature, signedHash)} having count(*) > 0`)
    const [same] = known.rows
    // A signature first brought by a stranger becomes an alarm once the team brings it.
    if (same && (same.is_alarm || !isAlarm)) return
    const recent = await tx.execute<{ count: number }>(sql`
      select count(*)::int as count from (
        select at, submitted_by from refused_signature where ${place} order by id desc limit ${LOOKED_AT}
      ) as newest
      where submitted_by = ${sql.param(submittedBy, table.submittedBy)}
        and at > ${new Date(at.getTime() - HOUR).toISOString()}::timestamptz`)
    if ((recent.rows[0]?.count ?? 0) >= KEPT_PER_HOUR) return
    await tx
      .insert(table)
      .values({ at, chainId, safeAddress, signedHash, signature, signatureHash, submittedBy, isAlarm, ...facts })
      .onConflictDoUpdate({
        target: [table.chainId, table.safeAddress, table.signedHash, table.signatureHash],
        set: { at, submittedBy, isAlarm },
      })
    if (!isAlarm) return
    const detail = Object.fromEntries(Object.entries(facts).flatMap(([key, text]) => (text ? [[key, text]] : [])))
    const about = { chainId, safeAddress, safeTxHash: signedHash }
    log.add({ verb: 'refused-signature', account, ...about, detail })
  })
}

/** A key's signature is the same whatever it is said to sign; one that only names its owner is another for each hash. */
function isSame(signature: Hex, signedHash: Hex): SQL {
  const matchesSignature = sql`signature_hash = ${sql.param(keccak256(signature), table.signatureHash)}`
  if (!('owner' in parseSignature(signature))) return matchesSignature
  return sql`${matchesSignature} and signed_hash = ${sql.param(signedHash, table.signedHash)}`
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
    .orderBy(
      desc(multisigTransaction.executionDate),
      desc(multisigTransaction.blockNumber),
      desc(multisigTransaction.logIndex),
    )
    .limit(EXECUTED_TRIED)
  for (const candidate of [...open, ...executed]) {
    if (candidate.safeTxHash === signedHash) continue
    const found = await recoverConfirmationOwner(candidate.safeTxHash, signature).catch(() => null)
    if (found && state.owners.includes(found.owner)) return { ...candidate, owner: found.owner }
  }
  return null
}
