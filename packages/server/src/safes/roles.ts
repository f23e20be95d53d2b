import type { Role } from '@countersign/contract'
import { and, type Column, eq, exists, or, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../db/client.ts'
import { readAddress, toBytes } from '../db/columns.ts'
import { safe, safeListEntry } from '../db/schema.ts'
import { delegate, viewer as viewerTable } from '../db/team-schema.ts'
import { isContractSession, isProvenOn, isSafeItself, type Viewer, type Who } from './viewer.ts'

/*
 * Who somebody is to a Safe, as SQL over a row of `safe`: derived at the moment of reading, from the owners that the
 * chain has now. A delegate or a viewer is one only while the owner who said so is an owner.
 */

/**
 * Owner before proposer before viewer; null: none of these, who may see what is on the chain anyway. A Safe that signed
 * in is a viewer of itself: enough of its owners signed for that, and none of them acts for the others.
 */
export function roleOf(who: Who, now: Date): SQL<Role | null> {
  return sql<Role | null>`case
    when ${isOwner(who.address)} then 'owner'
    when ${isProposer(who.address, now)} then 'proposer'
    when ${isItself(who)} or ${isInvited(who.address)} then 'viewer'
  end`
}

/** Whether who asks has a role, and so sees what is not on the chain. */
export function isMember(who: Who, now: Date): SQL<boolean> {
  return sql<boolean>`(${isOwner(who.address)} or ${isItself(who)}
    or ${isProposer(who.address, now)} or ${isInvited(who.address)})`
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
export function isListed(db: Pick<Database, 'select'>, account: Address): SQL {
  return exists(
    db
      .select({ one: sql`1` })
      .from(safeListEntry)
      .where(
        and(
          eq(safeListEntry.account, account),
          eq(safeListEntry.chainId, safe.chainId),
          eq(safeListEntry.safeAddress, safe.address),
        ),
      ),
  )
}

/** Whether the Safe of the row is one of the account's My Safes. */
export function isListedFor(db: Pick<Database, 'select'>, who: Who, now: Date): SQL | undefined {
  return or(isMember(who, now), isListed(db, who.address))
}

/**
 * Whether who asks is the Safe of the row: by a session that its contract proved on its chain, which ends when its owners
 * change. Not by an API token, which lives on.
 */
export function isItself(who: Who): SQL<boolean> {
  if (!isContractSession(who)) return sql<boolean>`false`
  return sql<boolean>`(${safe.address} = ${sql.param(toBytes(who.address))}::bytea and ${safe.chainId} = ${who.chainId})`
}

/** Whether a delegation has not expired, as SQL over a row of `delegate`. */
export function isUnexpired(now: Date): SQL {
  return sql`(${delegate.expiryDate} is null or ${delegate.expiryDate} > ${now.toISOString()}::timestamptz)`
}

/** Whether a delegation is in force for a Safe, as SQL over a row of `delegate` and one of `safe`. */
export function isDelegationInForce(now: Date): SQL {
  return sql`(${delegate.chainId} = ${safe.chainId}
    and (${delegate.safeAddress} is null or ${delegate.safeAddress} = ${safe.address})
    and ${delegate.delegator} = any(${safe.owners}) and ${isUnexpired(now)})`
}

/** Whether an invitation is in force for a Safe, as SQL over a row of `viewer` and one of `safe`. */
export function isInvitationInForce(): SQL {
  return sql`(${viewerTable.chainId} = ${safe.chainId} and ${viewerTable.safeAddress} = ${safe.address}
    and ${viewerTable.invitedBy} = any(${safe.owners}))`
}

function isOwner(account: Address): SQL {
  return sql`${sql.param(toBytes(account))}::bytea = any(${safe.owners})`
}

function isProposer(account: Address, now: Date): SQL {
  return sql`exists (select from ${delegate}
    where ${delegate.delegate} = ${sql.param(toBytes(account))} and ${isDelegationInForce(now)})`
}

function isInvited(account: Address): SQL {
  return sql`exists (select from ${viewerTable}
    where ${viewerTable.account} = ${sql.param(toBytes(account))} and ${isInvitationInForce()})`
}

/** Ids of the Safes that the account has to do with or added: each part is answered by an index. */
export function safesOf(who: Who, now: Date): SQL {
  const account = sql.param(toBytes(who.address))
  const owned = sql`${safe.owners} @> array[${account}::bytea]`
  const place = sql`${safe.chainId}, ${safe.address}`
  // The index of `safe.owners` knows `@>`, and not `any`.
  const named = sql`${safe.owners} @> array[${delegate.delegator}] and ${isDelegationInForce(now)}`
  return sql`
    select ${place} from ${safe} where ${owned}
    ${isContractSession(who) ? sql`union select ${place} from ${safe} where ${isItself(who)}` : sql``}
    union select chain_id, safe_address from safe_list_entry where account = ${account}
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
  const { rows } = await db.execute<{ account: Buffer }>(sql`
    select unnest(${safe.owners}) as account from ${safe} where ${isPlace}
    union select ${delegate.delegate} from ${safe} join ${delegate} on ${isDelegationInForce(now)} where ${isPlace}
    union select ${viewerTable.account} from ${safe} join ${viewerTable} on ${isInvitationInForce()} where ${isPlace}
    union select ${safeListEntry.account} from ${safeListEntry}
      where ${isOnChain} and ${safeListEntry.chainId} = ${chainId}
        and ${safeListEntry.safeAddress} = ${sql.param(toBytes(safeAddress))}`)
  const accounts = new Set(rows.map(({ account }) => readAddress(account)))
  return (viewer) =>
    isProvenOn(viewer, chainId) && (accounts.has(viewer.address) || isSafeItself(viewer, { chainId, safeAddress }))
}
