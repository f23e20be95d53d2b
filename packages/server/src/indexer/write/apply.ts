import { fail } from '@countersign/contract'
import { and, eq, gt, sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex, zeroHash } from 'viem'
import type { Database, Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { insertRows } from '../../db/insert-rows.ts'
import {
  chainCursor,
  chainFollower,
  chainHeader,
  confirmation,
  historyEntry,
  multisigTransaction as transaction,
} from '../../db/schema.ts'
import type { Log } from '../../outbox/append.ts'
import { writeLogged } from '../../outbox/write.ts'
import type { Execution } from '../read/executions.ts'
import type { Entry } from '../read/facts.ts'
import { attachApprovals, removeLostApprovals } from './approvals.ts'
import { findNews, isNews, logSettings } from './news.ts'
import { recordPayments } from './payments.ts'

/** Blocks whose hashes are kept; a reorganisation that reaches further back is not undone by itself. */
export const WINDOW_BLOCKS = 128

/** The hash is zero where it is not known: after a rebuild. */
export type Cursor = { blockNumber: number; blockHash: Hex }

/** Facts of a range of blocks. Applying them twice changes nothing. */
export type Facts = {
  chainId: number
  entries: readonly Entry[]
  executions: readonly Execution[]
  /** Times of the blocks with facts. */
  times: ReadonlyMap<number, Date>
  /** Hashes of those blocks of the range that a reorganisation may still replace. */
  headers: readonly Cursor[]
  /** Blocks whose transfers were asked for of named tokens alone: no node answers for others. */
  ofNamedTokens: { from: number; to: number } | null
}

/**
 * Stores the facts of a block range, and says in the log what happened. The number of SQL statements does not grow with the
 * number of facts.
 */
export async function applyFacts(
  db: Executor,
  log: Log,
  { chainId, entries, executions, times, headers, ofNamedTokens }: Facts,
): Promise<void> {
  const touched = [...new Set(entries.map(({ safeAddress }) => safeAddress))]
  // First: who proposes for one of them is waited for, or waits, so that approval and proposal always meet.
  await markStale(db, chainId, touched)
  await insertEntries(db, log, chainId, entries, times)
  await recordExecutions(db, log, chainId, executions, times)
  await recordApprovals(db, log, chainId, entries)
  for (const address of touched) log.notify({ kind: 'safe', chainId, safeAddress: getAddress(address) })
  if (ofNamedTokens)
    await db
      .update(chainFollower)
      .set({
        namedTokensFrom: sql`least(${chainFollower.namedTokensFrom}, ${ofNamedTokens.from})`,
        namedTokensTo: sql`greatest(${chainFollower.namedTokensTo}, ${ofNamedTokens.to})`,
      })
      .where(eq(chainFollower.chainId, chainId))
  if (headers.length > 0)
    await db
      .insert(chainHeader)
      .values(headers.map((header) => ({ chainId, ...header })))
      .onConflictDoUpdate({
        target: [chainHeader.chainId, chainHeader.blockNumber],
        set: { blockHash: sql`excluded.block_hash` },
      })
}

export async function findCursor(db: Executor, chainId: number): Promise<typeof chainCursor.$inferSelect | null> {
  const [row] = await db.select().from(chainCursor).where(eq(chainCursor.chainId, chainId))
  return row ?? null
}

/** The hash of a block that a reorganisation may still replace, as it is followed; null when it is not kept. */
export async function findHeader(db: Executor, chainId: number, blockNumber: number): Promise<Hex | null> {
  const [row] = await db
    .select({ blockHash: chainHeader.blockHash })
    .from(chainHeader)
    .where(and(eq(chainHeader.chainId, chainId), eq(chainHeader.blockNumber, blockNumber)))
  return row?.blockHash ?? null
}

/** Finds the hashes of all blocks for which one is kept. */
export async function findHeaders(db: Executor, chainId: number): Promise<Map<number, Hex>> {
  const rows = await db.select().from(chainHeader).where(eq(chainHeader.chainId, chainId))
  return new Map(rows.map(({ blockNumber, blockHash }) => [blockNumber, blockHash]))
}

/**
 * @param isWhole whether it was also looked for Safes that were created up to there
 */
export async function writeCursor(
  db: Executor,
  chainId: number,
  { blockNumber, blockHash, blockTime, isWhole }: Cursor & { blockTime: Date | null; isWhole: boolean },
): Promise<void> {
  const place = { blockNumber, blockHash, blockTime }
  const discovered = chainCursor.discoveredBlock
  await db
    .insert(chainCursor)
    .values({ chainId, ...place })
    .onConflictDoUpdate({
      target: chainCursor.chainId,
      set: {
        ...place,
        discoveredBlock: sql`case when ${isWhole} and ${discovered} = ${chainCursor.blockNumber} then excluded.block_number
          when ${discovered} > excluded.block_number then excluded.block_number else ${discovered} end`,
      },
    })
  await db
    .delete(chainHeader)
    .where(and(eq(chainHeader.chainId, chainId), sql`${chainHeader.blockNumber} < ${blockNumber - WINDOW_BLOCKS}`))
}

/** Forgets what a chain said from a block on, so that it is read again from there. */
export async function rebuildFrom(
  deps: { db: Database; clock: () => Date },
  chainId: number,
  blockNumber: number,
): Promise<void> {
  await writeLogged(deps, async (tx, log) => {
    // Signatures of executions are written again: an earlier version of this server may have read them wrong.
    await tx.execute(sql`
      delete from confirmation c using multisig_transaction t
      where c.chain_id = ${chainId} and c.verified_block is null and t.chain_id = c.chain_id
        and t.safe_tx_hash = c.safe_tx_hash and t.is_executed and t.block_number >= ${blockNumber}`)
    await undoAbove(tx, log, chainId, blockNumber - 1)
    await tx.delete(chainHeader).where(eq(chainHeader.chainId, chainId))
    const { namedTokensFrom, namedTokensTo } = chainFollower
    await tx
      .update(chainFollower)
      .set({
        namedTokensFrom: sql`case when ${namedTokensFrom} < ${blockNumber} then ${namedTokensFrom} end`,
        namedTokensTo: sql`case when ${namedTokensFrom} < ${blockNumber} then least(${namedTokensTo}, ${blockNumber - 1}) end`,
      })
      .where(eq(chainFollower.chainId, chainId))
    await tx
      .update(chainCursor)
      .set({
        blockNumber: sql`least(${chainCursor.blockNumber}, ${blockNumber - 1})`,
        blockHash: zeroHash,
        blockTime: null,
        discoveredBlock: sql`case when ${chainCursor.discoveredBlock} >= ${blockNumber} then ${blockNumber - 1}
          else ${chainCursor.discoveredBlock} end`,
        stoppedAt: null,
      })
      .where(eq(chainCursor.chainId, chainId))
  })
}

/** Takes back what blocks above one said. Proposals and confirmations stay; what only the chain told goes. */
export async function undoAbove(db: Executor, log: Log, chainId: number, blockNumber: number): Promise<void> {
  const undone = await db
    .delete(historyEntry)
    .where(and(eq(historyEntry.chainId, chainId), gt(historyEntry.blockNumber, blockNumber)))
    .returning({
      safeAddress: historyEntry.safeAddress,
      kind: historyEntry.kind,
      subject: historyEntry.subject,
      threshold: historyEntry.threshold,
      transactionHash: historyEntry.transactionHash,
      blockTime: historyEntry.blockTime,
      blockNumber: historyEntry.blockNumber,
      logIndex: historyEntry.logIndex,
      part: historyEntry.part,
    })
  logSettings(log, 'reverted-settings', chainId, await findNews(db, chainId, undone))
  const isAbove = sql`chain_id = ${chainId} and is_executed and block_number > ${blockNumber}`
  const { rows: reverted } = await db.execute<{ safe_address: string; safe_tx_hash: string }>(sql`
    with forgotten as (
      delete from multisig_transaction where ${isAbove} and proposer is null
    ), lost as (
      select chain_id, safe_address, safe_tx_hash, proposer is not null or ${isNews} as is_news
      from multisig_transaction where ${isAbove}
    ), reopened as (
      update multisig_transaction set is_executed = false, is_successful = null, transaction_hash = null,
        executor = null, executed_confirmations = null, block_number = null, block_hash = null, log_index = null,
        execution_date = null, gas_used = null, fee = null, max_fee_per_gas = null,
        max_priority_fee_per_gas = null, payment = null, signatures = null,
        modified_date = ${log.now.toISOString()}::timestamptz
      where ${isAbove} and proposer is not null returning safe_address, safe_tx_hash
    ), unproven as (
      -- What an execution carried as approved may have been its sender's own consent, and no approval.
      delete from confirmation c using reopened r where c.chain_id = ${chainId} and c.safe_tx_hash = r.safe_tx_hash
        and c.signature_type = 'APPROVED_HASH' and c.verified_block is null
    )
    select encode(safe_address, 'hex') as safe_address, encode(safe_tx_hash, 'hex') as safe_tx_hash from lost where is_news`)
  for (const { safe_address: address, safe_tx_hash: hash } of reverted)
    log.add({
      verb: 'reverted',
      account: null,
      chainId,
      safeAddress: getAddress(`0x${address}`),
      safeTxHash: `0x${hash}`,
    })
  await removeLostApprovals(db, log, chainId, sql`verified_block > ${blockNumber}`)
  await db.delete(chainHeader).where(and(eq(chainHeader.chainId, chainId), gt(chainHeader.blockNumber, blockNumber)))
  // Safes known only from a lost block. The block that creates one again adds it again. `offset 0` makes PostgreSQL look up each
  // of these few Safes by key. Without it, PostgreSQL may scan the other tables.
  await db.execute(sql`
    delete from safe where chain_id = ${chainId} and created_block > ${blockNumber}
      and not exists (select from safe_creation c where c.chain_id = safe.chain_id and c.safe_address = safe.address offset 0)
      and not exists (select from safe_list_entry l where l.chain_id = safe.chain_id and l.safe_address = safe.address offset 0)
      and not exists (select from multisig_transaction t where t.chain_id = safe.chain_id and t.safe_address = safe.address offset 0)`)
  await db.execute(sql`
    update safe set is_stale = true,
      compared_balance = case when compared_block <= ${blockNumber} then compared_balance end,
      compared_nonce = case when compared_block <= ${blockNumber} then compared_nonce end,
      compared_block = least(compared_block, ${blockNumber}),
      backfill_block = case when backfill_to is null then least(backfill_block, ${blockNumber + 1})
        when backfill_block <= least(backfill_to, ${blockNumber}) then backfill_block end,
      backfill_to = case when backfill_block <= least(backfill_to, ${blockNumber}) then least(backfill_to, ${blockNumber}) end
    where chain_id = ${chainId}
      and (block_number > ${blockNumber} or backfill_block is not null or compared_block > ${blockNumber})`)
  const touched = [...new Set(undone.map(({ safeAddress }) => safeAddress))]
  await markStale(db, chainId, touched)
  for (const address of touched) log.notify({ kind: 'safe', chainId, safeAddress: getAddress(address) })
}

/** Hashes that owners approved in these blocks confirm what is proposed with them. */
async function recordApprovals(db: Executor, log: Log, chainId: number, entries: readonly Entry[]): Promise<void> {
  const approved = entries.flatMap(({ kind, safeTxHash }) =>
    kind === 'hash-approved' && safeTxHash ? [safeTxHash] : [],
  )
  for (const approval of await attachApprovals(db, chainId, approved, log.now)) {
    const { safeAddress, safeTxHash, owner, transactionHash, confirmations, confirmationsRequired } = approval
    const counts = { confirmations: String(confirmations), confirmationsRequired: String(confirmationsRequired) }
    const detail = { owner, ...(transactionHash ? { transactionHash } : {}), ...counts }
    log.add({ verb: 'confirmed', account: null, chainId, safeAddress, safeTxHash, detail })
  }
}

async function insertEntries(
  db: Executor,
  log: Log,
  chainId: number,
  entries: readonly Entry[],
  times: ReadonlyMap<number, Date>,
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) => ({ ...entry, chainId, blockTime: timeOf(times, entry.blockNumber) }))
  const news = new Set(await findNews(db, chainId, rows))
  await insertRows(
    db,
    historyEntry,
    rows.filter((row) => !news.has(row)),
    sql`on conflict do nothing`,
  )
  const inserted = await insertRows(
    db,
    historyEntry,
    [...news],
    sql`on conflict do nothing returning block_number::int || ' ' || log_index || ' ' || part as place`,
  )
  const places = new Set(inserted.map(({ place }) => place))
  const fresh = [...news].filter((row) => places.has(`${row.blockNumber} ${row.logIndex} ${row.part}`))
  logSettings(log, 'changed-settings', chainId, fresh)
}

