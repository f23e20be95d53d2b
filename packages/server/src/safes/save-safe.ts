import type { SafeOrigin } from '@countersign/contract'
import { domainVersion, type SafeState } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import { getAddress } from 'viem'
import { builtOnce } from '../db/built-once.ts'
import type { Executor } from '../db/client.ts'
import { safe } from '../db/schema.ts'
import type { NewSafe } from '../indexer/read/creations.ts'
import type { SafeReading } from '../rpc/state-reader.ts'
import { hashAuthority } from '../warrants/authority.ts'
import { noteAuthority } from '../warrants/standing.ts'

const ROWS_PER_STATEMENT = 1_000

/**
 * Writes a Safe down as it was just read from the chain. An older reading never replaces a newer one, unless the chain
 * itself went back.
 *
 * @returns what it is beside what was stored
 */
export async function saveSafe(
  db: Executor,
  state: SafeReading,
  { now, backfillBlock, isRollback = false }: { now: Date; backfillBlock: number; isRollback?: boolean },
): Promise<'new' | 'changed' | 'same'> {
  const [stored] = await upsertSafe(db, isRollback ? 'save-safe-of-rollback' : 'save-safe').execute({
    chainId: state.chainId,
    address: state.address,
    owners: state.owners,
    threshold: state.threshold,
    nonce: state.nonce,
    version: state.version,
    domainVersion: domainVersion(state),
    isDeployed: state.creation === undefined,
    blockNumber: Number(state.blockNumber),
    blockHash: state.blockHash,
    backfillBlock,
    addedAt: now,
  })
  const { chainId, address: safeAddress } = state
  const seen = { chainId, safeAddress, authority: hashAuthority(state), blockNumber: Number(state.blockNumber) }
  await noteAuthority(db, seen, { now, isRollback })
  return stored ? (stored.isNew ? 'new' : 'changed') : 'same'
}

const upsertSafe = builtOnce((db, form: 'save-safe' | 'save-safe-of-rollback') =>
  db
    .insert(safe)
    .values({
      chainId: sql.placeholder('chainId'),
      address: sql.placeholder('address'),
      owners: sql.placeholder('owners'),
      threshold: sql.placeholder('threshold'),
      nonce: sql.placeholder('nonce'),
      version: sql.placeholder('version'),
      domainVersion: sql.placeholder('domainVersion'),
      isDeployed: sql.placeholder('isDeployed'),
      blockNumber: sql.placeholder('blockNumber'),
      blockHash: sql.placeholder('blockHash'),
      backfillBlock: sql.placeholder('backfillBlock'),
      addedAt: sql.placeholder('addedAt'),
    })
    .onConflictDoUpdate({
      target: [safe.chainId, safe.address],
      set: {
        owners: sql`excluded.owners`,
        threshold: sql`excluded.threshold`,
        nonce: sql`excluded.nonce`,
        version: sql`excluded.version`,
        domainVersion: sql`excluded.domain_version`,
        isDeployed: sql`excluded.is_deployed`,
        blockNumber: sql`excluded.block_number`,
        blockHash: sql`excluded.block_hash`,
      },
      setWhere: sql`${form === 'save-safe' ? sql`${safe.blockNumber} <= excluded.block_number` : sql`true`}
        and (${safe.owners}, ${safe.threshold}, ${safe.nonce}, ${safe.version}, ${safe.domainVersion}, ${safe.isDeployed})
          is distinct from (excluded.owners, excluded.threshold, excluded.nonce, excluded.version,
            excluded.domain_version, excluded.is_deployed)`,
    })
    // A row that was just inserted was never updated or locked.
    .returning({ isNew: sql<boolean>`xmax = 0` })
    .prepare(form),
)

export type SavedFacts = Pick<
  typeof safe.$inferSelect,
  'owners' | 'threshold' | 'nonce' | 'version' | 'domainVersion' | 'isDeployed'
>

/** Whether a Safe is written down as it was just read: then there is nothing to save, and nobody to wait for. */
export function isUnchanged(saved: SavedFacts, state: SafeState): boolean {
  return (
    saved.threshold === state.threshold &&
    saved.nonce === state.nonce &&
    saved.version === state.version &&
    saved.domainVersion === domainVersion(state) &&
    saved.isDeployed === (state.creation === undefined) &&
    saved.owners.length === state.owners.length &&
    saved.owners.every((owner, at) => owner === state.owners[at])
  )
}

/**
 * Keeps Safes that were found on the chain. Their owners are what the Safe answers, never what a log says, so until they
 * are read they are in nobody's list.
 */
export async function saveFound(
  db: Executor,
  chainId: number,
  found: readonly (NewSafe & { backfillBlock: number | null; origin: SafeOrigin | null })[],
  now: Date,
): Promise<void> {
  for (let from = 0; from < found.length; from += ROWS_PER_STATEMENT)
    await db
      .insert(safe)
      .values(
        found.slice(from, from + ROWS_PER_STATEMENT).map(({ address, version, ...rest }) => ({
          ...rest,
          chainId,
          address: getAddress(address),
          version,
          domainVersion: version,
          owners: [],
          nonce: 0n,
          blockNumber: 0,
          isStale: true,
          addedAt: now,
        })),
      )
      .onConflictDoNothing()
}
