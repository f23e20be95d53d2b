import type { SafeState } from '@countersign/safe-core'
import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Executor } from '../db/client.ts'
import { activity, chainCursor, confirmation, safe, multisigTransaction as table } from '../db/schema.ts'
import { notify } from '../live/notify.ts'
import type { Execution } from './executions.ts'
import type { Block } from './logs.ts'
import { saveSafe } from './save-safe.ts'

export type Cursor = { blockNumber: number; blockHash: `0x${string}` }

export async function readCursor(db: Executor, chainId: number): Promise<Cursor | null> {
  const [row] = await db.select().from(chainCursor).where(eq(chainCursor.chainId, chainId))
  return row ?? null
}

export async function writeCursor(db: Executor, chainId: number, { blockNumber, blockHash }: Cursor): Promise<void> {
  await db
    .insert(chainCursor)
    .values({ chainId, blockNumber, blockHash })
    .onConflictDoUpdate({ target: chainCursor.chainId, set: { blockNumber, blockHash } })
}

/** Writes an execution down. Seen before: nothing changes. */
export async function recordExecuted(
  db: Executor,
  state: SafeState,
  { execution, executor, block, now }: { execution: Execution; executor: Address | null; block: Block; now: Date },
): Promise<void> {
  const { log, safeTxHash, safeTx } = execution
  const { chainId, address: safeAddress } = state
  const executionDate = new Date(block.timestamp * 1000)
  const facts = {
    isExecuted: true,
    isSuccessful: execution.isSuccessful,
    transactionHash: log.transactionHash,
    executor,
    executedConfirmations: execution.threshold,
    blockNumber: log.blockNumber,
    blockHash: log.blockHash,
    logIndex: log.logIndex,
    executionDate,
    pendingTransactionHash: null,
    pendingExecutor: null,
    pendingDate: null,
  }
  const written = await db
    .insert(table)
    .values({ chainId, safeTxHash, safeAddress, ...safeTx, ...facts, submissionDate: executionDate })
    .onConflictDoUpdate({
      target: [table.chainId, table.safeTxHash],
      set: facts,
      setWhere: sql`not ${table.isExecuted} or ${table.blockHash} is distinct from excluded.block_hash`,
    })
    .returning({ safeTxHash: table.safeTxHash })
  if (written.length === 0) return
  const known = execution.confirmations.map((one) => ({ chainId, safeTxHash, ...one, submissionDate: executionDate }))
  if (known.length > 0) await db.insert(confirmation).values(known).onConflictDoNothing()
  await db.insert(activity).values({
    at: now,
    account: null,
    verb: 'executed',
    chainId,
    safeAddress,
    safeTxHash,
    detail: { transactionHash: log.transactionHash, ...(executor ? { executor } : {}) },
  })
  await notify(db, { kind: 'transaction', chainId, safeAddress, safeTxHash })
}

/** Keeps what a Safe is now, and says so when it differs. */
export async function recordSafe(db: Executor, state: SafeState, now: Date, isRollback = false): Promise<void> {
  const isChanged = await saveSafe(db, state, { now, backfillBlock: 0, isRollback })
  if (isChanged) await notify(db, { kind: 'safe', chainId: state.chainId, safeAddress: state.address })
}

/** Takes back every execution above a block that the chain no longer has. Proposals stay; what only the chain told goes. */
export async function takeBack(db: Executor, chainId: number, aboveBlock: number, now: Date): Promise<void> {
  const isAbove = and(eq(table.chainId, chainId), eq(table.isExecuted, true), gt(table.blockNumber, aboveBlock))
  const forgotten = await db
    .delete(table)
    .where(and(isAbove, isNull(table.proposer)))
    .returning({ safeAddress: table.safeAddress, safeTxHash: table.safeTxHash })
  const reopened = await db
    .update(table)
    .set({
      isExecuted: false,
      isSuccessful: null,
      transactionHash: null,
      executor: null,
      executedConfirmations: null,
      blockNumber: null,
      blockHash: null,
      logIndex: null,
      executionDate: null,
    })
    .where(isAbove)
    .returning({ safeAddress: table.safeAddress, safeTxHash: table.safeTxHash })
  for (const one of [...forgotten, ...reopened]) {
    await db.insert(activity).values({ at: now, account: null, verb: 'reverted', chainId, ...one })
    await notify(db, { kind: 'transaction', chainId, ...one })
  }
  await db
    .update(safe)
    .set({ backfillBlock: sql`least(${safe.backfillBlock}, ${aboveBlock + 1})` })
    .where(and(eq(safe.chainId, chainId), sql`${safe.backfillBlock} is not null`))
}

/** Safes whose kept facts were read above a block. */
export async function safesReadAbove(db: Executor, chainId: number, block: number): Promise<Address[]> {
  const rows = await db
    .select({ address: safe.address })
    .from(safe)
    .where(and(eq(safe.chainId, chainId), gt(safe.blockNumber, block)))
  return rows.map(({ address }) => address)
}

export async function markBackfilled(
  db: Executor,
  chainId: number,
  addresses: readonly Address[],
  nextBlock: number | null,
): Promise<void> {
  await db
    .update(safe)
    .set({ backfillBlock: nextBlock })
    .where(and(eq(safe.chainId, chainId), inArray(safe.address, [...addresses])))
}
