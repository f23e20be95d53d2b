import type { Role, Safe } from '@countersign/contract'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { type Address, getAddress, type Hex } from 'viem'
import type { Database } from '../db/client.ts'
import { innerQuery } from '../db/inner-query.ts'
import { fitsPage, shownOf } from '../db/page-bytes.ts'
import { confirmation, multisigTransaction, safe, waitingSignIn } from '../db/schema.ts'
import {
  addressBookEntry,
  messageConfirmation,
  policyVersion,
  refusedSignature,
  safeMessage,
  teamAbi,
} from '../db/team-schema.ts'
import { isHashOutdated } from './hash-form.ts'
import { isItself, isListed, isListedFor, isMember, roleOf, safesOf } from './roles.ts'
import { signedAs, waitsForOwnersHere } from './sign-in-requests.ts'
import type { Who } from './viewer.ts'

const MAX_SAFES = 500
/** An owner's address in an answer. */
const OWNER_BYTES = 48
/** Messages of one Safe that are looked through for those that wait. */
const MAX_MESSAGES = 200
/** How many names of one Safe an answer has. */
const MAX_NAMES = 5

/** Safes that match, as this account sees them, to the bounds of one answer. One query. */
async function selectSafes(db: Database, who: Who, now: Date, which: SQL | undefined): Promise<Safe[]> {
  const account = who.address
  const owner = sql`decode(${account.slice(2)}, 'hex')`
  // Anybody can create Safes that name an owner: they never make room for the Safe that the account is, nor for those
  // that it added itself.
  const order = [
    sql`case when ${isItself(who)} then 0 when ${isListed(db, who)} then 1 else 2 end`,
    sql`${safe.addedAt}`,
    sql`${safe.address}`,
  ]
  const fits = fitsPage(sql`cardinality(${safe.owners}) * ${sql.raw(String(OWNER_BYTES))}`, order)
  const rows = await db
    .select({
      fits,
      chainId: safe.chainId,
      address: safe.address,
      owners: sql<Address[]>`case when ${fits} then ${safe.owners} else '{}' end`.mapWith(safe.owners),
      threshold: safe.threshold,
      nonce: safe.nonce,
      version: safe.version,
      isDeployed: safe.isDeployed,
      backfillBlock: safe.backfillBlock,
      backfillTo: safe.backfillTo,
      stoppedAt: safe.backfillStoppedAt,
      addedAt: safe.addedAt,
      role: roleOf(who, now),
      names: namesOfItself(owner, isMember(who, now)),
      awaiting: innerQuery(sql<number>`case when ${owner} = any(${safe.owners}) then (
        select count(*)::int from ${multisigTransaction} t
        where t.chain_id = ${safe.chainId} and t.safe_address = ${safe.address} and not t.is_executed and t.is_trusted
          and t.nonce >= ${safe.nonce} and not ${isHashOutdated(sql`t.domain_version`)}
          and (
            -- Those that count, and whether mine is missing: as isWaitingFor.
            select count(*) < ${safe.threshold} and not coalesce(bool_or(c.owner = ${owner}), false)
            from ${confirmation} c
            where c.chain_id = t.chain_id and c.safe_tx_hash = t.safe_tx_hash and c.owner = any(${safe.owners})
          )
      ) else 0 end`),
      messagesAwaitingMe: innerQuery(sql<number>`case when ${owner} = any(${safe.owners}) then (
        select count(*)::int from (
          select message_hash from ${safeMessage} where chain_id = ${safe.chainId} and safe_address = ${safe.address}
          order by submission_date desc, message_hash desc limit ${sql.raw(String(MAX_MESSAGES))}
        ) m
        where (
          select count(*) < ${safe.threshold} and not coalesce(bool_or(c.owner = ${owner}), false)
          from ${messageConfirmation} c
          where c.chain_id = ${safe.chainId} and c.message_hash = m.message_hash and c.owner = any(${safe.owners})
        )
      ) + (
        -- Anybody can ask, and often: all that ask count as one.
        exists (
          select from ${waitingSignIn} where ${waitingSignIn.chainId} = ${safe.chainId}
            and ${waitingSignIn.address} = ${safe.address} and ${waitsForOwnersHere(now)} and ${signedAs} is null
        )
      )::int else 0 end`),
      hasAlarms: innerQuery(sql<boolean>`${owner} = any(${safe.owners}) and exists (
        select from ${refusedSignature} r
        where r.chain_id = ${safe.chainId} and r.safe_address = ${safe.address} and r.is_alarm and r.acknowledged_at is null
        ${forEachRow}
      )`),
      hasNames: keepsAny(addressBookEntry, isMember(who, now)),
      hasAbis: keepsAny(teamAbi, isMember(who, now)),
      hasPolicy: keepsAny(policyVersion, isMember(who, now)),
    })
    .from(safe)
    .where(which)
    .orderBy(...order)
    .limit(MAX_SAFES)
  return rows.slice(0, shownOf(rows, MAX_SAFES)).map(({ awaiting, nonce, addedAt, stoppedAt, fits: _, ...row }) => ({
    ...row,
    backfillStoppedAt: stoppedAt?.toISOString() ?? null,
    nonce: Number(nonce),
    awaitingMyConfirmation: awaiting,
    addedAt: addedAt.toISOString(),
  }))
}

