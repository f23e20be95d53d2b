import { fail, type LiveEvent } from '@countersign/contract'
import type { SessionLimits } from '../config/sessions.ts'
import type { Database } from '../db/client.ts'
import { overloaded } from '../overloaded.ts'
import { findAudience } from '../safes/roles.ts'
import type { Viewer } from '../safes/viewer.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import { findLivingCredentials } from './living-credentials.ts'

/**
 * A page asks for its data while its stream is being opened; changes in between are sent once the stream is there.
 * One that takes longer asks for everything again.
 */
const RECALLED_MS = 3_000
const MAX_RECALLED = 200

/** An event, the time of its delivery, and its audience: asked once, for present and coming streams. */
type Delivered = { event: LiveEvent; at: number; audience?: Promise<(viewer: Viewer) => boolean> }

type Subscriber = { viewer: Viewer; stream: EventStream }

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
  /** By the text that is sent, the newest last. */
  const recent = new Map<string, Delivered>()

  function open(viewer: Viewer): Response {
    const own = [...subscribers].filter((subscriber) => subscriber.viewer.address === viewer.address)
    if (own.length >= MAX_STREAMS)
      throw fail('TOO_MANY', { reason: 'streams', account: viewer.address, limit: MAX_STREAMS })
    if (subscribers.size >= MAX_STREAMS_OF_ALL) throw overloaded()
    const stream = openEventStream(() => subscribers.delete(subscriber))
    const subscriber = { viewer, stream }
    subscribers.add(subscriber)
    void recall(subscriber)
    return stream.response
  }

  function remember(event: LiveEvent): Delivered {
    const text = write(event)
    const delivered = { event, at: performance.now() }
    recent.delete(text)
    recent.set(text, delivered)
    const [oldest] = recent.keys()
    if (recent.size > MAX_RECALLED && oldest) recent.delete(oldest)
    return delivered
  }

  /** Sends a new stream the events just before it. */
  async function recall({ viewer, stream }: Subscriber): Promise<void> {
    const since = performance.now() - RECALLED_MS
    try {
      for (const delivered of [...recent.values()])
        if (delivered.at > since && (await audienceOf(delivered))(viewer))
          stream.send(write({ ...delivered.event, isPast: true }))
    } catch {
      stream.close()
    }
  }

  async function audienceOf(delivered: Delivered): Promise<(viewer: Viewer) => boolean> {
    const { event } = delivered
    if (event.kind === 'chain') return () => true
    // Every account that added the Safe learns that it changed, which is on the chain anyway.
    delivered.audience ??= findAudience(db, { ...event, isOnChain: event.kind === 'safe' }, clock())
    try {
      return await delivered.audience
    } catch (error) {
      // The next listener asks again.
      delete delivered.audience
      throw error
    }
  }

  async function deliver(event: LiveEvent): Promise<void> {
    const delivered = remember(event)
    if (subscribers.size === 0) return
    const present = [...subscribers]
    const credentials = [...new Set(present.map(({ viewer }) => viewer.credential.id))]
    const [isFor, living] = await Promise.all([
      audienceOf(delivered),
      findLivingCredentials(db, credentials, clock(), sessionLimits),
    ]).catch((error: unknown) => {
      // The listeners connect again and ask for everything.
      closeAll()
      throw error
    })
    const text = write(event)
    for (const { viewer, stream } of present) {
      if (!living.has(viewer.credential.id)) stream.close()
      else if (isFor(viewer)) stream.send(text)
    }
  }

  function closeAll(): void {
    for (const { stream } of [...subscribers]) stream.close()
  }

  return {
    open,
    deliver,
    end(credentialId) {
      for (const { viewer, stream } of [...subscribers]) if (viewer.credential.id === credentialId) stream.close()
    },
    closeAll,
    size: () => subscribers.size,
  }
}

function write(event: LiveEvent): string {
  return `event: change\ndata: ${JSON.stringify(event)}\n\n`
}
