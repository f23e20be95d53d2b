import { type SQL, sql } from 'drizzle-orm'
import { session } from './schema.ts'

/**
 * When owners or threshold of the Safe that a session was opened as first changed after that: those who signed for it may
 * be its owners no longer. Null for every other session. A block is known some seconds after the time that it carries.
 */
export const ownersChangedAt: SQL<Date | null> = sql<Date | null>`case when ${session.provenBy} = 'contract' then (
  select min(h.block_time) from history_entry h
  where h.chain_id = ${session.chainId} and h.safe_address = ${session.address}
    and h.kind in ('owner-added', 'owner-removed', 'threshold-changed') and h.block_time > ${session.createdAt} - interval '15 seconds'
) end`.mapWith(session.createdAt)
