import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { toBytes } from '../../db/columns.ts'
import { historyEntry, safe } from '../../db/schema.ts'
import { isRefusal } from '../../rpc/errors.ts'
import { changed } from '../../rpc/logs.ts'
import { blockTime } from '../block-time.ts'
import { readTransactions } from '../read/moves.ts'
import { applyFacts, findHeader, findHeaders } from '../write/apply.ts'
import {
  type Causes,
  type Change,
  type Context,
  findBlock,
  findCauses,
  findChanges,
  NotANumberError,
  type Quantity,
  readQuantity,
  unexplained,
} from './compare.ts'

/** Unexplained changes may be many, for ever: this many are looked at again, and then not for a while. */
const ENTRIES = 10
const REST_MS = 60_000
const BLOCKS = 20

type Unexplained = typeof historyEntry.$inferSelect

/**
 * Looks again, one after the other, for causes of what nothing explained: a node that traces, or that has old state, may have
 * been added, or been away. What is explained since takes the place of the entry; what is not stays as it is.
 */
export function createResolving(parts: Omit<Context, 'hashes'>): () => Promise<void> {
  const { chain, db, clock, lease } = parts
  const { chainId } = chain.settings
  /** Where the last look ended. */
  let last: Unexplained | null = null
  let restsUntil = 0

  return async function resolve() {
    const now = clock().getTime()
    if (now < restsUntil) return
    restsUntil = now + REST_MS
    const found = await findNext()
    last = found.length < ENTRIES ? null : (found.at(-1) ?? null)
    if (found.length === 0) return
    const context = { ...parts, hashes: await findHeaders(db, chainId) }
    for (const entry of found)
      try {
        await look(context, entry)
      } catch (error) {
        // The node still does not know.
        if (!isRefusal(error) && !(error instanceof NotANumberError)) throw error
      }
  }

  function findNext(): Promise<Unexplained[]> {
    const { blockNumber, safeAddress, part } = historyEntry
    const isAfter =
      last &&
      sql`(${blockNumber}, ${safeAddress}, ${part}) > (${last.blockNumber}, ${toBytes(last.safeAddress)}, ${last.part})`
    return db
      .select()
      .from(historyEntry)
      .where(and(eq(historyEntry.chainId, chainId), isNotNull(historyEntry.afterBlock), isAfter ?? undefined))
      .orderBy(asc(blockNumber), asc(safeAddress), asc(part))
      .limit(ENTRIES)
  }

  async function look(context: Context, entry: Unexplained): Promise<void> {
    const { blockNumber: head, afterBlock: from, safeAddress, amount } = entry
    const [row] = await db
      .select()
      .from(safe)
      .where(and(eq(safe.chainId, chainId), eq(safe.address, safeAddress)))
    if (!row || row.backfillBlock !== null || from === null || amount === null) return
    const quantity: Quantity = entry.kind === 'unexplained-nonce' ? 'nonce' : 'balance'
    const said = entry.kind === 'unexplained-out' ? -amount : amount
    const start = await readQuantity(context, row, quantity, from)
    const changes = await findChanges(db, row, quantity, from)
    changes.push({ block: head, change: -said })
    const expected = (block: number) =>
      start + changes.reduce((sum, change) => (change.block <= block ? sum + change.change : sum), 0n)
    const end = await readQuantity(context, row, quantity, head)
    const causes: Causes = { entries: [], executions: [] }
    const times = new Map<number, Date>([[head, entry.blockTime]])
    const seen = new Map<number, `0x${string}`>()
    while (expected(head) !== end && seen.size < BLOCKS) {
      const { after, block } = await findBlock(context, row, { quantity, from, head, expected })
      if (after !== block - 1 || seen.has(block)) break
      const transactions = await readTransactions(chain.request, block)
      seen.set(block, transactions.hash)
      times.set(block, blockTime(transactions.timestamp))
      const { entries, executions } = await findCauses(context, row, quantity, transactions)
      if (entries.length === 0) break
      causes.entries.push(...entries)
      causes.executions.push(...executions)
      changes.push({ block, change: changeOf(quantity, entries) })
    }
    const rest = end - expected(head)
    if (rest === said) return
    if (rest !== 0n) causes.entries.push(unexplained(row, quantity, { after: from, block: head, change: rest }))
    await lease.write(async (tx, log) => {
      for (const [block, hash] of seen) {
        const kept = await findHeader(tx, chainId, block)
        if (kept !== null && kept !== hash) throw changed(block)
      }
      const { logIndex, part } = historyEntry
      await tx
        .delete(historyEntry)
        .where(
          and(
            eq(historyEntry.chainId, chainId),
            eq(historyEntry.safeAddress, safeAddress),
            eq(historyEntry.blockNumber, head),
            eq(logIndex, entry.logIndex),
            eq(part, entry.part),
          ),
        )
      await applyFacts(tx, log, { chainId, ...causes, times, headers: [], ofNamedTokens: null })
      log.notify({ kind: 'safe', chainId, safeAddress })
    })
  }
}

/** By how much causes change the quantity. */
function changeOf(quantity: Quantity, entries: Causes['entries']): Change['change'] {
  let sum = 0n
  for (const { kind, tokenKind, amount = 0n } of entries)
    if (quantity === 'nonce') sum += kind === 'executed' ? 1n : 0n
    else if (tokenKind === 'native') sum += kind === 'transfer-in' ? amount : -amount
  return sum
}
