import {
  type addAbi as addEndpoint,
  fail,
  type Input,
  type removeAbi as removeEndpoint,
  type TeamAbiEntry,
} from '@countersign/contract'
import { hashAbi } from '@countersign/review'
import type { CountersignError } from '@countersign/safe'
import { parseGivenAbiJson } from '@countersign/safe/calls'
import { and, count, eq, ne, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { decodeKeyset, encodeKeyset } from '../../db/keyset.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { fitsPage, shownOf } from '../../db/page-bytes.ts'
import { teamAbi as table } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { requireMayRemove, requireOwnerOrProposer } from '../../safes/access.ts'
import { isMemberOf } from '../../safes/roles.ts'
import { assertSigned } from '../../signatures/assert-signed.ts'
import { type Bounds, tooMany } from './bounds.ts'

const MAX_ABIS: Bounds = { owner: 100, proposer: 10 }
const MAX_ABI_BYTES: Bounds = { owner: 4_194_304, proposer: 524_288 }

const DEFAULT_LIMIT = 50
const keyset = [/^[01]$/, /^[0-9a-f]{40}$/, /^[0-9a-f]{40}$/]

/** ABIs that people of the team gave, for the team: first those of who asks, which alone count in a review. */
export async function findAbis(
  ctx: SignedInCtx,
  {
    chainId,
    safeAddress,
    cursor,
    limit = DEFAULT_LIMIT,
  }: { chainId: number; safeAddress: Address; cursor?: string | undefined; limit?: number | undefined },
): Promise<{ abis: TeamAbiEntry[]; nextCursor: string | null }> {
  const [isOther, contract, author] = decodeKeyset(cursor, keyset)
  const { address: viewer } = ctx.viewer
  const isOfOther = ne(table.author, viewer)
  const after = sql`(${isOfOther}, ${table.contract}, ${table.author})
    > (${isOther === '1'}, decode(${contract}, 'hex'), decode(${author}, 'hex'))`
  const order = [sql`${isOfOther}`, sql`${table.contract}`, sql`${table.author}`]
  const fits = fitsPage(sql`octet_length(${table.abi})`, order)
  const rows = await ctx.db
    .select({
      contract: table.contract,
      name: table.name,
      author: table.author,
      at: table.updatedAt,
      fits,
      signature: table.signature,
      abi: sql<string>`case when ${fits} then ${table.abi} end`,
    })
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
    .limit(limit + 1)
  const shown = shownOf(rows, limit)
  const last = rows.length > shown ? rows[shown - 1] : undefined
  return {
    abis: rows.slice(0, shown).map(({ at, fits: _, ...row }) => ({ ...row, updatedAt: at.toISOString() })),
    nextCursor: last ? encodeKeyset([last.author === viewer ? 0 : 1, hexOf(last.contract), hexOf(last.author)]) : null,
  }
}

/** As a cursor has it. */
export function hexOf(address: Address): string {
  return address.slice(2).toLowerCase()
}

/**
 * Keeps the account's ABI for a contract, and touches nobody else's. Whose ABI counts for whom the page decides, by the
 * signatures: one that was given for the same text before stays.
 *
 * @throws CountersignError `ABI_MALFORMED`, `SIGNATURE_INVALID`, `CHAIN_UNREACHABLE`.
 */
export async function addAbi(
  ctx: SignedInCtx,
  { chainId, safeAddress, contract, name, abi, signature }: Input<typeof addEndpoint>,
): Promise<TeamAbiEntry> {
  const role = await requireOwnerOrProposer(ctx, chainId, safeAddress)
  parseGivenAbiJson(abi)
  if (signature !== undefined)
    await assertSigned(ctx, { chainId, hash: hashAbi({ chainId, safeAddress, contract, abi }), signature })
  const author = ctx.viewer.address
  const now = ctx.clock()
  const ofAuthor = and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), eq(table.author, author))
  return write(ctx, null, async (tx, log) => {
    await lockUntilCommit(tx, `abis ${chainId} ${safeAddress} ${author}`)
    const [others] = await tx
      .select({ count: count(), bytes: sql`coalesce(sum(octet_length(${table.abi})), 0)`.mapWith(Number) })
      .from(table)
      .where(and(ofAuthor, ne(table.contract, contract)))
    if ((others?.count ?? 0) >= MAX_ABIS[role]) throw tooMany('abis', MAX_ABIS[role])
    if ((others?.bytes ?? 0) + Buffer.byteLength(abi) > MAX_ABI_BYTES[role]) throw tooLarge(MAX_ABI_BYTES[role])
    // The first writer stays the first, though they sign it later.
    const isSame = sql`(${table.name}, ${table.abi}) = (excluded.name, excluded.abi)`
    const changedAt = sql`case when ${isSame} then ${table.updatedAt} else excluded.updated_at end`
    const kept = sql`coalesce(excluded.signature, case when ${table.abi} = excluded.abi then ${table.signature} end)`
    const changed = await tx
      .insert(table)
      .values({ chainId, safeAddress, contract, name, abi, author, signature: signature ?? null, updatedAt: now })
      .onConflictDoUpdate({
        target: [table.chainId, table.safeAddress, table.contract, table.author],
        set: { name, abi, signature: kept, updatedAt: changedAt },
        setWhere: sql`(${table.name}, ${table.abi}, ${table.signature}) is distinct from (${name}, ${abi}, ${kept})`,
      })
      .returning({ contract: table.contract })
    if (changed.length > 0) {
      const [same] = await tx
        .select({ author: table.author })
        .from(table)
        .where(
          and(
            eq(table.chainId, chainId),
            eq(table.safeAddress, safeAddress),
            eq(table.contract, contract),
            eq(table.abi, abi),
            ne(table.author, author),
          ),
        )
        .limit(1)
      const verb = role === 'owner' && same !== undefined ? 'endorsed-abi' : 'gave-abi'
      log.add({ verb, account: author, chainId, safeAddress, detail: { contract, name } })
    }
    const [stored] = await tx
      .select({ updatedAt: table.updatedAt, signature: table.signature })
      .from(table)
      .where(and(ofAuthor, eq(table.contract, contract)))
    const updatedAt = (stored?.updatedAt ?? now).toISOString()
    return { contract, name, abi, author, signature: stored?.signature ?? null, updatedAt }
  })
}

/** Removes an ABI. */
export async function removeAbi(
  ctx: SignedInCtx,
  { chainId, safeAddress, contract, author }: Input<typeof removeEndpoint>,
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
          eq(table.contract, contract),
          eq(table.author, author),
        ),
      )
      .returning({ name: table.name })
    if (!removed) return
    const detail = { contract, name: removed.name, author }
    log.add({ verb: 'removed-abi', account, chainId, safeAddress, detail })
  })
}

function tooLarge(limit: number): CountersignError {
  return fail('TOO_MANY', { reason: 'abi-bytes', limit })
}
