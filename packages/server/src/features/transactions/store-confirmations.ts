import type { Reviewed } from '@countersign/contract'
import type { SafeState } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex } from 'viem'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { plannedStatement } from '../../db/planned-statement.ts'
import type { Log } from '../../outbox/append.ts'
import type { Entry } from '../../outbox/entry.ts'
import type { VerifiedSignature } from '../../signatures/verify-owner-signatures.ts'

type Confirmed = {
  chainId: number
  safeAddress: Address
  safeTxHash: Hex
  signed: readonly VerifiedSignature[]
  /** Account that brings them; null: each owner brings their own. */
  account: Address | null
  state: Pick<SafeState, 'owners' | 'threshold'>
  /** The claim of who brings them of what their page showed. It says nothing of what other owners saw. */
  reviewed?: Reviewed | undefined
}

/** Whose confirmations are new, and whose were there before; null when there is no such transaction that is not executed. */
export type Stored = { added: Address[]; before: Address[] } | null

/**
 * Stores confirmations that were verified, and says so in the log. What an owner confirmed with first is kept. The caller
 * has locked the row of the transaction in a statement before: two who confirm at once are counted one after the other.
 */
export async function storeConfirmations(tx: Executor, log: Log, confirmed: Confirmed): Promise<Stored> {
  const stored = await addConfirmations(tx, log, confirmed)
  logConfirmations(log, confirmed, stored)
  return stored
}

/** Stores them, and leaves it to the caller to say so. The statement is sent before this function returns. */
export async function addConfirmations(
  tx: Executor,
  { now }: Log,
  { chainId, safeTxHash, signed }: Confirmed,
): Promise<Stored> {
  const [row] = await insertConfirmations(tx, {
    chainId,
    safeTxHash: toBytes(safeTxHash),
    now,
    owners: signed.map(({ owner }) => toBytes(owner)),
    signatures: signed.map(({ signature }) => toBytes(signature)),
    types: signed.map(({ signatureType }) => signatureType),
    blocks: signed.map(({ verifiedBlock }) => verifiedBlock),
    blockHashes: signed.map(({ verifiedBlockHash }) => verifiedBlockHash && toBytes(verifiedBlockHash)),
  })
  if (!row?.is_open) return null
  return {
    added: row.added.map((owner) => getAddress(`0x${owner}`)),
    before: row.before.map((owner) => getAddress(`0x${owner}`)),
  }
}

/** Says in the log which confirmations are new, each with how many there are by then. */
export function logConfirmations(
  log: Log,
  { chainId, safeAddress, safeTxHash, account, state, reviewed }: Confirmed,
  stored: Stored,
): void {
  if (!stored) return
  // Those of former owners do not count.
  let count = stored.before.filter((owner) => state.owners.includes(owner)).length
  for (const owner of stored.added) {
    count += 1
    const by = account === null || account === owner ? {} : { owner }
    const detail = { ...by, ...countOf(count, state) }
    const report = account === owner ? reviewed : undefined
    const about = { chainId, safeAddress, safeTxHash, detail, reviewed: report }
    log.add({ verb: 'confirmed', account: account ?? owner, ...about })
  }
}

const byHash = sql`chain_id = ${sql.placeholder('chainId')} and safe_tx_hash = ${sql.placeholder('safeTxHash')}`
const nowGiven = sql`${sql.placeholder('now')}::timestamptz`

const insertConfirmations = plannedStatement<{ is_open: boolean; added: string[]; before: string[] }>(
  'store-confirmations',
  sql`with open as (
      select 1 from multisig_transaction where ${byHash} and not is_executed for no key update
    ), added as (
      insert into confirmation (chain_id, safe_tx_hash, submission_date, owner, signature, signature_type,
        verified_block, verified_block_hash)
      select ${sql.placeholder('chainId')}::bigint, ${sql.placeholder('safeTxHash')}::bytea, ${nowGiven}, given.*
      from unnest(${sql.placeholder('owners')}::bytea[], ${sql.placeholder('signatures')}::bytea[],
        ${sql.placeholder('types')}::text[], ${sql.placeholder('blocks')}::bigint[],
        ${sql.placeholder('blockHashes')}::bytea[]) as given, open
      on conflict do nothing returning owner
    ), touched as (
      update multisig_transaction set is_trusted = true, modified_date = ${nowGiven}
      where ${byHash} and exists (select from added)
    )
    select exists (select from open) as is_open, array(select encode(owner, 'hex') from added) as added,
      array(select encode(owner, 'hex') from confirmation where ${byHash}) as before`,
)

/** Gives the log's count of confirmations: how many there are by then, of how many that are required. */
export function countOf(
  confirmations: number,
  { threshold }: Pick<SafeState, 'threshold'>,
): NonNullable<Entry['detail']> {
  return { confirmations: String(confirmations), confirmationsRequired: String(threshold) }
}
