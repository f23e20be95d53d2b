import { randomBytes } from 'node:crypto'
import {
  type createWebhook as createEndpoint,
  fail,
  type Input,
  type redeliver as redeliverEndpoint,
  type Webhook,
  type WebhookDelivery,
} from '@countersign/contract'
import { and, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { type Address, bytesToHex } from 'viem'
import type { SignedInCtx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { safe } from '../../db/schema.ts'
import { webhookDelivery as deliveries, webhook as table } from '../../db/team-schema.ts'
import { allowing } from '../../networks.ts'
import { write } from '../../outbox/write.ts'
import { chainOf } from '../../rpc/clients.ts'
import { notAnOwner, requireOwner } from '../../safes/access.ts'
import { isWebhookInForce } from '../../safes/roles.ts'
import { tooMany } from '../book/bounds.ts'
import { parseReceiver } from './send.ts'

const MAX_OF_SAFE = 10
const MAX_OF_ACCOUNT = 20
const MAX_TESTS = 5
const MAX_LISTED = 100
const SECRET_BYTES = 32

type Place = { chainId: number; safeAddress: Address }
type Which = Place & { id: string }

/** The webhooks of a Safe, for its owners. Of another owner's URL the origin alone: a path may hold a secret. */
export async function listWebhooks(ctx: SignedInCtx, place: Place): Promise<{ webhooks: Webhook[] }> {
  await requireOwner(ctx, place.chainId, place.safeAddress)
  const rows = await selectWebhooks(ctx.db, isOf(place))
  return { webhooks: rows.map((row) => toWebhook(ctx, row)) }
}

/** Creates a webhook of an owner on the chain now. @returns its secret too, which is shown this once */
export async function createWebhook(
  ctx: SignedInCtx,
  { url: given, events, ...place }: Input<typeof createEndpoint>,
): Promise<{ webhook: Webhook; secret: string }> {
  await requireOwner(ctx, place.chainId, place.safeAddress)
  const { chainId, safeAddress } = place
  const account = ctx.viewer.address
  const url = parseReceiver(given, allowing(ctx.webhookNetworks))
  const state = await chainOf(ctx.chains, chainId).readSafe(safeAddress)
  if (!state.owners.includes(account)) throw notAnOwner(account, safeAddress)
  const secret = randomBytes(SECRET_BYTES)
  const id = randomBytes(12).toString('hex')
  return write(ctx, { state }, async (tx, log) => {
    await lockUntilCommit(tx, `webhooks ${account}`)
    await lockUntilCommit(tx, `webhooks ${chainId} ${safeAddress}`)
    if ((await tx.$count(table, isOf(place))) >= MAX_OF_SAFE) throw tooMany('webhooks', MAX_OF_SAFE)
    if ((await tx.$count(table, eq(table.account, account))) >= MAX_OF_ACCOUNT)
      throw tooMany('webhooks-of-account', MAX_OF_ACCOUNT)
    const unique = [...new Set(events)]
    await tx.insert(table).values({
      id,
      ...place,
      account,
      url: url.href,
      events: unique,
      secret: bytesToHex(secret),
      createdAt: log.now,
      warrantId: ctx.viewer.warrantId,
    })
    log.add({ verb: 'created-webhook', account, ...place, detail: { host: url.host, events: unique.join(', ') } })
    const [row] = await selectWebhooks(tx, eq(table.id, id))
    if (!row) throw notFound({ ...place, id })
    return { webhook: toWebhook(ctx, row), secret: `whsec_${secret.toString('base64')}` }
  })
}

/** Removes a webhook with its deliveries, by any owner. */
export async function removeWebhook(ctx: SignedInCtx, { id, ...place }: Which): Promise<undefined> {
  await requireOwner(ctx, place.chainId, place.safeAddress)
  await write(ctx, null, async (tx, log) => {
    const [removed] = await tx
      .delete(table)
      .where(and(eq(table.id, id), isOf(place)))
      .returning()
    if (!removed) throw notFound({ ...place, id })
    const detail = { host: new URL(removed.url).host, author: removed.account }
    log.add({ verb: 'removed-webhook', account: ctx.viewer.address, ...place, detail })
  })
}

/** Files a test, which is sent once and at once. One that is disabled is enabled again. */
export async function testWebhook(ctx: SignedInCtx, { id, ...place }: Which): Promise<WebhookDelivery> {
  await requireOwner(ctx, place.chainId, place.safeAddress)
  return write(ctx, null, async (tx, log) => {
    const byId = and(eq(table.id, id), isOf(place))
    const [known] = await tx.update(table).set({ disabledAt: null }).where(byId).returning({ id: table.id })
    if (!known) throw notFound({ ...place, id })
    const isTest = and(eq(deliveries.webhookId, id), eq(deliveries.type, 'test'), isNotNull(deliveries.dueAt))
    if ((await tx.$count(deliveries, isTest)) >= MAX_TESTS) throw tooMany('deliveries', MAX_TESTS)
    const { chainId, safeAddress } = place
    const data = { events: [], chainId, safeAddress, account: ctx.viewer.address }
    const body = JSON.stringify({ type: 'test', timestamp: log.now.toISOString(), data })
    const [filed] = await tx
      .insert(deliveries)
      .values({
        webhookId: id,
        messageId: `msg_${randomBytes(16).toString('hex')}`,
        type: 'test',
        body,
        createdAt: log.now,
        dueAt: log.now,
      })
      .returning()
    if (!filed) throw notFound({ ...place, id })
    log.notify({ kind: 'team', ...place })
    return toDelivery(filed)
  })
}

/** Lists the deliveries and their outcome. */
export async function listDeliveries(
  ctx: SignedInCtx,
  { id, ...place }: Which,
): Promise<{ deliveries: WebhookDelivery[] }> {
  await requireOwner(ctx, place.chainId, place.safeAddress)
  await requireWebhook(ctx.db, { ...place, id })
  const rows = await ctx.db
    .select()
    .from(deliveries)
    .where(eq(deliveries.webhookId, id))
    .orderBy(desc(deliveries.id))
    .limit(MAX_LISTED)
  return { deliveries: rows.map(toDelivery) }
}

/** Sends a delivery once more. */
export async function redeliver(
  ctx: SignedInCtx,
  { id, deliveryId, ...place }: Input<typeof redeliverEndpoint>,
): Promise<WebhookDelivery> {
  await requireOwner(ctx, place.chainId, place.safeAddress)
  return write(ctx, null, async (tx, log) => {
    await requireWebhook(tx, { ...place, id })
    const byId = and(eq(deliveries.webhookId, id), eq(deliveries.id, BigInt(deliveryId)))
    const [again] = await tx.update(deliveries).set({ dueAt: log.now, attempts: 0 }).where(byId).returning()
    if (!again) throw fail('DELIVERY_NOT_FOUND', { id, deliveryId })
    log.notify({ kind: 'team', ...place })
    return toDelivery(again)
  })
}

async function requireWebhook(db: Pick<Executor, 'select'>, { id, ...place }: Which): Promise<void> {
  const [known] = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, id), isOf(place)))
  if (!known) throw notFound({ ...place, id })
}

