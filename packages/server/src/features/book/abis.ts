import type { GivenAbiEntry, giveAbi as giveEndpoint, Input, removeAbi as removeEndpoint } from '@countersign/contract'
import { CountersignError, readAbi } from '@countersign/safe-core'
import { and, count, eq, ne, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { oneAtATime } from '../../db/one-at-a-time.ts'
import { givenAbi as table } from '../../db/team-schema.ts'
import { recordForTeam } from '../activity/record.ts'
import { requireContributor } from '../safes/access.ts'
import { isForTeam } from '../safes/roles.ts'
import { tooMany } from './bounds.ts'

const MAX_ABIS = 100

/** ABIs that the team gave, by name, for the team. */
export async function findAbis(
  ctx: SignedInCtx,
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
): Promise<GivenAbiEntry[]> {
  const rows = await ctx.db
    .select({ contract: table.contract, name: table.name, abi: table.abi, author: table.author, at: table.updatedAt })
    .from(table)
    .where(and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), isForTeam(ctx, table)))
    .orderBy(table.name, table.contract)
  return rows.map(({ at, ...row }) => ({ ...row, updatedAt: at.toISOString() }))
}

/**
 * Keeps an ABI for a contract. Nothing is believed because of it: the page names it as the team's own wherever it uses it.
 *
 * @throws CountersignError `ABI_MALFORMED`.
 */
export async function giveAbi(
  ctx: SignedInCtx,
  { chainId, safeAddress, contract, name, abi }: Input<typeof giveEndpoint>,
): Promise<GivenAbiEntry> {
  await requireContributor(ctx, chainId, safeAddress)
  readAbi(parseJson(abi))
  const author = ctx.viewer.address
  const now = ctx.clock()
  return ctx.db.transaction(async (tx) => {
    await oneAtATime(tx, `abis ${chainId} ${safeAddress}`)
    const isOther = and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), ne(table.contract, contract))
    const [others] = await tx.select({ count: count() }).from(table).where(isOther)
    if ((others?.count ?? 0) >= MAX_ABIS) throw tooMany('ABIs for this Safe', MAX_ABIS)
    const changed = await tx
      .insert(table)
      .values({ chainId, safeAddress, contract, name, abi, author, updatedAt: now })
      .onConflictDoUpdate({
        target: [table.chainId, table.safeAddress, table.contract],
        set: { name, abi, author, updatedAt: now },
        setWhere: sql`(${table.name}, ${table.abi}) <> (${name}, ${abi})`,
      })
      .returning({ contract: table.contract })
    if (changed.length > 0) {
      const detail = { contract, name }
      await recordForTeam(tx, { at: now, account: author, verb: 'gave-abi', chainId, safeAddress, detail })
    }
    const [stored] = await tx
      .select({ author: table.author, updatedAt: table.updatedAt })
      .from(table)
      .where(and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), eq(table.contract, contract)))
    return {
      contract,
      name,
      abi,
      author: stored?.author ?? author,
      updatedAt: (stored?.updatedAt ?? now).toISOString(),
    }
  })
}

/** Removes an ABI. */
export async function removeAbi(
  ctx: SignedInCtx,
  { chainId, safeAddress, contract }: Input<typeof removeEndpoint>,
): Promise<undefined> {
  await requireContributor(ctx, chainId, safeAddress)
  const account = ctx.viewer.address
  await ctx.db.transaction(async (tx) => {
    const [removed] = await tx
      .delete(table)
      .where(and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), eq(table.contract, contract)))
      .returning({ name: table.name })
    if (!removed) return
    const detail = { contract, name: removed.name }
    await recordForTeam(tx, { at: ctx.clock(), account, verb: 'removed-abi', chainId, safeAddress, detail })
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CountersignError('ABI_MALFORMED', 'The ABI cannot be read: it is not JSON.')
  }
}
