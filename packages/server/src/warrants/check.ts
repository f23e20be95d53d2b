import { eq, sql } from 'drizzle-orm'
import type { Deps } from '../context.ts'
import type { Executor } from '../db/client.ts'
import { session, warrantGround, warrant as warrants } from '../db/schema.ts'
import { apiToken } from '../db/team-schema.ts'
import { CHANNEL } from '../live/notify.ts'
import { type Chain, chainOf } from '../rpc/clients.ts'
import { readBlock } from '../rpc/logs.ts'
import { chainOfOneRequest } from '../rpc/one-request.ts'
import { askAccount } from '../signatures/verify-signature.ts'
import { toLogEntry } from '../to-log-entry.ts'
import { hashAuthority, NO_AUTHORITY } from './authority.ts'
import { readSafeOrNull } from './read-ground.ts'
import { FINAL_BLOCKS, noteAuthority } from './standing.ts'

export const CHECK_WARRANTS_MS = 10_000
/** Interval of checks for a warrant that no session or token uses. */
const IDLE_CHECK_MS = 300_000
/** Twice the interval at which the use of a session is recorded. */
const LATELY_MS = 600_000
/** Warrants of one chain that are claimed together. Those with the oldest check come first. */
const MAX_CLAIMED = 10
/** Questions to contracts that a node gets at once from one client. */
const AT_ONCE = 2

type Parts = Pick<Deps, 'db' | 'clock' | 'chains' | 'log'>
type Warrant = typeof warrants.$inferSelect

/**
 * Checks the warrants in use against the chain. The follower sees most changes sooner. This check also covers Safes that are not
 * stored here and contracts that emit no events.
 */
export async function checkWarrants(parts: Parts): Promise<void> {
  await Promise.all(Array.from(parts.chains.keys(), (chainId) => checkChain(parts, chainId)))
}

/**
 * Checks the warrants of one chain until none is due or the next round begins. If the nodes of a chain hang, the checks of other
 * chains continue.
 */
async function checkChain(parts: Parts, chainId: number): Promise<void> {
  const end = performance.now() + CHECK_WARRANTS_MS
  for (;;) {
    const claimed = await claim(parts, chainId)
    const left = claimed.values()
    const checkLeft = async () => {
      for (const warrant of left) {
        // Each warrant has its own deadline.
        const chain = chainOfOneRequest(chainOf(parts.chains, chainId), { key: 'warrants' })
        await checkWarrant({ ...parts, chain }, warrant).catch((err: unknown) =>
          parts.log.debug({ chainId, err: toLogEntry(err) }, 'warrant not checked, goes on'),
        )
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, checkLeft))
    if (claimed.length < MAX_CLAIMED || performance.now() > end) return
  }
}

async function claim(parts: Parts, chainId: number): Promise<Warrant[]> {
  const now = parts.clock()
  const ago = (milliseconds: number) => sql`${new Date(now.getTime() - milliseconds).toISOString()}::timestamptz`
  const at = sql`${now.toISOString()}::timestamptz`
  const isOf = sql`warrant_id = w.id`
  return parts.db
    .update(warrants)
    .set({ checkedAt: now })
    .where(
      sql`${warrants.id} in (
        select w.id from warrant w
        where w.chain_id = ${chainId} and w.ended_at is null and w.checked_at <= ${ago(CHECK_WARRANTS_MS)} and (
          exists (select from session where ${isOf} and revoked_at is null and expires_at > ${at})
          or exists (select from api_token where ${isOf} and (expires_at is null or expires_at > ${at}))
          or exists (select from delegate where ${isOf}) or exists (select from viewer where ${isOf})
          or exists (select from webhook where ${isOf}))
          and (w.checked_at <= ${ago(IDLE_CHECK_MS)}
            or exists (select from session where ${isOf} and last_seen_at > ${ago(LATELY_MS)})
            or exists (select from api_token where ${isOf} and last_used_at > ${ago(LATELY_MS)}))
        order by w.checked_at limit ${MAX_CLAIMED} for update skip locked)`,
    )
    .returning()
}

/**
 * Reads which owners now decide for the Safes of a warrant, and whether the contract still accepts the signature. A difference
 * ends the warrant if nodes agree on it, or if it still exists when the first block that showed it is final.
 *
 * @throws CountersignError `CHAIN_UNREACHABLE`
 */
async function checkWarrant(parts: Pick<Parts, 'db' | 'clock'> & { chain: Chain }, warrant: Warrant): Promise<void> {
  const { db, clock, chain } = parts
  const { id, chainId } = warrant
  const now = clock()
  const head = (await readBlock(chain.request, 'latest'))?.number ?? 0
  const isAgreed = (chain.settings.agreement ?? 1) > 1
  let isCertain = false
  for (const ground of await db.select().from(warrantGround).where(eq(warrantGround.warrantId, id))) {
    const { safeAddress } = ground
    const state = await readSafeOrNull(chain, safeAddress)
    const authority = state ? hashAuthority(state) : NO_AUTHORITY
    const blockNumber = state ? Number(state.blockNumber) : head
    await noteAuthority(db, { chainId, safeAddress, authority, blockNumber }, { now })
    const isFinal = ground.seenAuthority === authority && blockNumber - ground.seenBlock > FINAL_BLOCKS
    isCertain ||= authority !== ground.authority && (isAgreed || isFinal)
  }
  const verdict = await askAccount(chain, {
    account: warrant.account,
    hash: warrant.signedHash,
    signature: warrant.signature,
  })
  if (verdict === 'valid') await setWarrant(db, id, { refusedAt: null, refusedBlock: null })
  if (verdict === 'invalid') {
    const { refusedAt, refusedBlock } = warrant
    isCertain ||= refusedBlock !== null && head - refusedBlock > FINAL_BLOCKS
    if (refusedBlock === null) await setWarrant(db, id, { refusedAt: refusedAt ?? now, refusedBlock: head })
  }
  if (isCertain) await setWarrant(db, id, { endedAt: now })
  await closeStreams(db, id)
}

async function setWarrant(db: Executor, id: string, facts: Partial<Warrant>): Promise<void> {
  await db.update(warrants).set(facts).where(eq(warrants.id, id))
}

/** Notifies every process of live streams whose warrant is suspended or has ended. */
async function closeStreams(db: Executor, id: string): Promise<void> {
  await db.execute(sql`
    select pg_notify(${CHANNEL}, json_build_object('kind', 'session-ended', 'sessionId', resting.id)::text)
    from (select id from ${session} where warrant_id = ${id} union select id from ${apiToken} where warrant_id = ${id}) resting
    where not warrant_stands(${id})`)
}

/** Removes warrants that are no longer in use. */
export async function removeOldWarrants({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  // A warrant is stored shortly before the first row that refers to it.
  const before = new Date(clock().getTime() - CHECK_WARRANTS_MS * 60).toISOString()
  await db.execute(sql`
    delete from warrant w where created_at < ${before}::timestamptz
      and not exists (select from session where warrant_id = w.id)
      and not exists (select from api_token where warrant_id = w.id)
      and not exists (select from delegate where warrant_id = w.id)
      and not exists (select from viewer where warrant_id = w.id)
      and not exists (select from webhook where warrant_id = w.id)`)
}
