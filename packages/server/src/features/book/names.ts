import type {
  Input,
  NamedAddress,
  nameAddress as nameEndpoint,
  removeName as removeEndpoint,
} from '@countersign/contract'
import { and, count, eq, ne } from 'drizzle-orm'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { oneAtATime } from '../../db/one-at-a-time.ts'
import { addressBookEntry as table } from '../../db/team-schema.ts'
import { recordForTeam } from '../activity/record.ts'
import { requireContributor } from '../safes/access.ts'
import { isForTeam } from '../safes/roles.ts'
import { tooMany } from './bounds.ts'

const MAX_NAMES = 2_000

type Place = { chainId: number; safeAddress: Address }

/** The address book, by name: the team's, for the team. */
export async function findNames(ctx: SignedInCtx, { chainId, safeAddress }: Place): Promise<NamedAddress[]> {
  const rows = await ctx.db
    .select({ address: table.address, name: table.name, author: table.author, updatedAt: table.updatedAt })
    .from(table)
    .where(and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), isForTeam(ctx, table)))
    .orderBy(table.name, table.address)
  return rows.map(({ updatedAt, ...row }) => ({ ...row, updatedAt: updatedAt.toISOString() }))
}

/** Names an address for the team; the same name again changes nothing. */
export async function nameAddress(
  ctx: SignedInCtx,
  { chainId, safeAddress, address, name }: Input<typeof nameEndpoint>,
): Promise<NamedAddress> {
  await requireContributor(ctx, chainId, safeAddress)
  const author = ctx.viewer.address
  const now = ctx.clock()
  return ctx.db.transaction(async (tx) => {
    await oneAtATime(tx, `names ${chainId} ${safeAddress}`)
    const isOther = and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), ne(table.address, address))
    const [others] = await tx.select({ count: count() }).from(table).where(isOther)
    if ((others?.count ?? 0) >= MAX_NAMES) throw tooMany('names in the address book of this Safe', MAX_NAMES)
    const changed = await tx
      .insert(table)
      .values({ chainId, safeAddress, address, name, author, updatedAt: now })
      .onConflictDoUpdate({
        target: [table.chainId, table.safeAddress, table.address],
        set: { name, author, updatedAt: now },
        setWhere: ne(table.name, name),
      })
      .returning({ address: table.address })
    if (changed.length > 0) {
      const detail = { address, name }
      await recordForTeam(tx, { at: now, account: author, verb: 'named-address', chainId, safeAddress, detail })
    }
    const [stored] = await tx
      .select({ author: table.author, updatedAt: table.updatedAt })
      .from(table)
      .where(and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), eq(table.address, address)))
    return { address, name, author: stored?.author ?? author, updatedAt: (stored?.updatedAt ?? now).toISOString() }
  })
}

/** Removes a name; the activity log keeps what it was. */
export async function removeName(
  ctx: SignedInCtx,
  { chainId, safeAddress, address }: Input<typeof removeEndpoint>,
): Promise<undefined> {
  await requireContributor(ctx, chainId, safeAddress)
  const account = ctx.viewer.address
  await ctx.db.transaction(async (tx) => {
    const [removed] = await tx
      .delete(table)
      .where(and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), eq(table.address, address)))
      .returning({ name: table.name })
    if (!removed) return
    const detail = { address, name: removed.name }
    await recordForTeam(tx, { at: ctx.clock(), account, verb: 'removed-name', chainId, safeAddress, detail })
  })
}
