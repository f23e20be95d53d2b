import type { LiveEvent } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex } from 'viem'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { CHANNEL } from '../../live/notify.ts'
import type { VerifiedSignature } from '../../signatures/verify-owner-signatures.ts'

type Confirmed = {
  chainId: number
  safeAddress: Address
  safeTxHash: Hex
  signed: readonly VerifiedSignature[]
  /** Who brings them; null: each owner. */
  account: Address | null
  now: Date
}

/**
 * Writes down confirmations that were verified, tells of them and keeps it in the activity log: all in one statement, which
 * needs no database transaction of its own. What an owner confirmed with first is kept.
 *
 * @param isProposing whether the log says already, that it is proposed with them
 * @returns whose are new; null when there is no such transaction that is not executed.
 */
export async function storeConfirmations(
  db: Executor,
  { chainId, safeAddress, safeTxHash, signed, account, now }: Confirmed,
  isProposing = false,
): Promise<Address[] | null> {
  const list = <item>(read: (one: VerifiedSignature) => item) => sql.param(signed.map(read))
  const event: LiveEvent = { kind: 'transaction', chainId, safeAddress, safeTxHash }
  const hash = sql.param(toBytes(safeTxHash))
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await db.execute<{ is_open: boolean; owners: string[] }>(sql`
    with open as (
      select 1 from multisig_transaction where chain_id = ${chainId} and safe_tx_hash = ${hash} and not is_executed
      for no key update
    ), given as (
      select * from unnest(
        ${list(({ owner }) => toBytes(owner))}::bytea[], ${list(({ signature }) => toBytes(signature))}::bytea[],
        ${list(({ signatureType }) => signatureType)}::text[], ${list((one) => one.verifiedBlock)}::bigint[],
        ${list((one) => one.verifiedBlockHash && toBytes(one.verifiedBlockHash))}::bytea[],
        ${list(({ owner }) => toBytes(account ?? owner))}::bytea[],
        ${list(({ owner }) => (owner === (account ?? owner) ? null : JSON.stringify({ owner })))}::text[]
      ) as given (owner, signature, signature_type, verified_block, verified_block_hash, account, detail)
    ), added as (
      insert into confirmation (chain_id, safe_tx_hash, owner, signature, signature_type, submission_date,
        verified_block, verified_block_hash)
      select ${chainId}, ${hash}, owner, signature, signature_type, ${at}, verified_block, verified_block_hash
      from given, open
      on conflict do nothing returning owner
    ), touched as (
      update multisig_transaction set is_trusted = true, modified_date = ${at}
      where chain_id = ${chainId} and safe_tx_hash = ${hash} and exists (select from added)
    ), logged as (
      insert into activity (at, account, verb, chain_id, safe_address, safe_tx_hash, detail)
      select ${at}, account, 'confirmed', ${chainId}, ${sql.param(toBytes(safeAddress))}, ${hash}, detail::jsonb
      from given where owner in (select owner from added) and not ${isProposing}
    ), told as (
      select pg_notify(${CHANNEL}, ${JSON.stringify(event)}) where exists (select from added) and not ${isProposing}
    )
    select exists (select from open) as is_open, (select count(*) from told) as told,
      array(select encode(owner, 'hex') from added) as owners`)
  const [row] = rows
  return row?.is_open ? row.owners.map((owner) => getAddress(`0x${owner}`)) : null
}
