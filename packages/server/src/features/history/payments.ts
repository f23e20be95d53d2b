import { type findPayments as endpoint, MAX_PAYEES, MAX_PAYMENTS, type Reply } from '@countersign/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { builtOnce } from '../../db/built-once.ts'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { toSafeTx } from '../../db/safe-tx-row.ts'
import { payment, multisigTransaction as transaction } from '../../db/schema.ts'

type Place = { chainId: number; safeAddress: Address }

const isPaid = and(
  eq(transaction.chainId, payment.chainId),
  eq(transaction.safeTxHash, payment.safeTxHash),
  transaction.isExecuted,
  transaction.isSuccessful,
)
const isOfSafe = and(
  eq(payment.chainId, sql.placeholder('chainId')),
  eq(payment.safeAddress, sql.param(sql.placeholder('safeAddress'), payment.safeAddress)),
)

const selectPaid = builtOnce((db, _: 'all') =>
  db
    .select({ payee: payment.payee })
    .from(payment)
    .innerJoin(transaction, isPaid)
    .where(isOfSafe)
    .groupBy(payment.payee)
    .limit(MAX_PAYEES)
    .prepare(''),
)

/** Finds the accounts that executed transactions of a Safe have paid. The caller has checked access to the Safe. */
export async function findPaid(db: Executor, place: Place): Promise<Address[]> {
  return (await selectPaid(db, 'all').execute(place)).map(({ payee }) => payee)
}

/** Finds for each of these accounts the newest execution that paid it, with the fields from the chain. */
export async function findPayments(
  db: Executor,
  { chainId, safeAddress, payees }: Place & { payees: readonly Address[] },
): Promise<Reply<typeof endpoint>> {
  if (payees.length === 0) return { executions: [] }
  const newest = sql`select distinct newest.safe_tx_hash
    from unnest(${sql.param(payees.map(toBytes))}::bytea[]) as asked (payee)
    cross join lateral (
      select p.safe_tx_hash from payment p
      join multisig_transaction t on t.chain_id = p.chain_id and t.safe_tx_hash = p.safe_tx_hash
      where p.chain_id = ${chainId} and p.safe_address = ${sql.param(safeAddress, payment.safeAddress)}
        and p.payee = asked.payee and t.is_executed and t.is_successful and t.signatures is not null
      order by t.nonce desc limit 1
    ) newest`
  const order: SQL[] = [sql`${transaction.nonce} desc`, sql`${transaction.safeTxHash}`]
  const fits = fitsPage(sql`octet_length(${transaction.data}) + octet_length(${transaction.signatures})`, order)
  const rows = await db
    .select({ row: transaction, fits })
    .from(transaction)
    .where(and(eq(transaction.chainId, chainId), sql`${transaction.safeTxHash} in (${newest})`))
    .orderBy(...order)
    .limit(MAX_PAYMENTS)
  return {
    executions: rows.slice(0, shownOf(rows, MAX_PAYMENTS)).flatMap(({ row }) => {
      const safeTx = toSafeTx(row)
      const { safeTxHash, signatures, transactionHash } = row
      return safeTx && signatures && transactionHash ? [{ safeTxHash, safeTx, signatures, transactionHash }] : []
    }),
  }
}
