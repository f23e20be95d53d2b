import type { Input, listIdleOwners, Reply } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { decodeAddress, toBytes } from '../../db/columns.ts'
import { isMember } from '../../safes/roles.ts'

/** Half a year: a key that nobody had in the hand for so long may be lost. */
const DAYS = 180
const DAY_MS = 86_400_000
/** A Safe that does little says little of its owners. */
const MIN_TRANSACTIONS = 10
/** Executions that are looked through. Of a Safe with more in that time nothing is said. */
const MAX_TRANSACTIONS = 2_000

type Row = { transactions: number; is_whole: boolean; was_there: boolean; owners: (Hex | Buffer)[] }

/**
 * Finds owners who did nothing for half a year that is known here: signed, approved, proposed or executed. Whoever became an
 * owner in that time is none of them. `isKnown` is false where that cannot be said: the history is not read so far, an
 * execution's signers are not known, or too little or too much was executed.
 */
export async function findIdleOwners(
  { db, clock, viewer }: Pick<SignedInCtx, 'db' | 'clock' | 'viewer'>,
  { chainId, safeAddress }: Input<typeof listIdleOwners>,
): Promise<Reply<typeof listIdleOwners>> {
  const since = new Date(clock().getTime() - DAYS * DAY_MS).toISOString()
  const from = sql`${since}::timestamptz`
  const place = sql`chain_id = ${chainId} and safe_address = ${toBytes(safeAddress)}`
  const { rows } = await db.execute<Row>(sql`
    with late as materialized (
      select safe_tx_hash, executor, proposer, is_confirmed from multisig_transaction
      where ${place} and is_executed and execution_date >= ${from} order by execution_date desc limit ${MAX_TRANSACTIONS + 1}
    ), queued as materialized (
      select safe_tx_hash, proposer, submission_date from multisig_transaction where ${place} and not is_executed
    ), message as materialized (
      select message_hash, proposer, submission_date from safe_message where ${place}
    ), done as (
      select executor as account from late union select proposer from late
      union select owner from late join confirmation using (safe_tx_hash) where chain_id = ${chainId}
      union select proposer from queued where submission_date >= ${from}
      union select owner from queued join confirmation c using (safe_tx_hash)
        where chain_id = ${chainId} and c.submission_date >= ${from}
      union select proposer from message where submission_date >= ${from}
      union select owner from message join message_confirmation c using (message_hash)
        where chain_id = ${chainId} and c.submission_date >= ${from}
      union select subject from history_entry
        where ${place} and kind in ('owner-added', 'hash-approved') and block_time >= ${from}
    )
    select
      (select count(*)::int from late) as transactions,
      (safe.backfill_block is null and not exists (select from late where not is_confirmed)) as is_whole,
      exists (select from history_entry where ${place} and block_time < ${from}) as was_there,
      array(select owner from unnest(safe.owners) as owner
        where owner not in (select account from done where account is not null)) as owners
    from safe where chain_id = ${chainId} and address = ${toBytes(safeAddress)} and ${isMember(viewer, clock())}`)
  const [found] = rows
  const transactions = found?.transactions ?? 0
  const isEnough = transactions >= MIN_TRANSACTIONS && transactions <= MAX_TRANSACTIONS
  const isKnown = found !== undefined && isEnough && found.is_whole && found.was_there
  return { isKnown, since, transactions, owners: isKnown ? found.owners.map(decodeAddress) : [] }
}
