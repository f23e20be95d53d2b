import { fail } from '@countersign/contract'
import type { Address } from 'viem'
import type { Deps } from '../context.ts'
import type { Executor } from '../db/client.ts'
import { transaction } from '../db/transaction.ts'
import { chainOf } from '../rpc/clients.ts'
import type { SafeReading } from '../rpc/state-reader.ts'
import { countNewSafe } from '../safes/allowed.ts'
import { isUnchanged, type SavedFacts, saveSafe } from '../safes/save-safe.ts'
import { appending, type Log, newLog } from './append.ts'

/** The Safe of a write, as it was just read from the chain, and as it is stored where that is known. */
export type ReadSafe = {
  state: SafeReading
  saved?: SavedFacts
  /** The account that brings a Safe that may be new here; a verb without one needs a Safe that is stored. */
  addedBy?: Address
}

/**
 * Runs a verb in one database transaction: stores the Safe as it was just read, runs the verb, appends its account to
 * the activity log, and notifies the live streams. A failure undoes all of it.
 *
 * @param read the Safe that the verb has read from the chain; null: it has read none
 */
export function write<result>(
  ctx: Pick<Deps, 'db' | 'clock' | 'chains' | 'access' | 'hasRateLimits'>,
  read: ReadSafe | null,
  verb: (tx: Executor, log: Log) => Promise<result>,
): Promise<result> {
  return writeLogged(ctx, async (tx, log) => {
    if (read && !(read.saved && isUnchanged(read.saved, read.state))) await store(ctx, tx, log, read)
    return verb(tx, log)
  })
}

/** Runs a write that is no verb: of the follower, and of cleaning up. */
export function writeLogged<result>(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  work: (tx: Executor, log: Log) => Promise<result>,
): Promise<result> {
  const draft = newLog(clock())
  return transaction(
    db,
    (tx) => work(tx, draft.log),
    () => appending(draft),
  )
}

/** The Safe comes before everything else that a verb locks, so that two writes never wait for one another. */
async function store(
  ctx: Pick<Deps, 'chains' | 'access' | 'hasRateLimits'>,
  tx: Executor,
  log: Log,
  { state, addedBy }: ReadSafe,
): Promise<void> {
  const { chainId, address: safeAddress } = state
  // A Safe that is not there yet has no history but what it receives from now on.
  const isDeployed = state.creation === undefined
  const backfillBlock = isDeployed ? (chainOf(ctx.chains, chainId).settings.startBlock ?? 0) : Number(state.blockNumber)
  const outcome = await saveSafe(tx, state, { now: log.now, backfillBlock })
  if (outcome === 'new') {
    if (!addedBy) throw fail('SAFE_NOT_FOUND', { chainId, address: safeAddress })
    await countNewSafe(ctx, tx, { chainId, address: safeAddress, account: addedBy, now: log.now })
  }
  log.isNewSafe = outcome === 'new'
  if (outcome !== 'same') log.notify({ kind: 'safe', chainId, safeAddress })
}
