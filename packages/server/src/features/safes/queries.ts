import type { Safe } from '@countersign/contract'
import { and, eq, exists, or, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../db/client.ts'
import { confirmation, multisigTransaction, safe, safeListEntry } from '../../db/schema.ts'

const MAX_SAFES = 500

/** Safes that match, as this account sees them. One query. */
async function selectSafes(db: Database, account: Address, which: SQL | undefined): Promise<Safe[]> {
  const owner = sql`decode(${account.slice(2)}, 'hex')`
  const isOwner = sql<boolean>`${owner} = any(${safe.owners})`
  const rows = await db
    .select({
      chainId: safe.chainId,
      address: safe.address,
      owners: safe.owners,
      threshold: safe.threshold,
      nonce: safe.nonce,
      version: safe.version,
      addedAt: safe.addedAt,
      isOwner,
      awaiting: sql<number>`case when ${isOwner} then (
        select count(*)::int from ${multisigTransaction} t
        where t.chain_id = ${safe.chainId} and t.safe_address = ${safe.address} and not t.is_executed
          and t.nonce >= ${safe.nonce}
          and not exists (
            select 1 from ${confirmation} c
            where c.chain_id = t.chain_id and c.safe_tx_hash = t.safe_tx_hash and c.owner = ${owner}
          )
      ) else 0 end`,
    })
    .from(safe)
    .where(which)
    // Anybody can create Safes that name an owner: those that the account added itself never make room for them.
    .orderBy(sql`${isListed(db, account)} desc`, safe.addedAt, safe.address)
    .limit(MAX_SAFES)
  return rows.map(({ awaiting, nonce, addedAt, ...row }) => ({
    ...row,
    nonce: Number(nonce),
    awaitingMyConfirmation: awaiting,
    addedAt: addedAt.toISOString(),
  }))
}

function isListed(db: Database, account: Address): SQL {
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

function isOwned(account: Address): SQL {
  // The form that the index on owners answers.
  return sql`${safe.owners} @> array[decode(${account.slice(2)}, 'hex')]`
}

/** My Safes: owned, or added. */
export function findSafes(db: Database, account: Address, chainIds: readonly number[]): Promise<Safe[]> {
  const list = sql.join(
    chainIds.map((chainId) => sql`${chainId}::bigint`),
    sql`, `,
  )
  if (chainIds.length === 0) return Promise.resolve([])
  return selectSafes(db, account, and(sql`${safe.chainId} in (${list})`, or(isOwned(account), isListed(db, account))))
}

/** One of My Safes, or null. */
export async function findSafe(
  db: Database,
  account: Address,
  chainId: number,
  address: Address,
): Promise<Safe | null> {
  const [found] = await selectSafes(
    db,
    account,
    and(eq(safe.chainId, chainId), eq(safe.address, address), or(isOwned(account), isListed(db, account))),
  )
  return found ?? null
}

/** A Safe that is known here, whoever asks; null when it is not. */
export async function findKnownSafe(
  db: Pick<Database, 'select'>,
  chainId: number,
  address: Address,
): Promise<typeof safe.$inferSelect | null> {
  const [found] = await db
    .select()
    .from(safe)
    .where(and(eq(safe.chainId, chainId), eq(safe.address, address)))
  return found ?? null
}

export async function countListed(db: Database, account: Address): Promise<number> {
  return db.$count(safeListEntry, eq(safeListEntry.account, account))
}
