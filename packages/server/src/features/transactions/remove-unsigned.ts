import { and, eq, inArray, lt } from 'drizzle-orm'
import { keccak256 } from 'viem'
import type { Deps } from '../../context.ts'
import { multisigTransaction as table } from '../../db/schema.ts'
import type { Entry } from '../../outbox/entry.ts'
import { writeLogged } from '../../outbox/write.ts'

const KEPT_DAYS = 30
const DAY = 86_400_000
/** In one database transaction; the rest the next time. */
const MAX_AT_ONCE = 500

/**
 * Deletes proposals that came without any signature (from scripts) and were not signed within 30 days. They are shown to
 * nobody who does not ask for them, and whoever wants one proposes it again. The activity log keeps what each was.
 */
export async function removeUnsignedProposals(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await writeLogged(deps, async (tx, log) => {
    const end = new Date(log.now.getTime() - KEPT_DAYS * DAY)
    const isOver = and(eq(table.isTrusted, false), eq(table.isExecuted, false), lt(table.submissionDate, end))
    const old = await tx
      .select({ safeTxHash: table.safeTxHash })
      .from(table)
      .where(isOver)
      .limit(MAX_AT_ONCE)
      // A transaction that somebody signs right now is skipped: it is unsigned no more.
      .for('update', { skipLocked: true })
    if (old.length === 0) return
    const hashes = old.map(({ safeTxHash }) => safeTxHash)
    const removed = await tx
      .delete(table)
      .where(and(isOver, inArray(table.safeTxHash, hashes)))
      .returning()
    for (const { chainId, safeAddress, safeTxHash, ...fields } of removed)
      log.add({ verb: 'deleted', account: null, chainId, safeAddress, safeTxHash, detail: detailOf(fields) })
  })
}

type Fields = Omit<typeof table.$inferSelect, 'chainId' | 'safeAddress' | 'safeTxHash'>

function detailOf({
  proposer,
  nonce,
  to,
  value,
  operation,
  data,
  submissionDate,
}: Fields): NonNullable<Entry['detail']> {
  return {
    ...(proposer ? { proposer } : {}),
    nonce: String(nonce),
    to: String(to),
    value: String(value),
    operation: String(operation),
    dataHash: keccak256(data ?? '0x'),
    unsignedSince: submissionDate.toISOString(),
  }
}
