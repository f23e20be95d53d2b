import { type LiveEvent, listAlarms } from '@countersign/contract'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { fetchAnew } from '../../api/query-client.ts'
import { serverNow } from '../../device/server-time.ts'
import { safeQuery } from '../../safe/safe.ts'
import type { Toast } from '../../ui/toast/toasts.ts'
import { text } from '../shell/text.ts'

/** An older alarm is not what the event was about. */
const RECENT_MS = 60_000

/** Alarms that were said, and closed perhaps: the next change of the team is no reason to say them again. */
const said = new Set<string>()

/** Says that a signature did not verify, to the owners of its Safe; null where the event was about something else. */
export async function alarmToast(
  queryClient: QueryClient,
  { chainId, safeAddress }: Extract<LiveEvent, { kind: 'team' }>,
): Promise<Toast | null> {
  const safe = await fetchAnew(queryClient, safeQuery(chainId, safeAddress))
  if (safe.role !== 'owner' || !safe.hasAlarms) return null
  const { alarms } = await api(listAlarms, { chainId, safeAddress })
  const isNew = ({ acknowledgedBy, at }: (typeof alarms)[number]) =>
    acknowledgedBy === null && serverNow() - Date.parse(at) < RECENT_MS
  const alarm = alarms.find(isNew)
  const id = `alarm-${alarm?.id}`
  if (!alarm || said.has(id)) return null
  said.add(id)
  return {
    id,
    title: text(alarm.otherSafeTxHash ? 'alarm.other.title' : 'alarm.title'),
    about: `${safeAddress.slice(0, 6)}…${safeAddress.slice(-4)}`,
    path: `/safes/${chainId}/${safeAddress}`,
    link: text('toast.alarm.link'),
  }
}

/** Whether a page of the Safe shows its alarms by itself: home, queue and the page of a transaction. */
export function showsAlarms(pathname: string, { path = '' }: Toast): boolean {
  return pathname.startsWith(path) && /^\/?$|^\/queue|^\/transactions\/0x/.test(pathname.slice(path.length))
}
