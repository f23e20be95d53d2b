import { createHash, createHmac } from 'node:crypto'
import type { ActivityVerb, WebhookEvent } from '@countersign/contract'
import type { LogEntry } from '../../outbox/reader.ts'

/** Webhook events by the verb of the log; verbs that are not listed reach no webhook. */
const events: Partial<Record<ActivityVerb, WebhookEvent>> = {
  proposed: 'proposed',
  executed: 'executed',
  reverted: 'executed',
  deleted: 'deleted',
  'changed-settings': 'settings-changed',
  'reverted-settings': 'settings-changed',
  'refused-signature': 'signature-refused',
  'proposed-message': 'message',
  'confirmed-message': 'message',
  'deleted-message': 'message',
}

/** The events that an entry of the log is; none: it is for no webhook. */
export function eventsOf({ verb, detail }: Pick<LogEntry, 'verb' | 'detail'>): WebhookEvent[] {
  const event = events[verb]
  const own = event ? [event] : []
  if (verb !== 'proposed' && verb !== 'confirmed') return own
  const confirmations = Number(detail?.confirmations)
  const required = Number(detail?.confirmationsRequired)
  if (confirmations < required) return [...own, 'confirmation-needed']
  // Those after the last one that was required make nothing ready that was not.
  return confirmations === required || verb === 'proposed' ? [...own, 'ready'] : own
}

/** Writes the body of a delivery: ids, and the entry of the log. */
export function bodyOf({ id, at, account, verb, chainId, safeAddress, safeTxHash, detail, hash }: LogEntry): string {
  return JSON.stringify({
    type: verb,
    timestamp: at.toISOString(),
    data: {
      events: eventsOf({ verb, detail }),
      chainId,
      safeAddress,
      safeTxHash,
      account,
      detail,
      entry: { id: id.toString(), hash },
    },
  })
}

/** Gives the identity of a message, equal for an entry and a webhook in every attempt. */
export function messageIdOf(webhookId: string, { hash, id }: Pick<LogEntry, 'hash' | 'id'>): string {
  const digest = createHash('sha256')
    .update(`${webhookId} ${hash ?? id}`)
    .digest('hex')
  return `msg_${digest.slice(0, 32)}`
}

/** Headers of Standard Webhooks 1.0: HMAC-SHA256 over id, time and body. */
export function headersOf(
  { messageId, body, secret }: { messageId: string; body: string; secret: Buffer },
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signature = createHmac('sha256', secret).update(`${messageId}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'Countersign',
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
