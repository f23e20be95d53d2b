import type { Role } from '@countersign/contract'
import { and, type Column, eq, exists, or, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../db/client.ts'
import { decodeAddress, toBytes } from '../db/columns.ts'
import { safe, safeListEntry } from '../db/schema.ts'
import { delegate, viewer as viewerTable, webhook } from '../db/team-schema.ts'
import { isWarranted } from '../warrants/standing.ts'
import { isContractSession, isProvenOn, isSafeItself, type Viewer, type Who } from './viewer.ts'

/*
 * Roles in a Safe, as SQL over a row of `safe`: derived at the moment of reading, from the owners that the chain has
 * now. A delegate or a viewer is one only while the owner who said so is an owner.
 */

/** Stands for who asks, and when, in a statement that is built once; `askedBy` gives what comes there. */
export const LATER = 'later'
type Asker = Who | typeof LATER
type Moment = Date | typeof LATER

/** Gives the values for the places of `LATER`. */
export function askedBy(who: Who, now: Date) {
  return { account: who.address, ownChainId: isContractSession(who) ? who.chainId : null, now: now.toISOString() }
}

function accountOf(who: Asker): SQL {
  return sql`${sql.param(who === LATER ? sql.placeholder('account') : who.address, safe.address)}::bytea`
}

/**
 * Owner before proposer before viewer; null: none of these, who may see what is on the chain anyway. A Safe that signed
 * in is a viewer of itself: enough of its owners signed for that, and none of them acts for the others.
 */
export function roleOf(who: Asker, now: Moment): SQL<Role | null> {
  return sql<Role | null>`case
    when ${isOwner(who)} then 'owner'
    when ${isProposer(who, now)} then 'proposer'
    when ${isItself(who)} or ${isInvited(who)} then 'viewer'
  end`
}

/** Whether who asks has a role, and so sees what is not on the chain. */
export function isMember(who: Asker, now: Moment): SQL<boolean> {
  return sql<boolean>`(${isOwner(who)} or ${isItself(who)} or ${isProposer(who, now)} or ${isInvited(who)})`
}

/** `isMember` of the Safe that a row of another table names, in the very query that reads the row. */
export function isMemberOf(
  { viewer, clock }: { viewer: Viewer; clock: () => Date },
  row: { chainId: Column; safeAddress: Column },
): SQL {
  return sql`exists (select from ${safe} where ${safe.chainId} = ${row.chainId} and ${safe.address} = ${row.safeAddress}
    and ${isMember(viewer, clock())})`
}

/** Whether the account added the Safe of the row: then it sees what is on the chain. */
export function isListed(db: Pick<Database, 'select'>, who: Asker): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(safeListEntry)
      .where(
        and(
          eq(safeListEntry.account, accountOf(who)),
          eq(safeListEntry.chainId, safe.chainId),
          eq(safeListEntry.safeAddress, safe.address),
        ),
      ),
  )
}

/** Whether the Safe of the row is one of the account's My Safes. */
export function isListedFor(db: Pick<Database, 'select'>, who: Asker, now: Moment): SQL | undefined {
  return or(isMember(who, now), isListed(db, who))
}

/**
 * Whether who asks is the Safe of the row: by a session that its contract proved on its chain, which ends when its owners
 * change. Not by an API token, which lives on.
 */
export function isItself(who: Asker): SQL<boolean> {
  const isOnChain = (chainId: unknown) =>
    sql<boolean>`(${safe.address} = ${accountOf(who)} and ${safe.chainId} = ${chainId})`
  if (who === LATER) return sql<boolean>`coalesce(${isOnChain(sql`${sql.placeholder('ownChainId')}::bigint`)}, false)`
  return isContractSession(who) ? isOnChain(who.chainId) : sql<boolean>`false`
}

/** Whether a delegation has not expired, as SQL over a row of `delegate`. */
export function isUnexpired(now: Moment): SQL {
  const moment = now === LATER ? sql.placeholder('now') : now.toISOString()
  return sql`(${delegate.expiryDate} is null or ${delegate.expiryDate} > ${moment}::timestamptz)`
}

/** Whether a delegation is in force for a Safe, as SQL over a row of `delegate` and one of `safe`. */
export function isDelegationInForce(now: Moment): SQL {
  return sql`(${delegate.chainId} = ${safe.chainId}
    and (${delegate.safeAddress} is null or ${delegate.safeAddress} = ${safe.address})
    and ${delegate.delegator} = any(${safe.owners}) and ${isUnexpired(now)} and ${isWarranted(delegate.warrantId)})`
}

