import {
  type Alarm,
  type acknowledgeAlarm as acknowledgeEndpoint,
  fail,
  type Input,
  type listAlarms as listEndpoint,
  type Reply,
} from '@countersign/contract'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { zeroAddress } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import { toBytes } from '../../db/columns.ts'
import { safe } from '../../db/schema.ts'
import { refusedSignature as table } from '../../db/team-schema.ts'
import { write } from '../../outbox/write.ts'
import { requireOwner } from '../../safes/access.ts'
import { isOwner } from '../../safes/roles.ts'

const MAX_ALARMS = 200

/** Signatures that did not verify, for the owners. */
export async function listAlarms(
  ctx: SignedInCtx,
  { chainId, safeAddress }: Input<typeof listEndpoint>,
): Promise<Reply<typeof listEndpoint>> {
  await requireOwner(ctx, chainId, safeAddress)
  const place = sql.param(toBytes(safeAddress))
  const rows = await ctx.db
    .select()
    .from(table)
    .where(
      and(
        eq(table.chainId, chainId),
        eq(table.safeAddress, safeAddress),
        table.isAlarm,
        sql`exists (select from ${safe} where ${safe.chainId} = ${chainId} and ${safe.address} = ${place}
          and ${isOwner(ctx.viewer)})`,
      ),
    )
    .orderBy(sql`${table.acknowledgedAt} is not null`, desc(table.id))
    .limit(MAX_ALARMS)
  return { alarms: rows.map(toAlarm) }
}

/** Says that an alarm is understood. The first owner who says so is named. */
export async function acknowledgeAlarm(
  ctx: SignedInCtx,
  { chainId, safeAddress, alarmId }: Input<typeof acknowledgeEndpoint>,
): Promise<Alarm> {
  await requireOwner(ctx, chainId, safeAddress)
  const account = ctx.viewer.address
  const byKey = and(
    eq(table.id, BigInt(alarmId)),
    eq(table.chainId, chainId),
    eq(table.safeAddress, safeAddress),
    table.isAlarm,
  )
  return write(ctx, null, async (tx, log) => {
    const changed = await tx
      .update(table)
      .set({ acknowledgedBy: account, acknowledgedAt: log.now })
      .where(and(byKey, isNull(table.acknowledgedAt)))
      .returning()
    const [row] = changed.length > 0 ? changed : await tx.select().from(table).where(byKey)
    if (!row) throw fail('ALARM_NOT_FOUND', { alarmId, safeAddress })
    if (changed.length > 0) {
      const about = { chainId, safeAddress, safeTxHash: row.signedHash }
      log.add({ verb: 'acknowledged-alarm', account, ...about, detail: { alarmId } })
    }
    return toAlarm(row)
  })
}

function toAlarm(row: typeof table.$inferSelect): Alarm {
  const { id, at, signedHash, signature, submittedBy, signer, otherSafeTxHash, code, acknowledgedBy } = row
  return {
    id: id.toString(),
    at: at.toISOString(),
    submittedBy: submittedBy === zeroAddress ? null : submittedBy,
    acknowledgedAt: row.acknowledgedAt?.toISOString() ?? null,
    signedHash,
    signature,
    signer,
    otherSafeTxHash,
    code,
    acknowledgedBy,
  }
}
