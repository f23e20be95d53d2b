import { type SQL, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex } from 'viem'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import type { Log } from '../../outbox/append.ts'

/** An owner's approval on the chain that has become a confirmation. */
export type Approval = {
  safeAddress: Address
  safeTxHash: Hex
  owner: Address
  /** Ethereum transaction that approved. */
  transactionHash: Hex | null
  /** Confirmations of present owners by then, of as many as the Safe requires. */
  confirmations: number
  confirmationsRequired: number
}

/**
 * Makes approvals that the chain has shown (`approveHash`) confirmations of the proposals with these hashes, unless the
 * owner has confirmed already. Only of official singletons: any contract may log that somebody approved. Such a
 * confirmation goes with its block.
 *
 * @returns those that are new, in the order of their blocks
 */
export async function attachApprovals(
  db: Executor,
  chainId: number,
  safeTxHashes: readonly Hex[],
  now: Date,
): Promise<Approval[]> {
  if (safeTxHashes.length === 0) return []
  const hashes = sql.param(safeTxHashes.map(toBytes))
  const { rows } = await db.execute<Row>(sql`
    with added as (
      insert into confirmation
        (chain_id, safe_tx_hash, owner, signature, signature_type, submission_date, verified_block, transaction_hash)
      select distinct on (h.safe_tx_hash, h.subject) h.chain_id, h.safe_tx_hash, h.subject,
        decode(repeat('00', 12), 'hex') || h.subject || decode(repeat('00', 32) || '01', 'hex'), 'APPROVED_HASH',
        h.block_time, h.block_number, h.transaction_hash
      from history_entry h
      join multisig_transaction t on t.chain_id = h.chain_id and t.safe_tx_hash = h.safe_tx_hash
        and t.safe_address = h.safe_address and not t.is_executed
      join safe s on s.chain_id = t.chain_id and s.address = t.safe_address and s.version is not null
      where h.chain_id = ${chainId} and h.kind = 'hash-approved' and h.safe_tx_hash = any(${hashes}::bytea[])
      order by h.safe_tx_hash, h.subject, h.block_number, h.log_index
      on conflict do nothing
      returning safe_tx_hash, owner, verified_block, transaction_hash
    ), touched as (
      update multisig_transaction t set is_trusted = true, modified_date = ${now.toISOString()}::timestamptz
      where t.chain_id = ${chainId} and t.safe_tx_hash in (select safe_tx_hash from added)
      returning t.safe_address, t.safe_tx_hash
    )
    select encode(safe_address, 'hex') as safe_address, encode(added.safe_tx_hash, 'hex') as safe_tx_hash,
      encode(added.owner, 'hex') as owner, encode(added.transaction_hash, 'hex') as transaction_hash, threshold,
      (select count(*) from confirmation c where c.chain_id = ${chainId} and c.safe_tx_hash = added.safe_tx_hash
        and c.owner = any(safe.owners))::int + (count(*) filter (where added.owner = any(safe.owners))
        over (partition by added.safe_tx_hash order by verified_block, added.owner))::int as confirmations
    from added join touched using (safe_tx_hash)
    join safe on safe.chain_id = ${chainId} and safe.address = touched.safe_address
    order by verified_block, added.owner`)
  return rows.map((row) => ({
    safeAddress: getAddress(`0x${row.safe_address}`),
    safeTxHash: `0x${row.safe_tx_hash}`,
    owner: getAddress(`0x${row.owner}`),
    transactionHash: row.transaction_hash === null ? null : `0x${row.transaction_hash}`,
    confirmations: row.confirmations,
    confirmationsRequired: row.threshold,
  }))
}

type Row = {
  safe_address: string
  safe_tx_hash: string
  owner: string
  transaction_hash: string | null
  confirmations: number
  threshold: number
}

/** Takes back confirmations by approvals that were read at blocks which are lost; those that the history shows stay. */
export async function removeLostApprovals(db: Executor, log: Log, chainId: number, isLost: SQL): Promise<void> {
  const { rows } = await db.execute<{ safe_address: string; safe_tx_hash: string }>(sql`
    with lost as (
      delete from confirmation
      where chain_id = ${chainId} and signature_type = 'APPROVED_HASH' and ${isLost}
      returning safe_tx_hash
    )
    update multisig_transaction t set modified_date = ${log.now.toISOString()}::timestamptz
    where t.chain_id = ${chainId} and t.safe_tx_hash in (select safe_tx_hash from lost)
    returning encode(t.safe_address, 'hex') as safe_address, encode(t.safe_tx_hash, 'hex') as safe_tx_hash`)
  const touched = rows.map((row) => ({
    safeAddress: getAddress(`0x${row.safe_address}`),
    safeTxHash: `0x${row.safe_tx_hash}` as const,
  }))
  await attachApprovals(
    db,
    chainId,
    touched.map(({ safeTxHash }) => safeTxHash),
    log.now,
  )
  for (const approval of touched) log.notify({ kind: 'transaction', chainId, ...approval })
}
