import type { MultisigTransaction, OtherProposal, Role } from '@countersign/contract'
import { isCancellation, type SafeTx } from '@countersign/safe'
import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { builtOnce } from '../../db/built-once.ts'
import type { Database, Executor } from '../../db/client.ts'
import { decodeAddress } from '../../db/columns.ts'
import { decodeKeyset, encodeKeyset, momentForm } from '../../db/keyset.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { toSafeTx } from '../../db/safe-tx-row.ts'
import { safe, multisigTransaction as table } from '../../db/schema.ts'
import { isHashOutdated } from '../../safes/hash-form.ts'
import { askedBy, isListed, isMember, LATER, roleOf } from '../../safes/roles.ts'
import type { Who } from '../../safes/viewer.ts'

type Page = { transactions: MultisigTransaction[]; nextCursor: string | null }
type StoredConfirmation = {
  owner: Hex
  signature: Hex
  type: MultisigTransaction['confirmations'][number]['signatureType']
  at: string
  transactionHash: Hex | null
}

const DEFAULT_LIMIT = 50
const queueKeyset = [/^\d{1,78}$/, momentForm, /^[0-9a-f]{64}$/]
export const MAX_OTHERS = 200

/**
 * How many confirmations a transaction needs, or needed when it was executed. Where its execution was read without that,
 * it is today's threshold if the Safe's whole history tells of no change since; else null, and nothing is guessed.
 */
export const confirmationsRequired = sql<number | null>`coalesce(${table.executedConfirmations}, case
  when not ${table.isExecuted} then ${safe.threshold}
  when ${safe.backfillBlock} is null and not exists (select from history_entry h where h.chain_id = ${table.chainId}
    and h.safe_address = ${table.safeAddress} and h.kind = 'threshold-changed'
    and h.block_number >= ${table.blockNumber}) then ${safe.threshold} end)`

/** Columns of a transaction with its confirmations, in one query. A page has fifty: no column that no reader needs. */
export const transactionFields = {
  chainId: table.chainId,
  safeAddress: table.safeAddress,
  safeTxHash: table.safeTxHash,
  to: table.to,
  value: table.value,
  data: table.data,
  operation: table.operation,
  safeTxGas: table.safeTxGas,
  baseGas: table.baseGas,
  gasPrice: table.gasPrice,
  gasToken: table.gasToken,
  refundReceiver: table.refundReceiver,
  nonce: table.nonce,
  proposer: table.proposer,
  proposedByDelegate: table.proposedByDelegate,
  origin: table.origin,
  submissionDate: table.submissionDate,
  pendingTransactionHash: table.pendingTransactionHash,
  pendingExecutor: table.pendingExecutor,
  pendingDate: table.pendingDate,
  isExecuted: table.isExecuted,
  isSuccessful: table.isSuccessful,
  transactionHash: table.transactionHash,
  executor: table.executor,
  blockNumber: table.blockNumber,
  executionDate: table.executionDate,
  gasUsed: table.gasUsed,
  fee: table.fee,
  confirmations: sql<StoredConfirmation[]>`(
    select coalesce(json_agg(json_build_object(
      'owner', '0x' || encode(c.owner, 'hex'), 'signature', '0x' || encode(c.signature, 'hex'),
      'type', c.signature_type, 'at', c.submission_date,
      'transactionHash', '0x' || encode(c.transaction_hash, 'hex')) order by c.submission_date, c.owner), '[]')
    from confirmation c where c.chain_id = ${table.chainId} and c.safe_tx_hash = ${table.safeTxHash}
      and (${table.isExecuted} or c.owner = any(${safe.owners})))`,
  confirmationsRequired,
  isHashOutdated: sql<boolean>`not ${table.isExecuted} and ${isHashOutdated(sql`${table.domainVersion}`)}`,
}

/** Bytes of the long parts of a transaction; `confirmationBytes` is joined to it. */
export const transactionWeight = sql`(coalesce(octet_length(${table.data}), 0) + coalesce(octet_length(${table.signatures}), 0)
  + coalesce(confirmed.bytes, 0))`

/** Joined, the bytes are counted once, however often the weight is asked for. */
export const confirmationBytes = sql`lateral (select sum(octet_length(c.signature)) as bytes from confirmation c
  where c.chain_id = ${table.chainId} and c.safe_tx_hash = ${table.safeTxHash}) confirmed`

/** The fields of a page: what does not fit is not read. */
export function transactionFieldsWhere(fits: SQL<boolean>) {
  return {
    ...transactionFields,
    data: sql<Hex | null>`case when ${fits} then ${table.data} end`.mapWith(table.data),
    confirmations: sql<StoredConfirmation[]>`case when ${fits} then ${transactionFields.confirmations} else '[]' end`,
  }
}

function selectTransactions(db: Pick<Database, 'select'>) {
  return db
    .select(transactionFields)
    .from(table)
    .innerJoin(safe, and(eq(safe.chainId, table.chainId), eq(safe.address, table.safeAddress)))
}

