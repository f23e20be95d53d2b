import { type LiveEvent, liveEvent } from '@countersign/contract'
import type { LiveStatus } from './status.ts'

/** Messages of the stream. */
export type StreamMessage =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'status'; status: LiveStatus; isAfterGap: boolean }
  /** The server no longer takes this browser's session. */
  | { kind: 'refused' }

/** Answers to requests of the first moments are up to date. */
export const SHORT_MS = 1_000
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 15_000

/** Parses what the stream or another tab said; anything else is nothing. */
export function parseLiveEvent(data: string): LiveEvent | undefined {
  try {
    return liveEvent.parse(JSON.parse(data))
  } catch {
    return undefined
  }
}

/** Keeps a stream open until `signal`, with growing waits after failures. After each gap everything is asked for again. */
export function holdStream(
  report: (message: StreamMessage) => void,
  signal: AbortSignal,
  hasGap: boolean,
): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let waitMs = FIRST_WAIT_MS
    let isAfterGap = hasGap
    const startedAt = performance.now()

    const open = () => {
      source?.close()
      source = new EventSource('/api/events')
      source.onopen = () => {
        waitMs = FIRST_WAIT_MS
        // Answers that the page got while the stream took its time may be outdated.
        report({ kind: 'status', status: 'live', isAfterGap: isAfterGap || performance.now() - startedAt > SHORT_MS })
        isAfterGap = false
      }
      source.addEventListener('change', ({ data }) => {
        const event = parseLiveEvent(String(data))
        if (event) report({ kind: 'event', event })
      })
      source.onerror = () => {
        // An answer that is no stream, not a connection that was lost.
        if (source?.readyState === EventSource.CLOSED) report({ kind: 'refused' })
        source?.close()
        isAfterGap = true
        report({ kind: 'status', status: 'connecting', isAfterGap: false })
        clearTimeout(timer)
        timer = setTimeout(open, waitMs)
        waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)
      }
    }
    const openNow = () => {
      clearTimeout(timer)
      open()
    }
    window.addEventListener('online', openNow, { signal })
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      source?.close()
      resolve()
    })
    if (signal.aborted) resolve()
    else open()
  })
}
