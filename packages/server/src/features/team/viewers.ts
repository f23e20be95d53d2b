import { fail, type Input, type inviteViewer as inviteEndpoint, type ViewerEntry } from '@countersign/contract'
import { and, asc, eq } from 'drizzle-orm'
import type { Address } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { safe } from '../../db/schema.ts'
import { viewer as table } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { chainOf } from '../../rpc/clients.ts'
import { notAnOwner, requireListedSafe, requireSharedSafe } from '../../safes/access.ts'
import { isInvitationInForce, isMember } from '../../safes/roles.ts'
import { tooMany } from '../book/bounds.ts'

/** Viewers of one Safe. */
const MAX_VIEWERS = 100

type Place = { chainId: number; safeAddress: Address }

/** Lists the accounts invited by present owners; one row for each account. */
export async function listViewers(
  ctx: SignedInCtx,
  { chainId, safeAddress }: Place,
): Promise<{ viewers: ViewerEntry[] }> {
  await requireSharedSafe(ctx, chainId, safeAddress)
  const rows = await ctx.db
    .selectDistinctOn([table.account], {
      account: table.account,
      label: table.label,
      invitedBy: table.invitedBy,
      createdAt: table.createdAt,
    })
    .from(table)
    .innerJoin(safe, isInvitationInForce())
    .where(and(eq(safe.chainId, chainId), eq(safe.address, safeAddress), isMember(ctx.viewer, ctx.clock())))
    .orderBy(asc(table.account), asc(table.createdAt))
  return { viewers: rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() })) }
}

/** Lets an account see what the team sees. Who invites is an owner on the chain now. Again: another label. */
export async function inviteViewer(
  ctx: SignedInCtx,
  { chainId, safeAddress, account, label }: Input<typeof inviteEndpoint>,
): Promise<ViewerEntry> {
  await requireListedSafe(ctx, chainId, safeAddress)
  const chain = chainOf(ctx.chains, chainId)
  const { address: invitedBy, warrantId } = ctx.viewer
  const state = await chain.readSafe(safeAddress)
  if (!state.owners.includes(invitedBy)) throw notAnOwner(invitedBy, safeAddress)
  return write(ctx, { state }, async (tx, log) => {
    await lockUntilCommit(tx, `viewer ${chainId} ${safeAddress}`)
    const isOfSafe = and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress))
    const isSame = and(isOfSafe, eq(table.account, account), eq(table.invitedBy, invitedBy))
    const [known] = await tx.select().from(table).where(isSame)
    if (!known && (await tx.$count(table, isOfSafe)) >= MAX_VIEWERS) throw tooMany('viewers', MAX_VIEWERS)
    const createdAt = known?.createdAt ?? log.now
    if (known?.label !== label || known.warrantId !== warrantId) {
      await tx
        .insert(table)
        .values({ chainId, safeAddress, account, invitedBy, label, createdAt, warrantId })
        .onConflictDoUpdate({
          target: [table.chainId, table.safeAddress, table.account, table.invitedBy],
          set: { label, warrantId },
        })
      const detail = { account, label }
      log.add({ verb: 'invited-viewer', account: invitedBy, chainId, safeAddress, detail })
    }
    return { account, label, invitedBy, createdAt: createdAt.toISOString() }
  })
}

/**
 * Takes an invitation back, whoever gave it: any owner may, and the viewer may leave.
 *
 * @throws CountersignError `SAFE_NOT_FOUND`, `NOT_AN_OWNER`, `VIEWER_NOT_FOUND`.
 */
export async function removeViewer(
  ctx: SignedInCtx,
  { chainId, safeAddress, account }: Place & { account: Address },
): Promise<undefined> {
  const by = ctx.viewer.address
  const { role } = await requireListedSafe(ctx, chainId, safeAddress)
  if (role !== 'owner' && by !== account) throw notAnOwner(by, safeAddress)
  await write(ctx, null, async (tx, log) => {
    const removed = await tx
      .delete(table)
      .where(and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress), eq(table.account, account)))
      .returning({ label: table.label })
    const [first] = removed
    if (!first) throw fail('VIEWER_NOT_FOUND', { account, safeAddress })
    const detail = { account, label: first.label }
    log.add({ verb: 'removed-viewer', account: by, chainId, safeAddress, detail })
  })
}
