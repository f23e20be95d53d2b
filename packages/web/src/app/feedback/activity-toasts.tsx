import type { LiveEvent, MultisigTransaction } from '@countersign/contract'
import { isSameAddress } from '@countersign/safe'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Address, Hex } from 'viem'
import { wroteLately } from '../../api/client.ts'
import { configurationQuery } from '../../api/configuration.ts'
import { onLiveEvent } from '../../api/live/tabs.ts'
import { fetchAnew } from '../../api/query-client.ts'
import { serverNow } from '../../device/server-time.ts'
import { type Names, namesOf, shortNameOf } from '../../safe/names/names.ts'
import { chooseName, namesQuery, shortName } from '../../safe/names/team-names.ts'
import { transactionQuery } from '../../safe/queries.ts'
import { safeQuery } from '../../safe/safe.ts'
import { safesQuery } from '../../safe/safes.ts'
import '../../text/lists.ts'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { transactionTitle } from '../../safe/title/transaction-title.ts'
import { notify } from '../../ui/toast/notifications.ts'
import { Toaster } from '../../ui/toast/toaster.tsx'
import { showToast, type Toast } from '../../ui/toast/toasts.ts'
import { useSession } from '../../wallet/index.ts'
import { text } from '../shell/text.ts'

type OfSubject = Extract<LiveEvent, { kind: 'transaction' | 'message' }>

/** Changes come in twos and threes: what belongs together is said together. */
const GATHER_MS = 700
/** An entry older than this is not what the event was about. */
const RECENT_MS = 60_000
/** More at once are counted. */
const MAX_EACH = 2

/** Says what others did while the reader is on another page; and from another tab, where they asked for it. */
export function ActivityToasts() {
  const queryClient = useQueryClient()
  const { session } = useSession()
  const account = session?.address ?? null
  const { pathname } = useLocation()
  const here = useRef(pathname)
  here.current = pathname
  useEffect(() => {
    const gathered = new Map<Hex, OfSubject>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      timer = undefined
      const events = [...gathered]
      gathered.clear()
      void toastsFor(queryClient, account, events).then((toasts) => {
        for (const toast of toasts) {
          // The reader may have gone there while it was read.
          if (here.current === toast.path && !document.hidden) continue
          showToast(toast)
          notify(guardedStorage, toast)
        }
      })
    }
    const warn = async (event: Extract<LiveEvent, { kind: 'team' }>) => {
      const { alarmToast, showsAlarms } = await import('./alarm-toast.ts')
      const toast = await alarmToast(queryClient, event)
      if (!toast || (showsAlarms(here.current, toast) && !document.hidden)) return
      showToast(toast)
      notify(guardedStorage, toast)
    }
    const hear = (event: LiveEvent) => {
      // Without an answer nothing is said here; the page of the Safe asks again by itself.
      if (event.kind === 'team' && !event.isPast) return void warn(event).catch(() => {})
      if (event.isPast || (event.kind !== 'transaction' && event.kind !== 'message')) return
      const hash = event.kind === 'transaction' ? event.safeTxHash : event.safeMessageHash
      if ((here.current.includes(hash) && !document.hidden) || wroteLately(hash)) return
      gathered.set(hash, event)
      timer ??= setTimeout(tell, GATHER_MS)
    }
    // This part of the page comes after the page, and what is heard meanwhile is news too.
    const stop = onLiveEvent(hear, { isRecalled: true })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [queryClient, account])
  return <Toaster />
}

async function toastsFor(
  queryClient: QueryClient,
  account: Address | null,
  events: readonly (readonly [Hex, OfSubject])[],
): Promise<Toast[]> {
  const [first] = events
  if (first && events.length > MAX_EACH)
    return [
      {
        id: 'many',
        title: text('toast.many', { count: events.length }),
        path: '/',
        link: text('toast.many.link'),
      },
    ]
  const toasts = await Promise.all(events.map(([hash, event]) => toastFor(queryClient, account, hash, event)))
  return toasts.filter((toast) => toast !== null)
}

async function toastFor(
  queryClient: QueryClient,
  account: Address | null,
  hash: Hex,
  event: OfSubject,
): Promise<Toast | null> {
  const { chainId, safeAddress } = event
  const safe =
    queryClient.getQueryData(safeQuery(chainId, safeAddress).queryKey) ??
    queryClient
      .getQueryData(safesQuery.queryKey)
      ?.safes.find((listed) => listed.chainId === chainId && isSameAddress(listed.address, safeAddress))
  const given = safe && chooseName(safe.names, { owners: safe.owners, reader: account })
  const about = given ? shortName(given) : `${safeAddress.slice(0, 6)}…${safeAddress.slice(-4)}`
  const path = `/safes/${chainId}/${safeAddress}/${event.kind}s/${hash}`
  if (event.kind === 'message')
    return { id: hash, title: text('toast.message'), about, path, link: text('toast.message.link') }
  // A deleted transaction is no news.
  const served = await fetchAnew(queryClient, transactionQuery(chainId, hash)).catch(() => null)
  if (!served?.transaction.safeTx) return null
  const chain = queryClient.getQueryData(configurationQuery.queryKey)?.chains.find((chain) => chain.chainId === chainId)
  const team = queryClient.getQueryData(namesQuery(chainId, safeAddress).queryKey)?.names ?? []
  const names = namesOf(safeAddress, safe, account, chain, team)
  const title = happened(served.transaction, names)
  return title === null ? null : { id: hash, title, about, path, link: text('toast.transaction.link') }
}

/** Words for the last act on a transaction, by its dates. Null for the reader's own acts, and for old ones. */
export function happened(transaction: MultisigTransaction, names: Names): string | null {
  const { safeTx, isExecuted, isSuccessful, confirmations, submissionDate, proposer, proposedByDelegate } = transaction
  if (!safeTx) return null
  const title = transactionTitle(safeTx, names)
  if (isExecuted) return text(isSuccessful === false ? 'toast.failed' : 'toast.executed', { title })
  const isRecent = (date: string) => serverNow() - Date.parse(date) < RECENT_MS
  const by = (who: Address) => shortNameOf(who, names) ?? `${who.slice(0, 6)}…${who.slice(-4)}`
  const last = confirmations.toSorted(
    (one, other) => Date.parse(other.submissionDate) - Date.parse(one.submissionDate),
  )[0]
  const author = proposedByDelegate ?? proposer
  if (author && isRecent(submissionDate) && (!last || isSameAddress(last.owner, author)))
    return isSameAddress(author, names.account ?? '') ? null : text('toast.proposed', { who: by(author), title })
  if (!last || !isRecent(last.submissionDate) || isSameAddress(last.owner, names.account ?? '')) return null
  return text('toast.confirmed', { who: by(last.owner), title })
}