function notFound({ safeAddress, id }: Which) {
  return fail('WEBHOOK_NOT_FOUND', { safeAddress, id })
}

function isOf({ chainId, safeAddress }: Place): SQL | undefined {
  return and(eq(table.chainId, chainId), eq(table.safeAddress, safeAddress))
}

function selectWebhooks(db: Pick<Executor, 'select'>, which: SQL | undefined) {
  const { id, url, events, account, createdAt, disabledAt } = table
  return db
    .select({
      id,
      url,
      events,
      account,
      createdAt,
      disabledAt,
      isOwner: sql<boolean>`exists (select from ${safe} where ${isWebhookInForce()})`,
      waiting: sql<number>`(select count(*)::int from webhook_delivery d where d.webhook_id = webhook.id
        and d.due_at is not null)`,
      failure: sql<string | null>`(select d.failure from webhook_delivery d where d.webhook_id = webhook.id
        and d.attempted_at is not null order by d.attempted_at desc limit 1)`,
    })
    .from(table)
    .where(which)
    .orderBy(desc(table.createdAt), table.id)
}

type Row = Awaited<ReturnType<typeof selectWebhooks>>[number]

function toWebhook({ viewer }: SignedInCtx, row: Row): Webhook {
  const { id, url, events, account, createdAt, waiting } = row
  const state = !row.isOwner ? 'no-owner' : row.disabledAt ? 'disabled' : row.failure ? 'failing' : 'on'
  const shown = account === viewer.address ? url : new URL(url).origin
  return { id, url: shown, events, account, createdAt: createdAt.toISOString(), state, waiting }
}

function toDelivery(row: typeof deliveries.$inferSelect): WebhookDelivery {
  const { id, messageId, type, body, createdAt, attempts, attemptedAt, deliveredAt, dueAt, status, failure } = row
  return {
    id: id.toString(),
    messageId,
    type,
    body,
    attempts,
    status,
    failure,
    milliseconds: row.milliseconds,
    createdAt: createdAt.toISOString(),
    attemptedAt: attemptedAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
    dueAt: dueAt?.toISOString() ?? null,
  }
}
