import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import type { Chain } from '../../rpc/clients.ts'
import { type Block, readBlocks } from '../../rpc/logs.ts'
import type { Lease } from '../lease.ts'
import { findHeaders } from './apply.ts'
import { removeLostApprovals } from './approvals.ts'

/** Each may cost a question to the node; the others have their turn in the next round. */
const BLOCKS = 200

/**
 * User requests read the newest block, which the follower may not have reached. If the follower later finds a
 * different block at that height, this marks the affected Safes as stale and removes approvals that the followed
 * chain does not contain.
 */
export function createReadAheadSettler({
  chain,
  db,
  lease,
}: {
  chain: Chain
  db: Database
  lease: Lease
}): (cursor: number, head: Block) => Promise<void> {
  const { chainId, isDevnet } = chain.settings

  return async function settle(cursor, head) {
    const blocks = await readPassed(cursor, head)
    if (blocks.length === 0) return
    const kept = await findHeaders(db, chainId)
    const others = await readBlocks(
      chain.request,
      blocks.filter((block) => block <= head.number && !kept.has(block)),
    )
    // A block that is no more has no hash.
    const hashes = blocks.map((block): Hex | null => kept.get(block) ?? others.get(block)?.hash ?? null)
    const followed = sql`unnest(${sql.param(blocks)}::bigint[],
      ${sql.param(hashes.map((hash) => hash && toBytes(hash)))}::bytea[]) as followed (number, hash)`
    await lease.write(async (tx, log) => {
      await tx.execute(sql`
        update safe set is_stale = is_stale or block_hash is distinct from followed.hash, block_hash = null
        from ${followed}
        where chain_id = ${chainId} and block_number = followed.number and block_hash is not null`)
      const isLost = sql`verified_block_hash is not null and exists (select from ${followed}
        where followed.number = verified_block and followed.hash is distinct from verified_block_hash)`
      await removeLostApprovals(tx, log, chainId, isLost)
      await tx.execute(sql`
        update confirmation set verified_block_hash = null
        where chain_id = ${chainId} and verified_block = any(${sql.param(blocks)}::bigint[])
          and verified_block_hash is not null`)
    })
  }

  /** Blocks that something was read at ahead of the follower, and that it has come by since. */
  async function readPassed(cursor: number, head: Block): Promise<number[]> {
    // The devnet's only node forgets blocks at a person's word, and need not come to that height again.
    const isPassed = (block: 'block_number' | 'verified_block') =>
      sql`(${sql.identifier(block)} <= ${cursor} or (${isDevnet} and ${sql.identifier(block)} > ${head.number}))`
    const { rows } = await db.execute<{ block: string }>(sql`
      select block_number::text as block from safe
      where chain_id = ${chainId} and block_hash is not null and ${isPassed('block_number')}
      union
      select verified_block::text from confirmation
      where chain_id = ${chainId} and verified_block_hash is not null and ${isPassed('verified_block')}
      limit ${BLOCKS}`)
    return rows.map(({ block }) => Number(block))
  }
}
