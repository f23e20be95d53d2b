import { type LiveEvent, listSessions, liveEvent } from '@countersign/contract'
import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api } from './client.ts'
import { keysOutdatedBy, queryKeys } from './query-keys.ts'
import { openTabChannel } from './tab-channel.ts'

export type LiveStatus = 'live' | 'connecting' | 'offline'

type Word =
  | { kind: 'event'; event: LiveEvent }
  | { kind: 'status'; status: LiveStatus; isAfterGap: boolean }
  | { kind: 'who-is-leading' }
  | { kind: 'session-changed' }
  /** The server no longer takes this browser's session. */
  | { kind: 'refused' }

const CHANNEL = 'countersign-live'
const SHORT_MS = 1_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000

/** Where this account is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: ({ signal }) => api(listSessions, {}, signal),
  // Another browser may have been signed in since it was asked last.
  staleTime: 0,
})

let streamStatus: LiveStatus = 'connecting'
const listeners = new Set<() => void>()

function setStreamStatus(status: LiveStatus): void {
  if (status === streamStatus) return
  streamStatus = status
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Whether changes by others arrive by themselves right now. */
export function useLiveStatus(): LiveStatus {
  return useSyncExternalStore(subscribe, () => (navigator.onLine ? streamStatus : 'offline'))
}

/** Parses what the stream or another tab said; anything else is nothing. */
export function readLiveEvent(data: string): LiveEvent | undefined {
  try {
    return liveEvent.parse(JSON.parse(data))
  } catch {
    return undefined
  }
}

/** Tells the other tabs of this browser profile that somebody signed in or out. */
export function announceSessionChange(): void {
  const channel = openChannel()
  channel?.postMessage({ kind: 'session-changed' } satisfies Word)
  channel?.close()
}

/** Asks for the session again when another tab changed it. */
export function followSessionOfOtherTabs(queryClient: QueryClient): () => void {
  const channel = openChannel()
  if (!channel) return () => {}
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.kind === 'session-changed') void queryClient.invalidateQueries({ queryKey: queryKeys.session })
  }
  return () => channel.close()
}

/** What is asked for the first time just now may be answered as of before the change: it is asked once more after that. */
function askAgain(queryClient: QueryClient, queryKey: QueryKey): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }))
    if (query.state.data === undefined)
      void query.promise
        ?.catch(() => {})
        .then(() => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }))
  void queryClient.invalidateQueries({ queryKey })
}

/**
 * Follows the server's events while somebody is signed in. HTTP/1.1 gives an origin six connections, so one tab of the
 * profile leads: it holds a Web Lock and the only stream, and passes on what it hears. When it closes, the next leads.
 *
 * @returns stops following
 */
export function followLiveEvents(queryClient: QueryClient): () => void {
  const stopping = new AbortController()
  const channel = openChannel()
  let isLeading = false

  const hear = (word: Word) => {
    if (word.kind === 'event') for (const queryKey of keysOutdatedBy(word.event)) askAgain(queryClient, queryKey)
    // Whatever is asked now says why, and ends the session here too.
    if (word.kind === 'refused') void queryClient.fetchQuery({ ...sessionsQuery, staleTime: 0 }).catch(() => {})
    if (word.kind === 'status') {
      setStreamStatus(word.status)
      if (word.isAfterGap)
        void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'configuration' })
    }
  }
  const say = (word: Word) => {
    hear(word)
    channel?.postMessage(word)
  }
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<Word>) => {
      if (data.kind === 'who-is-leading') {
        if (isLeading) channel.postMessage({ kind: 'status', status: streamStatus, isAfterGap: false } satisfies Word)
      } else if (!isLeading) hear(data)
    }

  const startedAt = performance.now()
  const lead = () => {
    isLeading = true
    // Who leads after having waited may have missed what happened between two leaders.
    return holdStream(say, stopping.signal, performance.now() - startedAt > SHORT_MS)
  }
  setStreamStatus('connecting')
  // Locks exist in secure contexts only; without them every tab holds its own stream.
  if (channel && 'locks' in navigator) {
    channel.postMessage({ kind: 'who-is-leading' } satisfies Word)
    navigator.locks.request(CHANNEL, { signal: stopping.signal }, lead).catch(() => {})
  } else void lead()

  return () => {
    stopping.abort()
    channel?.close()
  }
}

/** Keeps a stream open until `signal`, with growing waits after failures. After each gap everything is asked for again. */
function holdStream(say: (word: Word) => void, signal: AbortSignal, hasGap: boolean): Promise<void> {
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
        // What the page asked for while the stream took its time may be old by now.
        say({ kind: 'status', status: 'live', isAfterGap: isAfterGap || performance.now() - startedAt > SHORT_MS })
        isAfterGap = false
      }
      source.addEventListener('change', ({ data }) => {
        const event = readLiveEvent(String(data))
        if (event) say({ kind: 'event', event })
      })
      source.onerror = () => {
        // An answer that is no stream, not a connection that was lost.
        if (source?.readyState === EventSource.CLOSED) say({ kind: 'refused' })
        source?.close()
        isAfterGap = true
        say({ kind: 'status', status: 'connecting', isAfterGap: false })
        clearTimeout(timer)
        timer = setTimeout(open, waitMs)
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
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

function openChannel(): BroadcastChannel | undefined {
  return openTabChannel(CHANNEL)
}
