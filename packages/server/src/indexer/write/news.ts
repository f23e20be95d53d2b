import { type EntryKind, settingKinds } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import { getAddress, type Hex } from 'viem'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import type { historyEntry } from '../../db/schema.ts'
import type { Log } from '../../outbox/append.ts'

/** A block is known some seconds after the time that it carries. */
const KNOWN_AFTER = '1 minute'

/**
 * Whether an execution belongs in the activity log: one of a Safe that was stored here by then. What a Safe did before is
 * in its history, and news to nobody. As SQL over a row of `multisig_transaction`.
 */
export const isNews = sql`multisig_transaction.execution_date >= (select s.added_at - interval '${sql.raw(KNOWN_AFTER)}' from safe s
  where s.chain_id = multisig_transaction.chain_id and s.address = multisig_transaction.safe_address)`

type SettingRow = Pick<
  typeof historyEntry.$inferSelect,
  'kind' | 'blockTime' | 'blockNumber' | 'logIndex' | 'part' | 'transactionHash'
> & { safeAddress: Hex; subject?: Hex | null; threshold?: number | null }

/** Changes of settings that belong in the activity log, by the same rule; not those that a Safe is created with. */
export async function findNews<row extends SettingRow>(
  db: Executor,
  chainId: number,
  rows: readonly row[],
): Promise<row[]> {
  const created = new Set(rows.flatMap((row) => (row.kind === 'created' ? [placeOf(row)] : [])))
  const found = rows.filter((row) => isSetting(row.kind) && !created.has(placeOf(row)))
  if (found.length === 0) return []
  const addresses = sql.param([...new Set(found.map(({ safeAddress }) => safeAddress.toLowerCase()))].map(toBytes))
  const { rows: safes } = await db.execute<{ address: string; since: string }>(sql`
    select '0x' || encode(address, 'hex') as address, added_at - interval '${sql.raw(KNOWN_AFTER)}' as since
    from safe where chain_id = ${chainId} and address = any(${addresses}::bytea[])`)
  const since = new Map(safes.map((safe) => [safe.address, new Date(safe.since)]))
  return found.filter(({ safeAddress, blockTime }) => blockTime >= (since.get(safeAddress.toLowerCase()) ?? NEVER))
}

const NEVER = new Date(8.64e15)

function isSetting(kind: EntryKind): boolean {
  return (settingKinds as readonly EntryKind[]).includes(kind)
}

function placeOf({ safeAddress, transactionHash }: SettingRow): string {
  return `${safeAddress.toLowerCase()} ${transactionHash}`
}

/** Names of each kind in one entry of the log: any contract may emit any number of events. */
const MAX_NAMED = 20

/** One entry of the log for each Safe and Ethereum transaction, however many settings that changed. */
export function logSettings(
  log: Log,
  verb: 'changed-settings' | 'reverted-settings',
  chainId: number,
  rows: readonly SettingRow[],
): void {
  const groups = new Map<string, SettingRow[]>()
  for (const row of rows) groups.set(placeOf(row), [...(groups.get(placeOf(row)) ?? []), row])
  for (const group of groups.values()) {
    const named: Record<string, string[]> = {}
    for (const { kind, subject, threshold } of group) {
      const value = subject ? getAddress(subject) : String(threshold ?? '')
      const values = named[kind] ?? []
      if (values.length < MAX_NAMED) named[kind] = [...values, value]
    }
    const [first] = group
    if (!first) continue
    const { safeAddress, transactionHash } = first
    const detail = Object.fromEntries(Object.entries(named).map(([kind, values]) => [kind, values.join(' ')]))
    log.add({
      verb,
      account: null,
      chainId,
      safeAddress: getAddress(safeAddress),
      detail: { ...detail, ...(transactionHash ? { transactionHash } : {}) },
    })
  }
}
