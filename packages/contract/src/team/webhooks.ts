import * as z from 'zod/mini'
import { safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, time } from '../wire/primitives.ts'

/** Events that a webhook can receive. */
export const webhookEvents = [
  /** Somebody proposed a transaction. */
  'proposed',
  /** A transaction was proposed or confirmed, and more confirmations are required. */
  'confirmation-needed',
  /** It has as many as are required. */
  'ready',
  /** The chain executed it, or a reorganisation took that back. */
  'executed',
  'deleted',
  /** Owners, threshold, modules, guards, handler or singleton changed on the chain, or a reorganisation took that back. */
  'settings-changed',
  /** Somebody sent a signature that does not verify. */
  'signature-refused',
  /** A message was proposed, confirmed or deleted. */
  'message',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** Why an attempt failed. */
export const deliveryFailures = [
  /** The receiver answered with a status other than 2xx. */
  'status',
  'timeout',
  'unreachable',
  /** The name has an address that the operator does not allow, or none. */
  'address-refused',
  /** The certificate is not valid for the host. */
  'certificate',
  /** The creator is no owner any more, or the webhook was disabled. */
  'stopped',
] as const
export type DeliveryFailure = (typeof deliveryFailures)[number]

export const webhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  /** The owner who created it. It is in use while this account is an owner. */
  account: address,
  createdAt: time,
  /** `on`; `failing`: the last attempt failed; `disabled`: after too many; `no-owner`: the creator is no owner now. */
  state: z.enum(['on', 'failing', 'disabled', 'no-owner']),
  /** How many deliveries wait. */
  waiting: z.int(),
})
export type Webhook = z.infer<typeof webhook>

export const webhookDelivery = z.object({
  id: z.string(),
  /** The `webhook-id` of the request: the same each time it is sent. */
  messageId: z.string(),
  type: z.string(),
  body: z.string(),
  createdAt: time,
  attempts: z.int(),
  attemptedAt: z.nullable(time),
  deliveredAt: z.nullable(time),
  /** When it is sent next; null: it was delivered, or given up. */
  dueAt: z.nullable(time),
  /** HTTP status of the last attempt. */
  status: z.nullable(z.int()),
  failure: z.nullable(z.enum(deliveryFailures)),
  milliseconds: z.nullable(z.int()),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

const ownerErrors = ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER', 'NOT_AN_OWNER'] as const
const webhookParams = z.extend(safeParams, { id: z.string() })
const path = '/api/chains/{chainId}/safes/{safeAddress}/webhooks'

export const listWebhooks = endpoint({
  name: 'listWebhooks',
  method: 'GET',
  path,
  summary: 'The webhooks of a Safe, for its owners, the newest first',
  params: safeParams,
  reply: z.object({ webhooks: z.array(webhook) }),
  session: 'required',
  scope: 'session',
  errors: ownerErrors,
})

export const createWebhook = endpoint({
  name: 'createWebhook',
  method: 'POST',
  path,
  summary: 'Creates a webhook of a Safe. The reply is the only place where its secret is shown',
  params: safeParams,
  body: z.object({
    url: z.string().check(z.maxLength(500)),
    events: z.array(z.enum(webhookEvents)).check(z.minLength(1), z.maxLength(webhookEvents.length)),
  }),
  reply: z.object({ webhook, secret: z.string() }),
  session: 'required',
  scope: 'session',
  errors: [...ownerErrors, 'TOO_MANY', 'WEBHOOK_URL_REFUSED'],
})

export const removeWebhook = endpoint({
  name: 'removeWebhook',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Removes a webhook, with its deliveries. By any owner',
  params: webhookParams,
  session: 'required',
  scope: 'session',
  errors: [...ownerErrors, 'WEBHOOK_NOT_FOUND'],
})

export const testWebhook = endpoint({
  name: 'testWebhook',
  method: 'POST',
  path: `${path}/{id}/test`,
  summary: 'Sends a test to a webhook. One that is disabled is enabled again',
  params: webhookParams,
  reply: webhookDelivery,
  session: 'required',
  scope: 'session',
  errors: [...ownerErrors, 'WEBHOOK_NOT_FOUND', 'TOO_MANY'],
})

export const listDeliveries = endpoint({
  name: 'listDeliveries',
  method: 'GET',
  path: `${path}/{id}/deliveries`,
  summary: 'The last hundred deliveries of a webhook, the newest first',
  params: webhookParams,
  reply: z.object({ deliveries: z.array(webhookDelivery) }),
  session: 'required',
  scope: 'session',
  errors: [...ownerErrors, 'WEBHOOK_NOT_FOUND'],
})

export const redeliver = endpoint({
  name: 'redeliver',
  method: 'POST',
  path: `${path}/{id}/deliveries/{deliveryId}/redeliver`,
  summary: 'Sends a delivery once more, with the same webhook-id and body',
  params: z.extend(webhookParams, { deliveryId: z.string().check(z.regex(/^\d{1,18}$/, 'must be a number')) }),
  reply: webhookDelivery,
  session: 'required',
  scope: 'session',
  errors: [...ownerErrors, 'WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
})