export type TransactionRow = Awaited<ReturnType<ReturnType<typeof selectTransactions>['execute']>>[number]

const queueOrder = [sql`${table.nonce}`, sql`${table.submissionDate}`, sql`${table.safeTxHash}`]

const selectQueue = builtOnce((db, form: 'first' | 'next') => {
  const fits = fitsPage(transactionWeight, queueOrder)
  const after = sql`(${sql.join(queueOrder, sql`, `)}) > (${sql.placeholder('nonce')}::numeric,
    ${sql.placeholder('date')}::timestamptz, decode(${sql.placeholder('hash')}, 'hex'))`
  return (
    db
      .select({ ...transactionFieldsWhere(fits), fits })
      .from(table)
      .innerJoin(safe, and(eq(safe.chainId, table.chainId), eq(safe.address, table.safeAddress)))
      .innerJoin(confirmationBytes, sql`true`)
      .where(
        and(
          eq(table.chainId, sql.placeholder('chainId')),
          eq(table.safeAddress, sql.param(sql.placeholder('safeAddress'), table.safeAddress)),
          sql`not ${table.isExecuted}`,
          table.isTrusted,
          sql`${table.nonce} >= ${safe.nonce}`,
          isMember(LATER, LATER),
          form === 'next' ? after : undefined,
        ),
      )
      .orderBy(...queueOrder)
      .limit(sql.placeholder('limit'))
      // Planned once: what is open of a Safe is little, whatever way is taken to it.
      .prepare(`queue-${form}`)
  )
})

/** Not executed and still possible, by nonce, then by time, for the team. */
export async function findQueue(
  { db, viewer, clock }: SignedInCtx,
  {
    chainId,
    safeAddress,
    cursor,
    limit = DEFAULT_LIMIT,
  }: { chainId: number; safeAddress: Address; cursor?: string | undefined; limit?: number | undefined },
): Promise<Page> {
  const [nonce, date, hash] = decodeKeyset(cursor, queueKeyset)
  const rows = await selectQueue(db, cursor ? 'next' : 'first').execute({
    ...askedBy(viewer, clock()),
    chainId,
    safeAddress,
    nonce,
    date,
    hash,
    limit: limit + 1,
  })
  const shown = shownOf(rows, limit)
  const last = rows.length > shown ? rows[shown - 1] : undefined
  return {
    transactions: rows.slice(0, shown).map((row) => toTransaction(row, true)),
    nextCursor: last
      ? encodeKeyset([String(last.nonce), last.submissionDate.toISOString(), last.safeTxHash.slice(2)])
      : null,
  }
}

/** One transaction, whoever asks. */
export async function findTransaction(
  db: Pick<Database, 'select'>,
  chainId: number,
  safeTxHash: Hex,
): Promise<MultisigTransaction | null> {
  const [row] = await selectTransactions(db).where(and(eq(table.chainId, chainId), eq(table.safeTxHash, safeTxHash)))
  return row ? toTransaction(row, true) : null
}

/** `nobody`: without asking who somebody is; `visible`: if the account may see it. */
const selectTransactionAndRole = builtOnce((db, form: 'nobody' | 'any' | 'visible') =>
  db
    .select({
      ...transactionFields,
      role: form === 'nobody' ? sql<null>`null` : roleOf(LATER, LATER),
      saved: safe,
    })
    .from(table)
    .innerJoin(safe, and(eq(safe.chainId, table.chainId), eq(safe.address, table.safeAddress)))
    .where(
      and(
        eq(table.chainId, sql.placeholder('chainId')),
        eq(table.safeTxHash, sql.param(sql.placeholder('safeTxHash'), table.safeTxHash)),
        form === 'visible'
          ? or(isMember(LATER, LATER), and(eq(table.isExecuted, true), isListed(db, LATER)))
          : undefined,
      ),
    )
    .prepare(`transaction-${form}`),
)

type Asked = { chainId: number; safeTxHash: Hex; now: Date }
type TransactionAndRole = { transaction: MultisigTransaction; role: Role | null; saved: typeof safe.$inferSelect }

/** One transaction, and who `who` is to its Safe, whether it may see it or not. */
export async function findTransactionAndRole(
  db: Executor,
  { who, now, ...which }: Asked & { who: Who | null },
): Promise<TransactionAndRole | null> {
  const [row] = await (who === null
    ? selectTransactionAndRole(db, 'nobody').execute(which)
    : selectTransactionAndRole(db, 'any').execute({ ...which, ...askedBy(who, now) }))
  if (!row) return null
  const { role, saved } = row
  return { transaction: toTransaction(row, true), role, saved }
}

/**
 * A transaction as the account may see it: the team all of it, others what is executed on a Safe of their list. Null
 * when it is not there, or not for this account.
 */
export async function findVisibleTransaction(
  db: Executor,
  { who, now, ...which }: Asked & { who: Who },
): Promise<TransactionAndRole | null> {
  const [row] = await selectTransactionAndRole(db, 'visible').execute({ ...which, ...askedBy(who, now) })
  if (!row) return null
  const { role, saved } = row
  return { transaction: toTransaction(row, role !== null), role, saved }
}

