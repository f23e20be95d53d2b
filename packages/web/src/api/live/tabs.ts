import type { LiveEvent } from '@countersign/contract'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { isLockRefused, openTabChannel } from '../../device/tab-channel.ts'
import { keysOutdatedBy } from '../query-keys.ts'
import { sessionsQuery } from '../sessions.ts'
import { readStreamStatus, setStreamStatus } from './status.ts'
import { holdStream, SHORT_MS, type StreamMessage } from './stream.ts'

type TabMessage = StreamMessage | { kind: 'who-is-leading' }

const CHANNEL = 'countersign-live'

/** Code that listens may come this much later than the page and its stream. */
const RECALLED_MS = 20_000
const MAX_RECALLED = 100

const eventListeners = new Set<(event: LiveEvent) => void>()
/** The events of this session, the newest last. */
let recent: { event: LiveEvent; at: number }[] = []

/**
 * Hears of every change, in any tab; with `isRecalled` first of what was heard just before. Returns the end of it.
 */
export function onLiveEvent(listener: (event: LiveEvent) => void, { isRecalled = false } = {}): () => void {
  eventListeners.add(listener)
  const since = performance.now() - RECALLED_MS
  if (isRecalled) for (const { event, at } of recent) if (at > since) listener(event)
  return () => eventListeners.delete(listener)
}

/** Tells an event to whoever listens, and to who will soon. */
function tell(event: LiveEvent): void {
  recent = [...recent.slice(1 - MAX_RECALLED), { event, at: performance.now() }]
  for (const listener of eventListeners) listener(event)
}

/** A first request that is still in flight may return data from before the change, so refetch it when it settles. */
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
  const channel = openTabChannel(CHANNEL)
  let isLeading = false
  recent = []

  const handle = (message: TabMessage) => {
    if (message.kind === 'event') {
      for (const queryKey of keysOutdatedBy(message.event)) askAgain(queryClient, queryKey)
      tell(message.event)
    }
    // Whatever is asked now says why, and ends the session here too.
    if (message.kind === 'refused') void queryClient.fetchQuery({ ...sessionsQuery, staleTime: 0 }).catch(() => {})
    if (message.kind === 'status') {
      setStreamStatus(message.status)
      if (message.isAfterGap)
        void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'configuration' })
    }
  }
  const broadcast = (message: TabMessage) => {
    handle(message)
    channel?.postMessage(message)
  }
  if (channel)
    channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (data.kind === 'who-is-leading') {
        if (isLeading)
          channel.postMessage({ kind: 'status', status: readStreamStatus(), isAfterGap: false } satisfies TabMessage)
      } else if (!isLeading) handle(data)
    }

  const startedAt = performance.now()
  const lead = () => {
    isLeading = true
    // A tab that leads after waiting may have missed events between two leaders.
    return holdStream(broadcast, stopping.signal, performance.now() - startedAt > SHORT_MS)
  }
  setStreamStatus('connecting')
  // Without locks every tab holds its own stream.
  if (channel && 'locks' in navigator) {
    channel.postMessage({ kind: 'who-is-leading' } satisfies TabMessage)
    navigator.locks.request(CHANNEL, { signal: stopping.signal }, lead).catch((error: unknown) => {
      if (isLockRefused(error)) void lead()
    })
  } else void lead()

  return () => {
    stopping.abort()
    channel?.close()
  }
}
