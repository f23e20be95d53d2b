import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { safe } from '../../db/schema.ts'
import { webhook, webhookDelivery } from '../../db/team-schema.ts'
import type { Log } from '../../outbox/append.ts'
import type { LogEntry } from '../../outbox/reader.ts'
import { isWebhookInForce } from '../../safes/roles.ts'
import { disable } from './disable.ts'
import { bodyOf, eventsOf, messageIdOf } from './messages.ts'

/** Waiting deliveries of one webhook, after which an absent receiver gets no more. */
const MAX_WAITING = 1_000

/**
 * Files a delivery for each webhook that is to hear of an entry, in the order of the log.
 *
 * @returns whether there is one to send
 */
export async function fileDeliveries(tx: Executor, entries: readonly LogEntry[], log: Log): Promise<boolean> {
  const relevant = entries.filter((entry) => entry.safeAddress !== null && eventsOf(entry).length > 0)
  if (relevant.length === 0) return false
  const places = new Map(
    relevant.map(({ chainId, safeAddress }) => [`${chainId} ${safeAddress}`, { chainId, safeAddress }]),
  )
  const hooks = await tx
    .select({ id: webhook.id, chainId: webhook.chainId, safeAddress: webhook.safeAddress, events: webhook.events })
    .from(webhook)
    .innerJoin(safe, isWebhookInForce())
    .where(
      and(
        isNull(webhook.disabledAt),
        or(
          ...[...places.values()].map(({ chainId, safeAddress }) =>
            and(eq(webhook.chainId, chainId), safeAddress ? eq(webhook.safeAddress, safeAddress) : sql`false`),
          ),
        ),
      ),
    )
  const filed = relevant.flatMap((entry) => hooks.filter((hook) => isFor(hook, entry)).map((hook) => ({ hook, entry })))
  if (filed.length === 0) return false
  await tx
    .insert(webhookDelivery)
    .values(
      filed.map(({ hook, entry }) => ({
        webhookId: hook.id,
        messageId: messageIdOf(hook.id, entry),
        type: entry.verb,
        body: bodyOf(entry),
        createdAt: log.now,
        dueAt: log.now,
      })),
    )
    .onConflictDoNothing()
  for (const hook of hooks) {
    const isWaiting = and(eq(webhookDelivery.webhookId, hook.id), sql`${webhookDelivery.dueAt} is not null`)
    if ((await tx.$count(webhookDelivery, isWaiting)) > MAX_WAITING) await disable(tx, log, hook.id)
  }
  return true
}

type Hook = Pick<typeof webhook.$inferSelect, 'chainId' | 'safeAddress' | 'events'>

function isFor({ chainId, safeAddress, events }: Hook, entry: LogEntry): boolean {
  if (chainId !== entry.chainId || safeAddress !== entry.safeAddress) return false
  return eventsOf(entry).some((event) => events.includes(event))
}