/** Whether an invitation is in force for a Safe, as SQL over a row of `viewer` and one of `safe`. */
export function isInvitationInForce(): SQL {
  return sql`(${viewerTable.chainId} = ${safe.chainId} and ${viewerTable.safeAddress} = ${safe.address}
    and ${viewerTable.invitedBy} = any(${safe.owners}) and ${isWarranted(viewerTable.warrantId)})`
}

/** Whether a webhook is in force for a Safe, as SQL over a row of `webhook` and one of `safe`: its creator is an owner. */
export function isWebhookInForce(): SQL {
  return sql`(${webhook.chainId} = ${safe.chainId} and ${webhook.safeAddress} = ${safe.address}
    and ${webhook.account} = any(${safe.owners}) and ${isWarranted(webhook.warrantId)})`
}

/** Whether who asks is an owner of the Safe of the row. */
export function isOwner(who: Asker): SQL {
  return sql`${accountOf(who)} = any(${safe.owners})`
}

function isProposer(who: Asker, now: Moment): SQL {
  return sql`exists (select from ${delegate}
    where ${delegate.delegate} = ${accountOf(who)} and ${isDelegationInForce(now)})`
}

function isInvited(who: Asker): SQL {
  return sql`exists (select from ${viewerTable}
    where ${viewerTable.account} = ${accountOf(who)} and ${isInvitationInForce()})`
}

/** Ids of the Safes that the account has to do with or added: each part is answered by an index. */
export function safesOf(who: Who, now: Date): SQL {
  return sql`${teamsOf(who, now)}
    union select chain_id, safe_address from safe_list_entry where account = ${accountOf(who)}`
}

/**
 * Ids of the Safes whose team the account is of, as `isMember` says it of one Safe. Not those that only name it as an owner
 * in a creation that nobody has sent: that costs nothing, and who wants such a Safe adds it.
 */
export function teamsOf(who: Who, now: Date): SQL {
  const account = accountOf(who)
  const owned = sql`${safe.owners} @> array[${account}]`
  const place = sql`${safe.chainId}, ${safe.address}`
  // The index of `safe.owners` knows `@>`, and not `any`.
  const named = sql`${safe.owners} @> array[${delegate.delegator}] and ${isDelegationInForce(now)}`
  return sql`
    select ${place} from ${safe} where ${owned} and ${safe.isDeployed}
    ${isContractSession(who) ? sql`union select ${place} from ${safe} where ${isItself(who)}` : sql``}
    union select ${place} from ${viewerTable} join ${safe} on ${isInvitationInForce()}
      where ${viewerTable.account} = ${account}
    union select ${place} from ${delegate} join ${safe} on ${named} where ${delegate.delegate} = ${account}`
}

/**
 * Says of any viewer whether it may know of a change at this moment. Members, and the Safe itself, may know of every
 * change; `isOnChain`: whoever added the Safe, too.
 */
export async function findAudience(
  db: Database,
  { chainId, safeAddress, isOnChain }: { chainId: number; safeAddress: Address; isOnChain: boolean },
  now: Date,
): Promise<(viewer: Viewer) => boolean> {
  const isPlace = sql`${safe.chainId} = ${chainId} and ${safe.address} = ${sql.param(toBytes(safeAddress))}`
  const { rows } = await db.execute<{ account: Hex }>(sql`
    select unnest(${safe.owners}) as account from ${safe} where ${isPlace}
    union select ${delegate.delegate} from ${safe} join ${delegate} on ${isDelegationInForce(now)} where ${isPlace}
    union select ${viewerTable.account} from ${safe} join ${viewerTable} on ${isInvitationInForce()} where ${isPlace}
    union select ${safeListEntry.account} from ${safeListEntry}
      where ${isOnChain} and ${safeListEntry.chainId} = ${chainId}
        and ${safeListEntry.safeAddress} = ${sql.param(toBytes(safeAddress))}`)
  const accounts = new Set(rows.map(({ account }) => decodeAddress(account)))
  return (viewer) =>
    isProvenOn(viewer, chainId) && (accounts.has(viewer.address) || isSafeItself(viewer, { chainId, safeAddress }))
}
