import { sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { safe } from '../../db/schema.ts'
import { webhook } from '../../db/team-schema.ts'
import type { Allowed } from '../../networks.ts'
import { createPause } from '../../outbox/pause.ts'
import { writeLogged } from '../../outbox/write.ts'
import { isWebhookInForce } from '../../safes/roles.ts'
import { toLogEntry } from '../../to-log-entry.ts'
import { disable } from './disable.ts'
import { headersOf } from './messages.ts'
import { type Outcome, send } from './send.ts'

const POLL_MS = 1_000
/** Time after which the deliveries of a dead process are sent again. */
const CLAIM_SECONDS = 30
/** After each failure; after the last one the webhook is disabled. Some 15 hours. */
const RETRY_SECONDS = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800]
/** At a time: of receivers that answered well the last time, and of all others. */
const AT_ONCE = { usual: 48, doubtful: 16 }
const SLOW_MS = 2_000
const STOP_MS = 1_000
/** Kept of each webhook beside what waits. */
const KEPT = 100

type Lane = keyof typeof AT_ONCE
type Claimed = {
  id: string
  webhook_id: string
  message_id: string
  type: string
  body: string
  attempts: number
  url: string
  secret: Hex
  is_in_force: boolean
}

type Parts = { db: Database; clock: () => Date; log: Logger; allowed: Allowed; isStopped: () => boolean }

/**
 * Sends what is filed. Of one webhook the oldest goes first, and the next when it was delivered or given up; so deliveries
 * arrive in the order of the log. Several processes may send: each claims what it sends.
 */
export function startSender(given: Omit<Parts, 'isStopped'>): { wake: () => void; stop: () => Promise<void> } {
  const pause = createPause()
  const parts = { ...given, isStopped: pause.isStopped }
  const sending = new Map<Lane, Set<Promise<void>>>([
    ['usual', new Set()],
    ['doubtful', new Set()],
  ])
  /** Receivers that took long the last time: they wait for each other, and for no one else. */
  const slow = new Set<string>()

  async function fill(lane: Lane): Promise<void> {
    const running = sending.get(lane) ?? new Set()
    const room = AT_ONCE[lane] - running.size
    if (room <= 0) return
    for (const claimed of await claim(parts, lane, room, [...slow])) {
      const delivering = deliver(parts, claimed, slow)
        .catch((error: unknown) => given.log.warn({ err: toLogEntry(error) }, 'a delivery was not recorded'))
        .then(() => {
          running.delete(delivering)
          pause.wake()
        })
      running.add(delivering)
    }
  }

  async function run(): Promise<void> {
    while (!pause.isStopped()) {
      try {
        await fill('usual')
        await fill('doubtful')
      } catch (error) {
        given.log.warn({ err: toLogEntry(error) }, 'webhooks are not sent, goes on')
      }
      await pause.rest(POLL_MS)
    }
    // Deliveries that are unfinished then are sent again by the next process.
    const rest = Promise.all([...sending.values()].flatMap((running) => [...running]))
    await Promise.race([rest, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())])
  }

  const finished = run()
  return {
    wake: pause.wake,
    stop() {
      pause.stop()
      return finished
    },
  }
}

async function claim({ db, clock }: Parts, lane: Lane, room: number, slow: string[]): Promise<Claimed[]> {
  const now = sql`${clock().toISOString()}::timestamptz`
  const isDoubtful = sql`(head.attempts > 0 or head.webhook_id = any(${sql.param(slow)}::text[]))`
  const { rows } = await db.execute<Claimed>(sql`
    with claimed as (
      update webhook_delivery d set due_at = ${now} + make_interval(secs => ${CLAIM_SECONDS}),
        attempts = d.attempts + 1, attempted_at = ${now}
      from (
        select head.id from (
          -- A test waits for none of the others.
          select distinct on (webhook_id, type = 'test') id, webhook_id, attempts, due_at from webhook_delivery
          where due_at is not null order by webhook_id, type = 'test', id
        ) as head
        where head.due_at <= ${now} and ${lane === 'doubtful' ? isDoubtful : sql`not ${isDoubtful}`}
        order by head.due_at limit ${room}
      ) as due
      -- Another process may have claimed it meanwhile.
      where d.id = due.id and d.due_at <= ${now}
      returning d.*
    )
    select c.id::text, c.webhook_id, c.message_id, c.type, c.body, c.attempts, ${webhook.url}, ${webhook.secret},
      ${webhook.disabledAt} is null and exists (select from ${safe} where ${isWebhookInForce()}) as is_in_force
    from claimed c join ${webhook} on ${webhook.id} = c.webhook_id order by c.id`)
  return rows
}

async function deliver(parts: Parts, claimed: Claimed, slow: Set<string>): Promise<void> {
  const { clock, allowed } = parts
  const { url, secret, body, message_id: messageId, webhook_id: webhookId } = claimed
  if (!claimed.is_in_force) return settle(parts, claimed, { status: null, failure: 'stopped', milliseconds: 0 })
  const headers = headersOf({ messageId, body, secret: toBytes(secret) }, clock())
  const outcome = await send({ url: new URL(url), headers, body }, allowed)
  if (outcome.milliseconds > SLOW_MS) slow.add(webhookId)
  else slow.delete(webhookId)
  await settle(parts, claimed, outcome)
}

async function settle(
  { db, clock }: Parts,
  { id, webhook_id: webhookId, type, attempts }: Claimed,
  { status, failure, milliseconds }: Outcome,
): Promise<void> {
  const wait = RETRY_SECONDS[attempts - 1]
  const isOver = failure === null || failure === 'stopped' || type === 'test' || wait === undefined
  await writeLogged({ db, clock }, async (tx, log) => {
    const now = sql`${log.now.toISOString()}::timestamptz`
    await tx.execute(sql`
      update webhook_delivery set status = ${status}, failure = ${failure}, milliseconds = ${milliseconds},
        delivered_at = ${failure === null ? now : sql`delivered_at`},
        due_at = ${isOver ? sql`null` : sql`${now} + make_interval(secs => ${wait})`}
      where id = ${id}::bigint`)
    if (isOver)
      await tx.execute(sql`
        delete from webhook_delivery where webhook_id = ${webhookId} and due_at is null and id < (
          select id from webhook_delivery where webhook_id = ${webhookId} and due_at is null
          order by id desc offset ${KEPT - 1} limit 1)`)
    if (failure !== null && failure !== 'stopped' && type !== 'test' && wait === undefined)
      await disable(tx, log, webhookId)
  })
}
