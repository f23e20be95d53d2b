import type { MultisigTransaction, SafeMessage } from '@countersign/contract'
import { type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'

/** A reorganisation gives nonces back: how many are kept behind the one that the Safe has. */
const USED_NONCES_KEPT = 100n
/** An account has room for so many in one Safe, and for so many bytes. */
const MAX_KEPT = 200
const MAX_BYTES = 2 * 1024 * 1024

export const hexOf = (column: SQL) => sql`'0x' || encode(${column}, 'hex')`

/** The ten fields of a transaction `t`, as the wire writes them. */
export const safeTxOf = sql`jsonb_build_object(
  'to', ${hexOf(sql`t.to`)}, 'value', t.value::text, 'data', ${hexOf(sql`t.data`)}, 'operation', t.operation,
  'safeTxGas', t.safe_tx_gas::text, 'baseGas', t.base_gas::text, 'gasPrice', t.gas_price::text,
  'gasToken', ${hexOf(sql`t.gas_token`)}, 'refundReceiver', ${hexOf(sql`t.refund_receiver`)}, 'nonce', t.nonce::text)`

const byOwner = sql`select distinct on (s->>'owner') s from jsonb_array_elements`

/**
 * Keeps what is about to be deleted, with all signatures under it: nobody can take those back. What nobody signed is not
 * kept. Deleted again, it has the signatures of both times, one of each account.
 */
async function keep(
  tx: Executor,
  { fields, from, which, signatures, now }: { fields: SQL; from: SQL; which: SQL; signatures: SQL; now: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into deleted_proposal
      (chain_id, hash, safe_address, nonce, safe_tx, domain_version, content, bytes, kept_by, signatures, deleted_date)
    select ${fields}, signed.list, ${now.toISOString()}::timestamptz
    from ${from}
    cross join lateral (select jsonb_agg(jsonb_build_object(
      'owner', ${hexOf(sql`c.owner`)}, 'signature', ${hexOf(sql`c.signature`)})) as list
      from ${signatures}) signed
    -- Out here it is found by the key. Inside of the lateral part it would be asked of every row of the table.
    where ${which} and signed.list is not null
    on conflict (chain_id, hash) do update set deleted_date = excluded.deleted_date,
      signatures = (select jsonb_agg(s) from (${byOwner}(excluded.signatures || deleted_proposal.signatures) s) kept)`)
}

/** Forgets what an account has no room for: first what nobody else signed, then what was deleted first. */
async function makeRoom(tx: Executor, { chainId, safeAddress }: Place): Promise<void> {
  const order = sql`partition by kept_by order by jsonb_array_length(signatures) > 1 desc, deleted_date desc, hash`
  const place = sql`chain_id = ${chainId} and safe_address = ${bytes(safeAddress)}`
  await tx.execute(sql`
    delete from deleted_proposal where chain_id = ${chainId} and hash in (
      select hash from (
        select hash, row_number() over (${order}) as place, sum(bytes) over (${order}) as bytes
        from deleted_proposal where ${place}) kept
      where kept.place > ${MAX_KEPT} or kept.bytes > ${MAX_BYTES})`)
}

type Place = Pick<MultisigTransaction, 'chainId' | 'safeAddress'>

/**
 * Keeps a transaction that is about to be deleted, and forgets what was deleted with nonces that were used long ago.
 *
 * @param safeNonce the nonce that the Safe has on the chain
 */
export async function keepDeletedTransaction(
  tx: Executor,
  { chainId, safeAddress, safeTxHash }: Place & Pick<MultisigTransaction, 'safeTxHash'>,
  safeNonce: bigint,
  now: Date,
): Promise<void> {
  const place = sql`chain_id = ${chainId} and safe_address = ${bytes(safeAddress)}`
  const end = (safeNonce - USED_NONCES_KEPT).toString()
  await tx.execute(sql`delete from deleted_proposal where ${place} and nonce < ${end}::numeric`)
  await keep(tx, {
    fields: sql`t.chain_id, t.safe_tx_hash, t.safe_address, t.nonce, ${safeTxOf},
      t.domain_version, null, octet_length(t.data), coalesce(t.kept_by, t.proposer, t.safe_address)`,
    from: sql`multisig_transaction t`,
    which: sql`t.chain_id = ${chainId} and t.safe_tx_hash = ${bytes(safeTxHash)} and t.nonce >= ${safeNonce.toString()}::numeric`,
    signatures: sql`confirmation c where c.chain_id = t.chain_id and c.safe_tx_hash = t.safe_tx_hash`,
    now,
  })
  await makeRoom(tx, { chainId, safeAddress })
}

/** Keeps a message that is about to be deleted. */
export async function keepDeletedMessage(
  tx: Executor,
  { chainId, safeAddress, safeMessageHash }: Place & Pick<SafeMessage, 'safeMessageHash'>,
  now: Date,
): Promise<void> {
  await keep(tx, {
    fields: sql`m.chain_id, m.message_hash, m.safe_address, null::numeric, null::jsonb, null, m.content,
      octet_length(m.content), m.proposer`,
    from: sql`safe_message m`,
    which: sql`m.chain_id = ${chainId} and m.message_hash = ${bytes(safeMessageHash)}`,
    signatures: sql`message_confirmation c where c.chain_id = m.chain_id and c.message_hash = m.message_hash`,
    now,
  })
  await makeRoom(tx, { chainId, safeAddress })
}

function bytes(hex: Address | Hex): SQL {
  return sql`${sql.param(toBytes(hex))}::bytea`
}
