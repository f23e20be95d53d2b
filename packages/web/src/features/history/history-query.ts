import { type Chain, type EntryKind, exportHistory, listHistory, settingKinds, toWire } from '@countersign/contract'
import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Address } from 'viem'
import { api } from '../../api/client.ts'
import { configurationQuery } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { currencyOf, tokenAt } from '../../safe/names/names.ts'
import { type ParsedAmount, parseAmount, parseNonce } from '../../safe/worth/amount.ts'
import { findTokens } from '../../safe/worth/listed-tokens.ts'
import { parseAddress } from '../../ui/form/parse-address.ts'

const PAGE_SIZE = 50
/** Maximum length of one filter in the URL. */
const MAX_FILTER_LENGTH = 100

/** Filter as a person chose and typed it. Dates are days of the reader's calendar. */
export type HistoryChoice = {
  group: keyof typeof entryGroups
  /** `native`, a listed token's address, or `other` if `tokenAddress` is typed. Empty if none is chosen. */
  token: string
  tokenAddress: string
  counterparty: string
  since: string
  until: string
  minAmount: string
  maxAmount: string
  nonce: string
}

export const noChoice: HistoryChoice = {
  group: 'all',
  token: '',
  tokenAddress: '',
  counterparty: '',
  since: '',
  until: '',
  minAmount: '',
  maxAmount: '',
  nonce: '',
}

/** Reads the filters from the URL of the page, and ignores its other parameters. */
export function parseChoice(search: Readonly<Record<string, unknown>>): HistoryChoice {
  const { group } = search
  const written = Object.keys(noChoice).flatMap((key) => {
    const value = search[key]
    return key !== 'group' && (typeof value === 'string' || typeof value === 'number')
      ? [[key, String(value).slice(0, MAX_FILTER_LENGTH)]]
      : []
  })
  const chosen = typeof group === 'string' && Object.hasOwn(entryGroups, group) ? { group } : {}
  return { ...noChoice, ...Object.fromEntries(written), ...chosen }
}

/** Writes the chosen filters for the URL of the page. */
export function writeChoice(choice: HistoryChoice): Partial<HistoryChoice> {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== '' && value !== 'all'))
}

export function isChosen({ group, ...typed }: HistoryChoice): boolean {
  return group !== 'all' || Object.values(typed).some((field) => field.trim() !== '')
}

export const entryGroups = {
  all: [],
  executed: ['executed', 'module-executed'],
  received: ['transfer-in'],
  sent: ['transfer-out'],
  settings: ['created', ...settingKinds],
  approvals: ['hash-approved', 'message-signed'],
  unexplained: ['unexplained-in', 'unexplained-out', 'unexplained-nonce'],
} as const satisfies Record<string, readonly EntryKind[]>

/** Gives the decimals of a typed amount; null while no asset is chosen. For an unlisted asset, the smallest unit. */
export function unitOf(
  { token }: HistoryChoice,
  chain: Chain | undefined,
): { symbol: string | null; decimals: number } | null {
  if (token === '') return null
  if (token === 'native') return currencyOf(chain)
  return tokenAt(token, chain) ?? { symbol: null, decimals: 0 }
}

/** An amount that filters, or why it does not; null when nothing is typed. */
export function parseBound(typed: string, unit: { decimals: number } | null): ParsedAmount | null {
  return typed.trim() === '' || unit === null ? null : parseAmount(typed, unit.decimals)
}

/** The filters in the words of the API. What is half typed filters nothing yet. */
export function toFilter(choice: HistoryChoice, chain: Chain | undefined) {
  const { group, token, tokenAddress, counterparty, since, until, minAmount, maxAmount } = choice
  const kinds: EntryKind[] = [...entryGroups[group]]
  const party = parseAddress(counterparty)
  const asset = parseAddress(token === 'other' ? tokenAddress : token)
  const unit = unitOf(choice, chain)
  const [least, most] = [minAmount, maxAmount].map((typed) => parseBound(typed, unit))
  const nonce = parseNonce(choice.nonce)
  return {
    ...(kinds.length > 0 ? { kinds } : {}),
    ...(token === 'native' ? { token: 'native' as const } : asset.ok ? { token: asset.address } : {}),
    ...(party.ok ? { counterparty: party.address } : {}),
    ...(since ? { since: startOfDay(since, 0) } : {}),
    ...(until ? { until: startOfDay(until, 1) } : {}),
    ...(least?.ok ? { minAmount: least.value } : {}),
    ...(most?.ok ? { maxAmount: most.value } : {}),
    ...(nonce === null ? {} : { nonce }),
  }
}

function startOfDay(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + later).toISOString()
}

export function historyQuery(chainId: number, safeAddress: Address, filter: ReturnType<typeof toFilter>) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.history(chainId, safeAddress), toWire(filter)],
    queryFn: async ({ pageParam, signal, client }) => {
      const page = await api(
        listHistory,
        { chainId, safeAddress, ...filter, limit: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      )
      const chain = client.getQueryData(configurationQuery.queryKey)?.chains.find((one) => one.chainId === chainId)
      const addresses = [...new Set(page.entries.flatMap(({ token }) => token ?? []))]
      // A list names amounts; without it they are shown as those of a token that nobody vouches for.
      if (chain) await findTokens(chain, { addresses, names: [] }).catch(() => {})
      return page
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 15_000,
  })
}

/** Returns the URL of the same entries as CSV. */
export function exportUrl(chainId: number, safeAddress: Address, filter: ReturnType<typeof toFilter>): string {
  const path = exportHistory.path.replace('{chainId}', String(chainId)).replace('{safeAddress}', safeAddress)
  const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))
  return query.size > 0 ? `${path}?${query}` : path
}
