import { type EntryKind, exportHistory, listHistory, settingKinds } from '@countersign/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { readAddress } from '../../api/typed-address.ts'

const PAGE_SIZE = 50

/** What a person chose and typed. Dates are days of the reader's calendar. */
export type HistoryChoice = {
  group: keyof typeof entryGroups
  token: string
  counterparty: string
  since: string
  until: string
}

export const noChoice: HistoryChoice = { group: 'all', token: '', counterparty: '', since: '', until: '' }

export function isChosen({ group, token, counterparty, since, until }: HistoryChoice): boolean {
  return group !== 'all' || [token, counterparty, since, until].some((typed) => typed.trim() !== '')
}

export const entryGroups = {
  all: [],
  executed: ['executed', 'module-executed'],
  received: ['transfer-in'],
  sent: ['transfer-out'],
  settings: ['created', ...settingKinds],
} as const satisfies Record<string, readonly EntryKind[]>

/** The filters in the words of the API. A half-typed address filters nothing yet. */
export function toFilter({ group, token, counterparty, since, until }: HistoryChoice) {
  const kinds: EntryKind[] = [...entryGroups[group]]
  const typed = readAddress(counterparty)
  const listed = readAddress(token)
  return {
    ...(kinds.length > 0 ? { kinds } : {}),
    ...(token === 'native' ? { token: 'native' as const } : listed.ok ? { token: listed.address } : {}),
    ...(typed.ok ? { counterparty: typed.address } : {}),
    ...(since ? { since: startOfDay(since, 0) } : {}),
    ...(until ? { until: startOfDay(until, 1) } : {}),
  }
}

function startOfDay(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

export function historyQuery(chainId: number, safeAddress: Address, filter: ReturnType<typeof toFilter>) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.history(chainId, safeAddress), filter],
    queryFn: ({ pageParam, signal }) =>
      api(
        listHistory,
        { chainId, safeAddress, ...filter, limit: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 15_000,
  })
}

/** Where the same entries are as CSV. */
export function exportUrl(chainId: number, safeAddress: Address, filter: ReturnType<typeof toFilter>): string {
  const path = exportHistory.path.replace('{chainId}', String(chainId)).replace('{safeAddress}', safeAddress)
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))
  return query.size > 0 ? `${path}?${query}` : path
}
