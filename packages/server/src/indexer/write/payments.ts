import { payeesOf } from '@countersign/review'
import type { SafeTx } from '@countersign/safe'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database, Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { insertRows } from '../../db/insert-rows.ts'
import { toSafeTx } from '../../db/safe-tx-row.ts'
import { payment, multisigTransaction as transaction } from '../../db/schema.ts'
import { transaction as inTransaction } from '../../db/transaction.ts'
import { yieldToEventLoop } from '../../rpc/yield-to-event-loop.ts'

const TRANSACTIONS_AT_ONCE = 50

/** Records the accounts that the executed transactions of a block range pay. */
export async function recordPayments(db: Executor, chainId: number, hashes: readonly Hex[]): Promise<void> {
  if (hashes.length === 0) return
  const which = sql`${transaction.safeTxHash} = any(${sql.param(hashes.map(toBytes))}::bytea[])`
  await readPayments(db, chainId, which, hashes.length)
}

/** Records the payments of transactions that an earlier version stored without them, some at a time until none is left. */
export async function recordOldPayments(db: Database, chainId: number): Promise<void> {
  let count = TRANSACTIONS_AT_ONCE
  while (count === TRANSACTIONS_AT_ONCE)
    count = await inTransaction(db, (tx) => readPayments(tx, chainId, sql`true`, TRANSACTIONS_AT_ONCE))
}

/** @returns how many transactions were read */
async function readPayments(db: Executor, chainId: number, which: SQL, limit: number): Promise<number> {
  const rows = await db
    .select()
    .from(transaction)
    .where(and(eq(transaction.chainId, chainId), transaction.isExecuted, sql`not ${transaction.hasPayments}`, which))
    .limit(limit)
    .for('update', { skipLocked: true })
  if (rows.length === 0) return 0
  const payments: (typeof payment.$inferInsert)[] = []
  for (const row of rows) {
    await yieldToEventLoop()
    const { safeAddress, safeTxHash } = row
    const safeTx = toSafeTx(row)
    if (safeTx === null) continue
    const { nonce } = safeTx
    for (const payee of payeesIn(safeAddress, safeTx)) payments.push({ chainId, safeAddress, payee, safeTxHash, nonce })
  }
  await insertRows(db, payment, payments, sql`on conflict do nothing`)
  await db
    .update(transaction)
    .set({ hasPayments: true })
    .where(
      and(
        eq(transaction.chainId, chainId),
        sql`${transaction.safeTxHash} = any(${sql.param(rows.map(({ safeTxHash }) => toBytes(safeTxHash)))}::bytea[])`,
      ),
    )
  return rows.length
}

/** Returns no account if the fields are invalid. */
function payeesIn(safeAddress: Address, safeTx: SafeTx): Address[] {
  try {
    return payeesOf({ safeAddress, safeTx })
  } catch {
    return []
  }
}