/**
 * Ends an inner query that is to be asked for each row, by its index. Without this PostgreSQL may rather read the inner table
 * from end to end, with the rows of all Safes in it, and look each row up there.
 */
const forEachRow = sql`offset 0`

/** Whether a table of the team has a row of the Safe, for its team. */
function keepsAny(table: PgTable, isOfTeam: SQL): SQL<boolean> {
  return innerQuery(sql<boolean>`exists (
    select from ${table} k where k.chain_id = ${safe.chainId} and k.safe_address = ${safe.address} ${forEachRow}
  ) and ${isOfTeam}`)
}

/** Selects the names of a Safe in its own address book, for its team. */
function namesOfItself(account: SQL, isOfTeam: SQL): SQL<Safe['names']> {
  return innerQuery(sql<Safe['names']>`case when ${isOfTeam} then (
    select coalesce(json_agg(json_build_object(
      'name', n.name, 'author', '0x' || encode(n.author, 'hex'), 'updatedAt', n.updated_at)), '[]')
    from (
      select b.name, b.author, b.updated_at from ${addressBookEntry} b
      where b.chain_id = ${safe.chainId} and b.safe_address = ${safe.address} and b.address = ${safe.address}
      order by b.author = ${account} desc, b.author = any(${safe.owners}) desc, b.updated_at desc
      limit ${sql.raw(String(MAX_NAMES))}
    ) n
  ) else '[]' end`).mapWith((rows: { name: string; author: Hex; updatedAt: string }[]) =>
    rows.map(({ name, author, updatedAt }) => ({
      name,
      author: getAddress(author),
      updatedAt: new Date(updatedAt).toISOString(),
    })),
  )
}

/** My Safes: the account itself, owned, shared by an owner, or added. */
export function findSafes(db: Database, who: Who, chainIds: readonly number[], now: Date): Promise<Safe[]> {
  if (chainIds.length === 0) return Promise.resolve([])
  const isMine = sql`(${safe.chainId}, ${safe.address}) in (${safesOf(who, now)})`
  return selectSafes(db, who, now, and(inArray(safe.chainId, [...chainIds]), isMine))
}

/** The role of the account in one of My Safes; null when it is none of them. */
export async function findRole(
  db: Database,
  who: Who,
  chainId: number,
  address: Address,
  now: Date,
): Promise<{ role: Role | null } | null> {
  const [found] = await db
    .select({ role: roleOf(who, now) })
    .from(safe)
    .where(and(eq(safe.chainId, chainId), eq(safe.address, address), isListedFor(db, who, now)))
  return found ?? null
}

/** One of My Safes, or null. */
export async function findSafe(
  db: Database,
  who: Who,
  chainId: number,
  address: Address,
  now: Date,
): Promise<Safe | null> {
  const isMine = and(eq(safe.chainId, chainId), eq(safe.address, address), isListedFor(db, who, now))
  const [found] = await selectSafes(db, who, now, isMine)
  return found ?? null
}
