import {
  type Input,
  type listNames as listEndpoint,
  MAX_SIGNED_NAMES,
  type NamedAddress,
  type nameAddress as nameEndpoint,
  type Reply,
  type removeName as removeEndpoint,
} from '@countersign/contract'
import { hashName } from '@countersign/review'
import { and, asc, count, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { safe } from '../../db/schema.ts'
import { addressBookEntry as table } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { requireMayRemove, requireOwnerOrProposer } from '../../safes/access.ts'
import { isMemberOf } from '../../safes/roles.ts'
import { assertSigned } from '../../signatures/assert-signed.ts'
import { hexOf } from './abis.ts'
import { type Bounds, tooMany } from './bounds.ts'

const MAX_NAMES: Bounds = { owner: 2_000, proposer: 200 }
/** Entries of a page, even of the shortest names. */
const MAX_PAGE = 5_000
/** Bytes of an entry, apart from the name. */
const NAME_BYTES = 200

type Place = { chainId: number; safeAddress: Address }

const keyset = [/^[0-9a-f]{40}$/, /^[0-9a-f]{40}$/]

/** The address book for the team: what each account calls an address. */
export async function findNames(
  ctx: SignedInCtx,
  { chainId, safeAddress, cursor }: Place & { cursor?: string | undefined },
): Promise<Reply<typeof listEndpoint>> {
  const [address, author] = decodeKeyset(cursor, keyset)
  const after = sql`(${table.address}, ${table.author}) > (decode(${address}, 'hex'), decode(${author}, 'hex'))`
  // As the index has it: of a page nothing is sorted.
  const order = [sql`${table.address}`, sql`${table.author}`]
  // A signature is written in hexadecimal digits.
  const signed = sql`2 * coalesce(octet_length(${table.signature}), 0)`
  const fits = fitsPage(sql`octet_length(${table.name}) + ${signed} + ${sql.raw(String(NAME_BYTES))}`, order)
  const { address: named, name, author: by, signature, updatedAt } = table
  const rows = await ctx.db
    .select({ address: named, name, author: by, signature, updatedAt, fits })
    .from(table)
    .where(
      and(
        eq(table.chainId, chainId),
        eq(table.safeAddress, safeAddress),
        isMemberOf(ctx, table),
        cursor ? after : undefined,
      ),
    )
    .orderBy(...order)
    .limit(MAX_PAGE + 1)
  const shown = shownOf(rows, MAX_PAGE)
  const last = rows.length > shown ? rows[shown - 1] : undefined
  return {
    names: rows
      .slice(0, shown)
      .map(({ updatedAt, fits: _, ...row }) => ({ ...row, updatedAt: updatedAt.toISOString() })),
    nextCursor: last ? encodeKeyset([hexOf(last.address), hexOf(last.author)]) : null,
  }
}

/** Finds the names that present owners give, for the team; of several names for one address the newest. */
export async function findNamesByOwners(
  ctx: SignedInCtx,
  { chainId, safeAddress }: Place,
): Promise<Map<Address, string>> {
  const rows = await ctx.db
    .select({ address: table.address, name: table.name })
    .from(table)
    .innerJoin(safe, and(eq(safe.chainId, table.chainId), eq(safe.address, table.safeAddress)))
    .where(
      and(
        eq(table.chainId, chainId),
        eq(table.safeAddress, safeAddress),
        sql`${table.author} = any(${safe.owners})`,
        isMemberOf(ctx, table),
      ),
    )
    .orderBy(asc(table.updatedAt))
  return new Map(rows.map(({ address, name }) => [address, name]))
}

/**
 * Writes down what the account calls an address. It replaces the account's own name for it, and nobody else's. An owner who
 * gives the name that somebody else gave endorses it; whose word counts for whom the page decides, by the signatures. One that
 * was given for the same name before stays.
 *
 * @throws CountersignError `SIGNATURE_INVALID`, `CHAIN_UNREACHABLE`, `TOO_MANY`.
 */
export async function nameAddress(
  ctx: SignedInCtx,
  { chainId, safeAddress, address, name, signature }: Input<typeof nameEndpoint>,
): Promise<NamedAddress> {
  const role = await requireOwnerOrProposer(ctx, chainId, safeAddress)
  if (signature !== undefined)
    await assertSigned(ctx, { chainId, hash: hashName({ chainId, safeAddress, address, name }), signature })
  const limit = MAX_NAMES[role]
  const author = ctx.viewer.address
  const now = ctx.clock()
  const ofAuthor = and(isOf({ chainId, safeAddress }), eq(table.author, author))
  return write(ctx, null, async (tx, log) => {
    await lockUntilCommit(tx, `names ${chainId} ${safeAddress} ${author}`)
    const [others] = await tx
      .select({ count: count(), signed: count(table.signature) })
      .from(table)
      .where(and(ofAuthor, ne(table.address, address)))
    if ((others?.count ?? 0) >= limit) throw tooMany('names', limit)
    if (signature !== undefined && (others?.signed ?? 0) >= MAX_SIGNED_NAMES)
      throw tooMany('signed-names', MAX_SIGNED_NAMES)
    // The first writer stays the first, though they sign it later.
    const isSame = sql`${table.name} = excluded.name`
    const kept = sql`coalesce(excluded.signature, case when ${isSame} then ${table.signature} end)`
    const changed = await tx
      .insert(table)
      .values({ chainId, safeAddress, address, name, author, signature: signature ?? null, updatedAt: now })
      .onConflictDoUpdate({
        target: [table.chainId, table.safeAddress, table.address, table.author],
        set: {
          name,
          signature: kept,
          updatedAt: sql`case when ${isSame} then ${table.updatedAt} else excluded.updated_at end`,
        },
        setWhere: sql`(${table.name}, ${table.signature}) is distinct from (excluded.name, ${kept})`,
      })
      .returning({ address: table.address })
    if (changed.length > 0) {
      const ofOthers = and(eq(table.address, address), eq(table.name, name), ne(table.author, author))
      const isEndorsed = role === 'owner' && (await isGiven(tx, and(isOf({ chainId, safeAddress }), ofOthers)))
      const verb = isEndorsed ? 'endorsed-name' : 'named-address'
      log.add({ verb, account: author, chainId, safeAddress, detail: { address, name } })
    }
    const [stored] = await tx
      .select({ updatedAt: table.updatedAt, signature: table.signature })
      .from(table)
      .where(and(ofAuthor, eq(table.address, address)))
    const updatedAt = (stored?.updatedAt ?? now).toISOString()
    return { address, name, author, signature: stored?.signature ?? null, updatedAt }
  })
}

function isOf({ chainId, safeAddress }: Place) {
  return and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress))
}

async function isGiven(tx: Pick<Executor, 'select'>, where: SQL | undefined): Promise<boolean> {
  const [given] = await tx.select({ author: table.author }).from(table).where(where).limit(1)
  return given !== undefined
}

/** Removes a name; the activity log keeps what it was. */
export async function removeName(
  ctx: SignedInCtx,
  { chainId, safeAddress, address, author }: Input<typeof removeEndpoint>,
): Promise<undefined> {
  await requireMayRemove(ctx, { chainId, safeAddress, author })
  const account = ctx.viewer.address
  await write(ctx, null, async (tx, log) => {
    const [removed] = await tx
      .delete(table)
      .where(
        and(
          eq(table.chainId, chainId),
          eq(table.safeAddress, safeAddress),
          eq(table.address, address),
          eq(table.author, author),
        ),
      )
      .returning({ name: table.name })
    if (!removed) return
    const detail = { address, name: removed.name, author }
    log.add({ verb: 'removed-name', account, chainId, safeAddress, detail })
  })
}
