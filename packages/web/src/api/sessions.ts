import { listSessions } from '@countersign/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { openTabChannel } from '../device/tab-channel.ts'
import { api } from './client.ts'
import { queryKeys } from './query-keys.ts'

type Message = { kind: 'session-changed' }

const CHANNEL = 'countersign-session'

/** Where this account is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: ({ signal }) => api(listSessions, {}, signal),
  // Another browser may have been signed in since it was asked last.
  staleTime: 0,
})

/** Tells the other tabs of this browser profile that somebody signed in or out. */
export function announceSessionChange(): void {
  const channel = openTabChannel(CHANNEL)
  channel?.postMessage({ kind: 'session-changed' } satisfies Message)
  channel?.close()
}

/** Asks for the session again when another tab changed it. */
export function followSessionOfOtherTabs(queryClient: QueryClient): () => void {
  const channel = openTabChannel(CHANNEL)
  if (!channel) return () => {}
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'session-changed') void askForSessionAgain(queryClient)
  }
  return () => channel.close()
}

/** Reads the session again. Cancels a pending read, because its answer may be outdated. */
async function askForSessionAgain(queryClient: QueryClient): Promise<void> {
  await queryClient.cancelQueries({ queryKey: queryKeys.session })
  await queryClient.invalidateQueries({ queryKey: queryKeys.session })
}
