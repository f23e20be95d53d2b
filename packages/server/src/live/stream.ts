import { fail, type LiveEvent } from '@countersign/contract'
import { and, gt, inArray, isNull, or } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '../db/client.ts'
import { ownersChangedAt } from '../db/owners-changed.ts'
import { session } from '../db/schema.ts'
import { apiToken } from '../db/team-schema.ts'
import type { SessionLimits } from '../env.ts'
import { overloaded } from '../overloaded.ts'
import { findAudience } from '../safes/roles.ts'
import type { Viewer } from '../safes/viewer.ts'

const HEARTBEAT_MS = 20_000
/** Bytes that a client may leave unread before it is dropped; it then connects again and asks for everything. */
const BACKLOG_BYTES = 64 * 1024

/**
 * A page asks for what it shows while its stream is being opened; what changes in between is told once the stream is
 * there. One that takes longer asks for everything again.
 */
const RECALLED_MS = 3_000
const MAX_RECALLED = 200

/** An event, when it was told, and to whom: asked once, for the streams that were there and those that come. */
type Told = { event: LiveEvent; at: number; who?: Promise<(viewer: Viewer) => boolean> }

type Subscriber = { viewer: Viewer; send: (text: string) => void; close: () => void }

/** Streams of one account: a browser has one for all its tabs. */
const MAX_STREAMS = 100
const MAX_STREAMS_OF_ALL = 5_000

/** The open event streams of this process. */
export type Hub = {
  /** @throws CountersignError `TOO_MANY` for more than an account can use, `OVERLOADED` for more than fit. */
  open: (viewer: Viewer) => Response
  /** Sends an event to those who may know of it at this moment. */
  deliver: (event: LiveEvent) => Promise<void>
  /** Ends the streams of one session or API token. */
  end: (credentialId: string) => void
  closeAll: () => void
  size: () => number
}

export function createHub({
  db,
  clock,
  sessionLimits,
}: {
  db: Database
  clock: () => Date
  sessionLimits: SessionLimits
}): Hub {
  const subscribers = new Set<Subscriber>()
  const encoder = new TextEncoder()
  /** By what is sent, the newest last. */
  const recent = new Map<string, Told>()

  function open(viewer: Viewer): Response {
    const own = [...subscribers].filter((subscriber) => subscriber.viewer.address === viewer.address)
    if (own.length >= MAX_STREAMS)
      throw fail('TOO_MANY', { reason: 'streams', account: viewer.address, limit: MAX_STREAMS })
    if (subscribers.size >= MAX_STREAMS_OF_ALL) throw overloaded()
    let subscriber: Subscriber | undefined
    const stop = () => {
      if (subscriber) subscribers.delete(subscriber)
      clearInterval(heartbeat)
    }
    const heartbeat = setInterval(() => subscriber?.send(': heartbeat\n\n'), HEARTBEAT_MS)
    heartbeat.unref()
    const body = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          subscriber = {
            viewer,
            send(text) {
              if ((controller.desiredSize ?? 0) <= 0) return subscriber?.close()
              controller.enqueue(encoder.encode(text))
            },
            close() {
              stop()
              try {
                controller.close()
              } catch {
                // Closed by the other side already.
              }
            },
          }
          subscribers.add(subscriber)
          controller.enqueue(encoder.encode('retry: 1000\n: connected\n\n'))
          void recall(subscriber)
        },
        cancel: stop,
      },
      { highWaterMark: BACKLOG_BYTES, size: (chunk) => chunk.byteLength },
    )
    return new Response(body, {
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    })
  }

  function remember(event: LiveEvent): Told {
    const text = write(event)
    const told = { event, at: performance.now() }
    recent.delete(text)
    recent.set(text, told)
    const [oldest] = recent.keys()
    if (recent.size > MAX_RECALLED && oldest) recent.delete(oldest)
    return told
  }

  /** Tells a new stream what was told just before it was there. */
  async function recall({ viewer, send, close }: Subscriber): Promise<void> {
    const since = performance.now() - RECALLED_MS
    try {
      for (const [text, told] of [...recent]) if (told.at > since && (await mayKnow(told))(viewer)) send(text)
    } catch {
      close()
    }
  }

  async function mayKnow(told: Told): Promise<(viewer: Viewer) => boolean> {
    if (told.event.kind === 'chain') return () => true
    // Every account that added the Safe learns that it changed, which is on the chain anyway.
    told.who ??= findAudience(db, { ...told.event, isOnChain: told.event.kind === 'safe' }, clock())
    try {
      return await told.who
    } catch (error) {
      // The next listener asks again.
      delete told.who
      throw error
    }
  }

  async function deliver(event: LiveEvent): Promise<void> {
    const told = remember(event)
    if (subscribers.size === 0) return
    const present = [...subscribers]
    const [isFor, alive] = await Promise.all([mayKnow(told), whoIsAlive(db, present, clock(), sessionLimits)]).catch(
      (error: unknown) => {
        // The listeners connect again and ask for everything.
        closeAll()
        throw error
      },
    )
    const text = write(event)
    for (const subscriber of present) {
      if (!alive.has(subscriber.viewer.credential.id)) subscriber.close()
      else if (isFor(subscriber.viewer)) subscriber.send(text)
    }
  }

  function closeAll(): void {
    for (const subscriber of [...subscribers]) subscriber.close()
  }

  return {
    open,
    deliver,
    end(credentialId) {
      for (const subscriber of [...subscribers])
        if (subscriber.viewer.credential.id === credentialId) subscriber.close()
    },
    closeAll,
    size: () => subscribers.size,
  }
}

function write(event: LiveEvent): string {
  return `event: change\ndata: ${JSON.stringify(event)}\n\n`
}

/** Ids of the sessions and API tokens that have not ended. */
async function whoIsAlive(
  db: Database,
  present: Subscriber[],
  now: Date,
  { idleMilliseconds }: SessionLimits,
): Promise<Set<string>> {
  const ids = [...new Set(present.map(({ viewer }) => viewer.credential.id))]
  const seenSince = new Date(now.getTime() - idleMilliseconds)
  const isKept = or(isNull(apiToken.expiresAt), gt(apiToken.expiresAt, now))
  const rows = await unionAll(
    db
      .select({ id: session.id })
      .from(session)
      .where(
        and(
          inArray(session.id, ids),
          gt(session.expiresAt, now),
          gt(session.lastSeenAt, seenSince),
          isNull(ownersChangedAt),
        ),
      ),
    db
      .select({ id: apiToken.id })
      .from(apiToken)
      .where(and(inArray(apiToken.id, ids), isKept)),
  )
  return new Set(rows.map(({ id }) => id))
}