/**
 * An execution whose fields could be recovered is proven by its hash, which names the Safe. Of another only an official
 * singleton is believed: any contract may log somebody else's hash.
 */
async function recordExecutions(
  db: Executor,
  log: Log,
  chainId: number,
  executions: readonly Execution[],
  times: ReadonlyMap<number, Date>,
): Promise<void> {
  // Fields that have the hash name the one Safe that it can be of; what only a log says does not stand against them.
  const proven = executions.filter(({ isProven }) => isProven).sort((one, other) => order(one) - order(other))
  const byHash = new Map(proven.map((execution) => [execution.safeTxHash, execution]))
  await forgetClaims(
    db,
    chainId,
    [...byHash.values()].flatMap(({ log, safeTxHash, safeTx }) =>
      safeTx ? [{ safeTxHash, safeAddress: getAddress(log.address) }] : [],
    ),
  )
  const rows = [...byHash.values()].map((execution) => {
    const { log, safeTxHash, isSuccessful, executor, safeTx, threshold, signatures, cost, feeCaps } = execution
    const executionDate = timeOf(times, log.blockNumber)
    return {
      chainId,
      safeTxHash,
      safeAddress: getAddress(log.address),
      ...safeTx,
      submissionDate: executionDate,
      isExecuted: true,
      isSuccessful,
      transactionHash: log.transactionHash,
      executor: getAddress(executor),
      executedConfirmations: threshold,
      blockNumber: log.blockNumber,
      blockHash: log.blockHash,
      logIndex: log.logIndex,
      executionDate,
      modifiedDate: executionDate,
      gasUsed: cost?.gasUsed,
      fee: cost?.fee,
      maxFeePerGas: feeCaps?.maxFeePerGas,
      maxPriorityFeePerGas: feeCaps?.maxPriorityFeePerGas,
      // A transaction without a gas price refunds nothing.
      payment: execution.payment ?? (safeTx?.gasPrice === 0n ? 0n : null),
      signatures,
      isConfirmed: execution.confirmations.length > 0,
    }
  })
  const written = await insertRows(
    db,
    transaction,
    rows,
    sql`on conflict (chain_id, safe_tx_hash) do update set
      is_executed = true, is_trusted = true, is_successful = excluded.is_successful, transaction_hash = excluded.transaction_hash,
      executor = excluded.executor, executed_confirmations = excluded.executed_confirmations,
      block_number = excluded.block_number, block_hash = excluded.block_hash, log_index = excluded.log_index,
      execution_date = excluded.execution_date,
      modified_date = case when multisig_transaction.proposer is null then excluded.modified_date
        else ${log.now.toISOString()}::timestamptz end,
      gas_used = excluded.gas_used, fee = excluded.fee, max_fee_per_gas = excluded.max_fee_per_gas,
      max_priority_fee_per_gas = excluded.max_priority_fee_per_gas, payment = excluded.payment,
      signatures = excluded.signatures,
      is_confirmed = excluded.is_confirmed or exists (select from confirmation c
        where c.chain_id = excluded.chain_id and c.safe_tx_hash = excluded.safe_tx_hash),
      pending_transaction_hash = null, pending_executor = null, pending_date = null
    where multisig_transaction.safe_address = excluded.safe_address and (not multisig_transaction.is_executed
      or multisig_transaction.block_hash is distinct from excluded.block_hash)
    returning '0x' || encode(safe_tx_hash, 'hex') as hash, proposer is not null or ${isNews} as is_news`,
  )
  const fresh = written.flatMap(({ hash }) => byHash.get(`0x${String(hash).slice(2)}`) ?? [])
  const news = new Set(written.flatMap(({ hash, is_news }) => (is_news ? [hash] : [])))
  await insertRows(
    db,
    confirmation,
    fresh.flatMap(({ log, safeTxHash, confirmations }) =>
      confirmations.map((confirmation) => ({
        chainId,
        safeTxHash,
        ...confirmation,
        submissionDate: timeOf(times, log.blockNumber),
      })),
    ),
    sql`on conflict do nothing`,
  )
  await recordPayments(
    db,
    chainId,
    fresh.map(({ safeTxHash }) => safeTxHash),
  )
  for (const { log: event, safeTxHash } of fresh)
    log.notify({ kind: 'transaction', chainId, safeAddress: getAddress(event.address), safeTxHash })
  for (const { log: event, safeTxHash, executor, isSuccessful } of fresh)
    if (news.has(safeTxHash))
      log.add({
        verb: 'executed',
        account: null,
        chainId,
        safeAddress: getAddress(event.address),
        safeTxHash,
        detail: {
          transactionHash: event.transactionHash,
          executor: getAddress(executor),
          ...(isSuccessful ? {} : { isSuccessful: 'false' }),
        },
      })
}

