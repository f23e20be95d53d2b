import type { LiveEvent } from '@countersign/contract'
import { liveEvent } from '@countersign/contract'
import pg from 'pg'
import type { Logger } from 'pino'
import { toLogEntry } from '../to-log-entry.ts'
import { CHANNEL, sessionEnded } from './notify.ts'

const RETRY_MS = 1_000
const PING_MS = 15_000

/**
 * One connection that listens for all of this process. After a loss it connects again, and `onGap` says that events
 * may be missing.
 */
export async function startListener({
  url,
  log,
  onEvent,
  onSessionEnded,
  onGap,
}: {
  url: string
  log: Logger
  onEvent: (event: LiveEvent) => void
  onSessionEnded: (sessionId: string) => void
  onGap: () => void
}): Promise<{ stop: () => Promise<void> }> {
  let isStopped = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let ping: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    })
    let isListening = false
    const lose = (error?: Error) => {
      // One that never listened is tried again by whoever waits for it.
      if (!isListening || isStopped) return
      isListening = false
      client = null
      log.warn({ err: toLogEntry(error) }, 'live listener lost its connection')
      onGap()
      next.end().catch(() => {})
      retry()
    }
    next.on('error', lose)
    next.on('end', () => lose())
    next.on('notification', ({ payload }) => {
      const payloadValue: unknown = JSON.parse(payload ?? 'null')
      const ended = sessionEnded.safeParse(payloadValue)
      if (ended.success) return onSessionEnded(ended.data.sessionId)
      const event = liveEvent.safeParse(payloadValue)
      if (event.success) onEvent(event.data)
    })
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
    } catch (error) {
      next.end().catch(() => {})
      throw error
    }
    isListening = true
    client = next
    // A silent loss (a pulled cable, a server that hangs) is found by asking.
    clearInterval(ping)
    ping = setInterval(() => void next.query('select 1').catch(lose), PING_MS)
    ping.unref()
  }

  function retry(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (isStopped) return
      connect().then(onGap, retry)
    }, RETRY_MS)
  }

  await connect()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      clearInterval(ping)
      await client?.end().catch(() => {})
    },
  }
}
