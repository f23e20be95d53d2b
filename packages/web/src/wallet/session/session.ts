import {
  getSession,
  type Session,
  type SessionEnd,
  sessionEnd,
  signOut as signOutEndpoint,
} from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Address } from 'viem'
import { api, isOfEarlierSession, noteSession } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { announceSessionChange } from '../../api/sessions.ts'
import { fail } from '../../text/fail.ts'
import { readConnected, readConnection, useConnection } from '../connectors/connection.ts'
import { openWalletDialog } from '../dialog/dialog-state.ts'
import { isSafeWallet } from '../safe/frame.ts'

export type SessionStatus = 'loading' | 'authenticated' | 'unauthenticated'

export const sessionQuery = queryOptions({
  queryKey: queryKeys.session,
  queryFn: async ({ signal, client }): Promise<{ session: Session | null }> => {
    const { session, ended } = await api(getSession, {}, signal)
    // Without an end it was signed out, in another tab of this browser.
    if (!session && ended && !signal.aborted) rememberEnded(client, ended)
    if (session && !signal.aborted) noteSessionOfOtherTab(client, session)
    return { session }
  },
  staleTime: 30_000,
})

/** How a session came to its end under an open page. `signed-out`: the server has none of this browser any more. */
export type EndedSession = { session: Session; end: SessionEnd | { reason: 'signed-out'; at: null } }

/** Its page stays, so that nothing typed is lost. */
let endedSession: EndedSession | null = null
const listeners = new Set<() => void>()

function setEndedSession(ended: EndedSession | null): void {
  endedSession = ended
  for (const listener of listeners) listener()
}

function useEndedSession(): EndedSession | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => endedSession,
  )
}

function rememberEnded(queryClient: QueryClient, end: EndedSession['end']): boolean {
  const session = queryClient.getQueryData(sessionQuery.queryKey)?.session
  if (!session) return false
  setEndedSession({ session, end })
  openWalletDialog()
  return true
}

export type SessionView = {
  status: SessionStatus
  session: Session | null
  ended: EndedSession | null
  /** Why it is not known who is signed in: the server does not answer. Nobody is taken to be. */
  error: Error | null
  retry: () => void
  signOut: () => Promise<void>
}

/** Gives the account that is signed in in this browser. */
export function useSession(): SessionView {
  const queryClient = useQueryClient()
  const { data, error: failure, isFetching, refetch } = useQuery(sessionQuery)
  const ended = useEndedSession()
  const error = data === undefined && !isFetching ? failure : null
  return {
    status: data?.session ? 'authenticated' : data || error ? 'unauthenticated' : 'loading',
    session: data?.session ?? null,
    ended,
    error,
    retry: () => void refetch(),
    signOut: () => signOut(queryClient),
  }
}

/** Signs out: the server no longer knows this browser, and the page forgets what only the account may read. */
export async function signOut(queryClient: QueryClient): Promise<void> {
  await api(signOutEndpoint, {}, changeSession())
  setEndedSession(null)
  putSession(queryClient, null)
  forgetPrivate(queryClient)
  announceSessionChange()
}

let changing = new AbortController()

/**
 * Cancels a sign-in or sign-out that has no answer yet in favour of a newer one, because the older answer could arrive last and
 * win. Returns the signal that cancels the newer one.
 */
export function changeSession(): AbortSignal {
  changing.abort()
  changing = new AbortController()
  return changing.signal
}

/** Takes over a session that the server has just opened. */
export function beginSession(queryClient: QueryClient, session: Session): void {
  forgetSessionBefore(queryClient, session)
  putSession(queryClient, session)
  askPrivateAgain(queryClient)
  announceSessionChange()
}

/** Takes over a session that another tab of this browser has opened. What the page asked first is of the first session. */
function noteSessionOfOtherTab(queryClient: QueryClient, session: Session): void {
  const known = queryClient.getQueryData(sessionQuery.queryKey)
  if (!known) return
  if (known.session?.address === session.address && known.session.createdAt === session.createdAt) return
  forgetSessionBefore(queryClient, session)
  noteSession()
  askPrivateAgain(queryClient)
}

/** Forgets how the session before has ended and, for another account, what only that one may read. */
function forgetSessionBefore(queryClient: QueryClient, session: Session): void {
  const previous = queryClient.getQueryData(sessionQuery.queryKey)?.session ?? endedSession?.session
  setEndedSession(null)
  if (previous && previous.address !== session.address) forgetPrivate(queryClient)
}

/** An answer said that the session is over: the dialog opens at Verify, the page below stays as it is. */
export function endSession(queryClient: QueryClient, error: CountersignError): void {
  if (isOfEarlierSession(error)) return
  const { reason, endedAt: at } = error.data
  const { data: end } = sessionEnd.safeParse({ reason, at })
  if (rememberEnded(queryClient, end ?? { reason: 'signed-out', at: null })) putSession(queryClient, null)
}

function putSession(queryClient: QueryClient, session: Session | null): void {
  noteSession()
  void queryClient.cancelQueries({ queryKey: sessionQuery.queryKey })
  queryClient.setQueryData(sessionQuery.queryKey, { session })
}

function forgetPrivate(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => isPrivate(queryKey[0]) })
}

function askPrivateAgain(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => isPrivate(queryKey[0]) })
}

function isPrivate(name: unknown): boolean {
  return name !== queryKeys.configuration[0] && name !== queryKeys.session[0]
}

type Connected = { status: 'connected'; address: Address; chainId: number; connector: { id: string } }

/** How the wallet's account and the session stand to each other. Only `verified` may write. */
export type AccountState =
  | { status: 'loading' }
  | { status: 'signed-out' }
  | { status: 'connected-unverified'; account: Address; chainId: number }
  /** `isSafe`: connected as a Safe, which signs messages and nothing else. */
  | { status: 'verified'; account: Address; chainId: number; session: Session; isSafe: boolean }
  | { status: 'wrong-account'; account: Address; chainId: number; session: Session }
  | { status: 'session-without-wallet'; session: Session }

/** Returns the error for a write if the wallet's account is unknown or is not the session's account. */
export function writeRefusal(queryClient: QueryClient): CountersignError | null {
  if (readConnection().status === 'reconnecting') return fail('WALLET_NOT_CONNECTED', { reason: 'reconnecting' })
  const session = queryClient.getQueryData(sessionQuery.queryKey)?.session
  const account = readConnected()?.address
  if (!session || !account || account === session.address) return null
  return fail('ACCOUNT_MISMATCH', { reason: 'wallet', session: session.address, account })
}

export function useAccountState(): AccountState {
  const session = useSession()
  const connection = useConnection()
  // An account that may be signed in is not asked to verify again because the server is away.
  return session.error ? { status: 'loading' } : accountStateOf(session, connection)
}

export function accountStateOf(
  { session, status }: Pick<SessionView, 'session' | 'status'>,
  connection: Connected | { status: 'disconnected' | 'connecting' | 'reconnecting' },
): AccountState {
  if (status === 'loading' || connection.status === 'reconnecting') return { status: 'loading' }
  if (connection.status !== 'connected')
    return session ? { status: 'session-without-wallet', session } : { status: 'signed-out' }
  const { address: account, chainId } = connection
  if (!session) return { status: 'connected-unverified', account, chainId }
  if (session.address !== account) return { status: 'wrong-account', account, chainId, session }
  // On another chain the address of a contract may be of somebody else.
  if (session.provenBy === 'contract' && session.chainId !== chainId)
    return { status: 'connected-unverified', account, chainId }
  return { status: 'verified', account, chainId, session, isSafe: isSafeWallet(connection.connector.id) }
}
