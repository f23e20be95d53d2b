import type { Reviewed } from '@countersign/contract'
import type { SafeState } from '@countersign/safe-core'
import { sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex } from 'viem'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import type { Log } from '../../outbox/append.ts'
import type { VerifiedSignature } from '../../signatures/verify-owner-signatures.ts'

type Confirmed = {
  chainId: number
  safeAddress: Address
  safeTxHash: Hex
  signed: readonly VerifiedSignature[]
  /** Who brings them; null: each owner. */
  account: Address | null
  state: Pick<SafeState, 'owners' | 'threshold'>
  /** The claim of who brings them of what their page showed. It says nothing of what other owners saw. */
  reviewed?: Reviewed | undefined
}

/**
 * Stores confirmations that were verified, and says so in the log. What an owner confirmed with first is kept. The caller
 * has locked the row of the transaction in a statement before: two who confirm at once are counted one after the other.
 *
 * @param isProposing whether the log tells of them by the proposal that they came with
 * @returns whose are new, and whose were there before; null when there is no such transaction that is not executed.
 */
export async function storeConfirmations(
  tx: Executor,
  log: Log,
  { chainId, safeAddress, safeTxHash, signed, account, state, reviewed }: Confirmed,
  isProposing = false,
): Promise<{ added: Address[]; before: Address[] } | null> {
  const { now } = log
  const list = <item>(read: (one: VerifiedSignature) => item) => sql.param(signed.map(read))
  const hash = sql.param(toBytes(safeTxHash))
  const at = sql`${now.toISOString()}::timestamptz`
  const byHash = sql`chain_id = ${chainId} and safe_tx_hash = ${hash}`
  const { rows } = await tx.execute<{ is_open: boolean; added: string[]; before: string[] }>(sql`
    with open as (
      select 1 from multisig_transaction where ${byHash} and not is_executed for no key update
    ), added as (
      insert into confirmation (chain_id, safe_tx_hash, owner, signature, signature_type, submission_date,
        verified_block, verified_block_hash)
      select ${chainId}, ${hash}, given.*
      from unnest(
        ${list(({ owner }) => toBytes(owner))}::bytea[], ${list(({ signature }) => toBytes(signature))}::bytea[],
        ${list(({ signatureType }) => signatureType)}::text[], ${list(() => now.toISOString())}::timestamptz[],
        ${list((one) => one.verifiedBlock)}::bigint[],
        ${list((one) => one.verifiedBlockHash && toBytes(one.verifiedBlockHash))}::bytea[]
      ) as given, open
      on conflict do nothing returning owner
    ), touched as (
      update multisig_transaction set is_trusted = true, modified_date = ${at} where ${byHash} and exists (select from added)
    )
    select exists (select from open) as is_open, array(select encode(owner, 'hex') from added) as added,
      array(select encode(owner, 'hex') from confirmation where ${byHash}) as before`)
  const [row] = rows
  if (!row?.is_open) return null
  const added = row.added.map((owner) => getAddress(`0x${owner}`))
  const before = row.before.map((owner) => getAddress(`0x${owner}`))
  if (!isProposing) {
    // Those of former owners do not count.
    let count = before.filter((owner) => state.owners.includes(owner)).length
    for (const owner of added) {
      count += 1
      const by = account === null || account === owner ? {} : { owner }
      const detail = { ...by, ...countOf(count, state) }
      const report = account === owner ? reviewed : undefined
      const about = { chainId, safeAddress, safeTxHash, detail, reviewed: report }
      log.add({ verb: 'confirmed', account: account ?? owner, ...about })
    }
  }
  return { added, before }
}

/** What the log says of confirmations: how many there are by then, of how many that are required. */
export function countOf(confirmations: number, { threshold }: Pick<SafeState, 'threshold'>): Record<string, string> {
  return { confirmations: String(confirmations), confirmationsRequired: String(threshold) }
}
