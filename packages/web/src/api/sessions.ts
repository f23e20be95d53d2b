import { listSessions } from '@countersign/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { openTabChannel } from '../device/tab-channel.ts'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

type Message = { kind: 'session-changed' }

const CHANNEL = 'countersign-session'

/** Queries the sessions of this account, in all its browsers. */
export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: ({ signal }) => api(listSessions, {}, signal),
  // Another browser may have signed in since the last request.
  staleTime: 0,
})

/** Tells the other tabs of this browser profile that somebody signed in or out. */
export function announceSessionChange(): void {
  const channel = openTabChannel(CHANNEL)
  channel?.postMessage({ kind: 'session-changed' } satisfies Message)
  channel?.close()
}

/** Rereads the session whenever another tab signs in or out. Returns a function that stops this. */
export function followSessionChanges(queryClient: QueryClient): () => void {
  const channel = openTabChannel(CHANNEL)
  if (!channel) return () => {}
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'session-changed') void rereadSession(queryClient)
  }
  return () => channel.close()
}

/** Reads the session again. Cancels a pending read, because its answer may be outdated. */
async function rereadSession(queryClient: QueryClient): Promise<void> {
  await queryClient.cancelQueries({ queryKey: queryKeys.session })
  await queryClient.invalidateQueries({ queryKey: queryKeys.session })
}