function order({ safeTx }: Execution): number {
  return safeTx ? 1 : 0
}

/**
 * Removes what other contracts said of hashes that are now known to be of these Safes: any contract may log any hash, also
 * a Safe that runs foreign code.
 *
 * @returns whether there were any
 */
export async function forgetClaims(
  db: Executor,
  chainId: number,
  proven: readonly { safeTxHash: Hex; safeAddress: Address }[],
): Promise<boolean> {
  if (proven.length === 0) return false
  const hashes = sql.param(proven.map(({ safeTxHash }) => toBytes(safeTxHash)))
  const safes = sql.param(proven.map(({ safeAddress }) => toBytes(safeAddress)))
  const { rowCount } = await db.execute(sql`
    delete from multisig_transaction as claim
    using unnest(${hashes}::bytea[], ${safes}::bytea[]) as proven (safe_tx_hash, safe_address)
    where claim.chain_id = ${chainId} and claim.safe_tx_hash = proven.safe_tx_hash
      and claim.safe_address <> proven.safe_address`)
  return (rowCount ?? 0) > 0
}

async function markStale(db: Executor, chainId: number, safes: readonly Hex[]): Promise<void> {
  if (safes.length === 0) return
  const list = sql.param(safes.map((safe) => Buffer.from(safe.slice(2), 'hex')))
  await db.execute(sql`update safe set is_stale = true where chain_id = ${chainId} and address = any(${list}::bytea[])`)
}

function timeOf(times: ReadonlyMap<number, Date>, blockNumber: number): Date {
  const time = times.get(blockNumber)
  if (time) return time
  throw fail('INTERNAL', { reason: 'block-time', blockNumber })
}