/** A signature of a key, and twice that: what is longer is told by its beginning. */
const SIGNATURE_BYTES_OF_OTHERS = 130

type Beside = {
  chainId: number
  safeAddress: Address
  safeTx: Pick<SafeTx, 'nonce'> | null
  /** Null: nothing is left out. */
  safeTxHash: Hex | null
}

/** Other proposals of the Safe that are not executed; those at the nonce first. For the team, and without calldata. */
export async function findOthers({ db, viewer, clock }: SignedInCtx, transaction: Beside): Promise<OtherProposal[]> {
  const nonce = transaction.safeTx?.nonce ?? -1n
  const { to, value, operation, gasPrice, gasToken, refundReceiver, safeAddress, safeTxHash } = table
  const rows = await db
    .select({
      to,
      value,
      operation,
      gasPrice,
      gasToken,
      refundReceiver,
      safeAddress,
      safeTxHash,
      nonce: table.nonce,
      isEmpty: sql<boolean>`${table.data} = ''::bytea`,
      confirmations: sql<{ owner: Hex; signature: Hex }[]>`(
        select coalesce(json_agg(json_build_object('owner', '0x' || encode(c.owner, 'hex'),
          'signature', '0x' || encode(substr(c.signature, 1, ${SIGNATURE_BYTES_OF_OTHERS}), 'hex'))
          order by c.submission_date, c.owner), '[]')
        from confirmation c where c.chain_id = ${table.chainId} and c.safe_tx_hash = ${table.safeTxHash})`,
      owners: safe.owners,
    })
    .from(table)
    .innerJoin(safe, and(eq(safe.chainId, table.chainId), eq(safe.address, table.safeAddress)))
    .where(
      and(
        eq(table.chainId, transaction.chainId),
        eq(table.safeAddress, transaction.safeAddress),
        sql`not ${table.isExecuted}`,
        table.isTrusted,
        transaction.safeTxHash === null ? undefined : ne(table.safeTxHash, transaction.safeTxHash),
        isMember(viewer, clock()),
      ),
    )
    .orderBy(sql`${table.nonce} <> ${nonce.toString()}::numeric`, sql`${table.nonce} desc`, table.submissionDate)
    .limit(MAX_OTHERS)
  return rows.flatMap(({ confirmations, isEmpty, owners, ...row }) => {
    const fields = toSafeTx({ ...row, ...noGas, data: isEmpty ? '0x' : '0x00' })
    if (!fields) return []
    return {
      safeTxHash: row.safeTxHash,
      nonce: fields.nonce,
      isCancellation: isCancellation(fields, row.safeAddress),
      ...byStanding(confirmations, owners),
    }
  })
}

/** Parts signatures into those of owners and those of accounts that are none now. */
export function byStanding(
  signatures: readonly { owner: Hex; signature: Hex }[],
  owners: readonly Address[],
): Pick<OtherProposal, 'confirmations' | 'formerConfirmations'> {
  const read = signatures.map(({ owner, signature }) => ({ owner: decodeAddress(owner), signature }))
  const isOwners = ({ owner }: { owner: Address }) => owners.includes(owner)
  return {
    confirmations: read.filter(isOwners),
    formerConfirmations: read.filter((confirmation) => !isOwners(confirmation)),
  }
}

/** No cancellation is one by these. */
const noGas = { safeTxGas: 0n, baseGas: 0n }

/** Outside the team, a caller gets on-chain data only, nothing that was only stored here. */
export function toTransaction(row: TransactionRow, isMember: boolean): MultisigTransaction {
  const executionDate = row.executionDate?.toISOString() ?? null
  return {
    chainId: row.chainId,
    safeAddress: row.safeAddress,
    safeTxHash: row.safeTxHash,
    safeTx: toSafeTx(row),
    proposer: isMember ? row.proposer : null,
    proposedByDelegate: isMember ? row.proposedByDelegate : null,
    origin: isMember ? row.origin : null,
    submissionDate: isMember || !executionDate ? row.submissionDate.toISOString() : executionDate,
    confirmations: isMember
      ? row.confirmations.map(({ owner, signature, type, at, transactionHash }) => ({
          owner: decodeAddress(owner),
          signature,
          signatureType: type,
          submissionDate: new Date(at).toISOString(),
          transactionHash,
        }))
      : [],
    confirmationsRequired: row.confirmationsRequired,
    isHashOutdated: row.isHashOutdated,
    isExecuted: row.isExecuted,
    isSuccessful: row.isSuccessful,
    transactionHash: row.transactionHash,
    executor: row.executor,
    blockNumber: row.blockNumber,
    executionDate,
    gasUsed: row.gasUsed,
    fee: row.fee,
    pendingExecution:
      isMember && row.pendingTransactionHash && row.pendingExecutor && row.pendingDate
        ? {
            transactionHash: row.pendingTransactionHash,
            executor: row.pendingExecutor,
            submissionDate: row.pendingDate.toISOString(),
          }
        : null,
  }
}
