import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { webhook, webhookDelivery } from '../../db/team-schema.ts'
import type { Log } from '../../outbox/append.ts'

/** Disables a webhook whose receiver failed too often, gives up what waits for it, and says so in the log. */
export async function disable(tx: Executor, log: Log, id: string): Promise<void> {
  const [disabled] = await tx
    .update(webhook)
    .set({ disabledAt: log.now })
    .where(and(eq(webhook.id, id), isNull(webhook.disabledAt)))
    .returning()
  if (!disabled) return
  await tx
    .update(webhookDelivery)
    .set({ dueAt: null, failure: 'stopped' })
    .where(and(eq(webhookDelivery.webhookId, id), isNotNull(webhookDelivery.dueAt)))
  const { chainId, safeAddress, url, account } = disabled
  const detail = { host: new URL(url).host, account }
  log.add({ verb: 'disabled-webhook', account: null, chainId, safeAddress, detail })
}
