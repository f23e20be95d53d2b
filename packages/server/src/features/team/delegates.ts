import { type Delegate, fail } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { delegateHashes } from '@countersign/safe/service'
import { and, asc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Deps, SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { safe } from '../../db/schema.ts'
import { delegate as table } from '../../db/team-schema.ts'
import type { Log } from '../../outbox/append.ts'
import { write } from '../../outbox/write.ts'
import { type Chain, chainOf, unreachable } from '../../rpc/clients.ts'
import { notAnOwner, requireListedSafe } from '../../safes/access.ts'
import { isDelegationInForce, isMember } from '../../safes/roles.ts'
import { verifyRequest } from '../../signatures/verify-request.ts'
import { type NewWarrant, readWarrant, storeWarrant } from '../../warrants/store.ts'
import { requireInFuture } from './expiry.ts'

/** Delegates of one delegator on one chain. */
const MAX_DELEGATES = 100
const MAX_LISTED = 1_000
/** Safes of a delegator whose screens are told at once; the others see it when they ask again. */
const MAX_TOLD = 200

/** Null as `safeAddress`: every Safe of the delegator on the chain. */
type Key = { chainId: number; safeAddress: Address | null; delegate: Address; delegator: Address }
/** Null: the delegator, or who else may, is the account that asks. */
type Proof = { signature: Hex | null; form?: Form }
/** Form of the signed request: typed data, or the older text. */
type Form = 'typed-data' | 'text'

/** Lists the accounts that may propose for owners of a Safe now. */
export async function listDelegates(
  ctx: SignedInCtx,
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
): Promise<Delegate[]> {
  const now = ctx.clock()
  const rows = await ctx.db
    .select({ delegate: table })
    .from(table)
    .innerJoin(safe, isDelegationInForce(now))
    .where(and(eq(safe.chainId, chainId), eq(safe.address, safeAddress), isMember(ctx.viewer, now)))
    .orderBy(asc(table.label), asc(table.delegate), asc(table.delegator), asc(table.createdAt))
    .limit(MAX_LISTED)
  return rows.map((row) => toDelegate(row.delegate))
}

/**
 * Lets an account propose for another one. The delegator is an owner of the Safe on the chain now; for every Safe it may
 * be anybody, and it holds where the delegator is an owner. Again: another label and another end.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, `NOT_AN_OWNER`, `TOO_MANY`, `INVALID_REQUEST` for an end in the past or a
 * delegate that is nobody, and those of {@link verifyRequest}.
 */
export async function addDelegate(
  ctx: SignedInCtx,
  { signature, form, label, expiryDate, ...key }: Key & Proof & { label: string; expiryDate: Date | null },
): Promise<Delegate> {
  const { chainId, safeAddress, delegate, delegator } = key
  const chain = chainOf(ctx.chains, chainId)
  const now = ctx.clock()
  requireInFuture('expiryDate', expiryDate, now)
  requireSomebody(delegate)
  if (safeAddress) await requireListedSafe(ctx, chainId, safeAddress)
  const state = safeAddress ? await chain.readSafe(safeAddress) : null
  if (state && !state.owners.includes(delegator)) throw notAnOwner(delegator, state.address)
  const said = signature
    ? await verifyRequest(chain, { hashes: hashesOf(key, now, form), accounts: [delegator], signature })
    : null
  if (!said) requireViewer(ctx, [delegator], key)
  const read = said?.contractSignature ? await readRequestWarrant(chain, said, said.contractSignature) : null

  return write(ctx, state && { state }, async (tx, log) => {
    await lockUntilCommit(tx, `delegate ${chainId} ${delegator}`)
    const [known] = await tx.select().from(table).where(isKey(key))
    const isOfDelegator = and(eq(table.chainId, chainId), eq(table.delegator, delegator))
    if (!known && (await tx.$count(table, isOfDelegator)) >= MAX_DELEGATES)
      throw fail('TOO_MANY', { reason: 'delegates', delegator, limit: MAX_DELEGATES })
    const isSame = known && known.label === label && known.expiryDate?.getTime() === expiryDate?.getTime()
    if (isSame && (known.warrantId === null || (!said && known.warrantId === ctx.viewer.warrantId)))
      return toDelegate(known)
    const warrantId = read ? await storeWarrant(tx, read, { now }) : said ? null : ctx.viewer.warrantId
    const [stored] = await tx
      .insert(table)
      .values({ ...key, label, expiryDate, signature, createdAt: now, warrantId })
      .onConflictDoUpdate({
        target: [table.chainId, table.safeAddress, table.delegate, table.delegator],
        set: { label, expiryDate, signature, warrantId },
      })
      .returning()
    if (!stored) throw new Error('The delegate was not written')
    const until = expiryDate ? { expiryDate: expiryDate.toISOString() } : {}
    const detail = { delegate, delegator, label, ...until }
    const account = ctx.viewer.address
    log.add({ verb: 'named-proposer', account, chainId, safeAddress, detail })
    if (!safeAddress) await notifyTeams(tx, log, key)
    return toDelegate(stored)
  })
}

/**
 * Ends what a delegator said: for one Safe, for every Safe, or (`'any'`) wherever it was said. By the delegator, or by
 * the delegate.
 *
 * @throws CountersignError `DELEGATE_NOT_FOUND`, and those of {@link verifyRequest}.
 */
export async function removeDelegate(
  ctx: SignedInCtx,
  { signature, form, ...asked }: Omit<Key, 'safeAddress'> & Proof & { safeAddress: Address | null | 'any' },
): Promise<undefined> {
  const { chainId, delegate, delegator, safeAddress } = asked
  const accounts = [delegator, delegate]
  const now = ctx.clock()
  const chain: Chain = chainOf(ctx.chains, chainId)
  if (signature) await verifyRequest(chain, { hashes: hashesOf(asked, now, form), accounts, signature })
  else requireViewer(ctx, accounts, asked)
  await write(ctx, null, async (tx, log) => {
    const removed = await tx
      .delete(table)
      .where(
        safeAddress === 'any'
          ? and(eq(table.chainId, chainId), eq(table.delegate, delegate), eq(table.delegator, delegator))
          : isKey({ chainId, delegate, delegator, safeAddress }),
      )
      .returning()
    if (removed.length === 0) throw delegateNotFound(asked)
    const account = ctx.viewer.address
    for (const { label, ...key } of removed) {
      const detail = { delegate, delegator, label }
      const { safeAddress: place } = key
      log.add({ verb: 'removed-proposer', account, chainId, safeAddress: place, detail })
      if (!place) await notifyTeams(tx, log, key)
    }
  })
}

/**
 * Removes what can never be in force again: what has expired, and what a former owner said for one Safe. The chain may
 * still take back the latest blocks, so an owner is a former one when the removal is out of their reach; and one wrong
 * answer of a node removes nothing: the history must tell of the removal, too.
 */
export async function removeEndedDelegates(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  finalAfterBlocks: number,
): Promise<void> {
  await db.delete(table).where(lt(table.expiryDate, clock()))
  const isFormer = (who: SQL) => sql`
    not s.is_stale and cardinality(s.owners) > 0 and not ${who} = any(s.owners)
      and exists (select from chain_cursor c
        where c.chain_id = s.chain_id and c.block_number - s.block_number > ${finalAfterBlocks})
      and exists (select from history_entry h
        where h.chain_id = s.chain_id and h.safe_address = s.address and h.kind = 'owner-removed' and h.subject = ${who})`
  await db.execute(sql`
    delete from delegate d using safe s
    where s.chain_id = d.chain_id and s.address = d.safe_address and ${isFormer(sql`d.delegator`)}`)
  await db.execute(sql`
    delete from viewer v using safe s
    where s.chain_id = v.chain_id and s.address = v.safe_address and ${isFormer(sql`v.invited_by`)}`)
}

/** Reads the Safes that a contract's signature of a request depends on. */
async function readRequestWarrant(
  chain: Chain,
  { owner: account, hash }: { owner: Address; hash: Hex },
  signature: Hex,
): Promise<NewWarrant> {
  const { verdict, warrant } = await readWarrant(chain, { account, hash, signature })
  if (verdict === 'valid') return warrant
  if (verdict === 'unavailable') throw unreachable(chain.settings, new Error('the contract could not be asked'))
  throw fail('SIGNATURE_INVALID', { reason: 'account', account })
}

function isKey({ chainId, safeAddress, delegate, delegator }: Key): SQL | undefined {
  return and(
    eq(table.chainId, chainId),
    safeAddress ? eq(table.safeAddress, safeAddress) : isNull(table.safeAddress),
    eq(table.delegate, delegate),
    eq(table.delegator, delegator),
  )
}

function hashesOf(
  { chainId, delegate }: Pick<Key, 'chainId' | 'delegate'>,
  now: Date,
  form: Form = 'typed-data',
): Hex[] {
  return delegateHashes({ form, chainId, delegate }, now.getTime() / 1000)
}

/** Nobody has the key of the zero address, nor of the marker 0x…01 of the Safe's lists. */
function requireSomebody(delegate: Address): void {
  if (BigInt(delegate) > 1n) return
  throw fail('INVALID_REQUEST', {
    reason: 'account',
    field: 'delegate',
    value: delegate,
    errors: [{ path: 'delegate', message: 'must be an account' }],
  })
}

function requireViewer(ctx: SignedInCtx, accounts: readonly Address[], key: Omit<Key, 'safeAddress'>): void {
  if (!accounts.includes(ctx.viewer.address)) throw delegateNotFound(key)
}

function delegateNotFound({ chainId, delegate, delegator }: Omit<Key, 'safeAddress'>): CountersignError {
  return fail('DELEGATE_NOT_FOUND', { chainId, delegate, delegator })
}

/** Appends to the log of each Safe of the delegator. */
async function notifyTeams(
  db: Executor,
  log: Log,
  { chainId, delegator }: Pick<Key, 'chainId' | 'delegator'>,
): Promise<void> {
  const safes = await db
    .select({ safeAddress: safe.address })
    .from(safe)
    .where(and(eq(safe.chainId, chainId), sql`${safe.owners} @> array[${sql.param(toBytes(delegator))}::bytea]`))
    .limit(MAX_TOLD)
  for (const { safeAddress } of safes) log.notify({ kind: 'team', chainId, safeAddress })
}

function toDelegate({ safeAddress, delegate, delegator, label, createdAt, expiryDate }: typeof table.$inferSelect) {
  return {
    safeAddress,
    delegate,
    delegator,
    label,
    createdAt: createdAt.toISOString(),
    expiryDate: expiryDate?.toISOString() ?? null,
  } satisfies Delegate
}
