import {
  type findPayments as endpoint,
  type getSafe,
  MAX_PAYEES,
  MAX_PAYMENTS,
  type Reply,
} from '@countersign/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Executor } from '../../db/client.ts'
import { decodeAddress, toBytes } from '../../db/columns.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { plannedStatement } from '../../db/planned-statement.ts'
import { toSafeTx } from '../../db/safe-tx-row.ts'
import { payment, multisigTransaction as transaction } from '../../db/schema.ts'

type Place = { chainId: number; safeAddress: Address }

const nextPayee = (after: SQL) => sql`
  select p.payee from payment p
  where p.chain_id = ${sql.placeholder('chainId')}::bigint and p.safe_address = ${sql.placeholder('safeAddress')}::bytea
    and ${after} and exists (
      select from multisig_transaction t
      where t.chain_id = p.chain_id and t.safe_tx_hash = p.safe_tx_hash and t.is_executed and t.is_successful)
  order by p.payee limit 1`

/** Skips from payee to payee along the primary key: further payments to the same account are not read. */
const selectPaid = plannedStatement<{ payee: Hex }>(
  'find-paid',
  sql`with recursive paid as (
      (${nextPayee(sql`true`)})
      union all
      select next.payee from paid cross join lateral (${nextPayee(sql`p.payee > paid.payee`)}) next
    )
    select payee from paid limit ${MAX_PAYEES + 1}::int`,
)

/** Finds the accounts that executed transactions of a Safe have paid. The caller has checked access to the Safe. */
export async function findPaid(
  db: Executor,
  { chainId, safeAddress }: Place,
): Promise<Pick<Reply<typeof getSafe>, 'paid' | 'isPaidWhole'>> {
  const rows = await selectPaid(db, { chainId, safeAddress: toBytes(safeAddress) })
  const paid = rows.slice(0, MAX_PAYEES).map(({ payee }) => decodeAddress(payee))
  return { paid, isPaidWhole: rows.length <= MAX_PAYEES }
}

/** Finds for each of these accounts the newest execution that paid it, with the fields from the chain. */
export async function findPayments(
  db: Executor,
  { chainId, safeAddress, payees }: Place & { payees: readonly Address[] },
): Promise<Reply<typeof endpoint>> {
  if (payees.length === 0) return { executions: [], isWhole: true }
  const newest = sql`select distinct newest.safe_tx_hash
    from unnest(${sql.param(payees.map(toBytes))}::bytea[]) as asked (payee)
    cross join lateral (
      select p.safe_tx_hash from payment p
      join multisig_transaction t on t.chain_id = p.chain_id and t.safe_tx_hash = p.safe_tx_hash
      where p.chain_id = ${chainId} and p.safe_address = ${sql.param(safeAddress, payment.safeAddress)}
        and p.payee = asked.payee and t.is_executed and t.is_successful and t.signatures is not null
      order by p.nonce desc limit 1
    ) newest`
  const order: SQL[] = [sql`${transaction.nonce} desc`, sql`${transaction.safeTxHash}`]
  const fits = fitsPage(sql`octet_length(${transaction.data}) + octet_length(${transaction.signatures})`, order)
  const rows = await db
    .select({ row: transaction, fits })
    .from(transaction)
    .where(and(eq(transaction.chainId, chainId), sql`${transaction.safeTxHash} in (${newest})`))
    .orderBy(...order)
    .limit(MAX_PAYMENTS + 1)
  const shown = shownOf(rows, MAX_PAYMENTS)
  return {
    isWhole: shown === rows.length,
    executions: rows.slice(0, shown).flatMap(({ row }) => {
      const safeTx = toSafeTx(row)
      const { safeTxHash, signatures, transactionHash } = row
      return safeTx && signatures && transactionHash ? [{ safeTxHash, safeTx, signatures, transactionHash }] : []
    }),
  }
}
