import { listIdleOwners, type Reply } from '@countersign/contract'
import { readCodes, type SafeState } from '@countersign/safe'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { chainRequest } from '../../api/chain-client.ts'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { type Names, shortNameOf } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { useRole } from '../../safe/safe.ts'
import { formatDay, formatList, formatNumber } from '../../text/locale.ts'
import { text } from '../../text/safe.ts'
import { Skeleton } from '../../ui/loading.tsx'
import { Section } from '../../ui/section.tsx'
import { type HealthPoint, healthAddresses, safeHealth } from './safe-health.ts'

/** Waits for the names of accounts in the queue, so that one request asks for both. */
const PATIENCE_MS = 100

function codesQuery({ chainId, address, ...state }: SafeState) {
  const addresses = healthAddresses(state)
  return queryOptions({
    // Below the key of the state: what outdates one outdates the other.
    queryKey: [...queryKeys.safeState(chainId, address), 'codes', addresses],
    queryFn: () => readCodes((asked) => chainRequest(chainId)({ ...asked, patience: PATIENCE_MS }), addresses),
    staleTime: 30_000,
  })
}

/** Owners who did nothing for long, as the server has read it: the team alone is told. */
function idleQuery({ chainId, address: safeAddress }: SafeState, isMember: boolean) {
  return queryOptions({
    queryKey: queryKeys.idleOwners(chainId, safeAddress),
    queryFn: ({ signal }) => api(listIdleOwners, { chainId, safeAddress }, signal),
    enabled: isMember,
    staleTime: 600_000,
  })
}

const looks = { good: 'text-accent', improve: 'text-warning', danger: 'text-danger', missing: 'text-unsure' } as const

const shapes = {
  good: 'M17.7 10a7.7 7.7 0 1 1-15.4 0 7.7 7.7 0 0 1 15.4 0zM6.6 10.3 9 12.7l4.6-5',
  improve: 'M10 2.6 18.2 17H1.8zM10 7.8v4.2M10 14.4v.1',
  danger: 'M6.7 1.8h6.6l4.9 4.9v6.6l-4.9 4.9H6.7l-4.9-4.9V6.7zM6 10h8',
  missing: 'M17.7 10a7.7 7.7 0 1 1-15.4 0 7.7 7.7 0 0 1 15.4 0zM6 10h8',
} as const

/** Findings about the Safe itself, whatever is proposed. */
export function Health({ state }: { state: SafeState }) {
  const names = useNames(state.chainId, state.address)
  const codes = useQuery(codesQuery(state))
  const isMember = useRole(state.chainId, state.address) !== null
  const idle = useQuery(idleQuery(state, isMember))
  // Both come before anything is drawn: a line that is added later would push what stands below.
  const points = codes.isPending || idle.isLoading ? null : healthOf(state, codes.data ?? {}, idle.data)
  const good = points?.filter(({ level }) => level === 'good') ?? []
  const open = points?.filter(({ level }) => level !== 'good') ?? []
  return (
    <Section
      title={text('health.title')}
      aside={points && text('health.count', { good: good.length, open: open.length })}
    >
      {points === null ? (
        <Skeleton label={text('health.loading')} lines={2} />
      ) : (
        <ul className="border-t border-rule-strong">
          {open.map((point) => (
            <Point key={point.id} level={point.level} id={point.id}>
              {wordsOf(point, names)}
            </Point>
          ))}
          {good.length > 0 && (
            <Point level="good" id="good">
              {text('health.good', { points: formatList(good.map(({ id }) => text(`health.good.${id}`))) })}
            </Point>
          )}
        </ul>
      )}
    </Section>
  )
}

type Idle = Reply<typeof listIdleOwners>
type IdlePoint = { id: 'idle'; level: 'good' | 'improve'; idle: Idle }

/** Points by the chain, and owners who did nothing by what the server has read of it; where that cannot be said, not a word. */
function healthOf(
  state: SafeState,
  codes: Parameters<typeof safeHealth>[1],
  idle: Idle | undefined,
): (HealthPoint | IdlePoint)[] {
  const points = safeHealth(state, codes)
  if (!idle?.isKnown) return points
  return [...points, { id: 'idle', level: idle.owners.length > 0 ? 'improve' : 'good', idle }]
}

function Point({ level, id, children }: { level: keyof typeof looks; id: string; children: string }) {
  return (
    <li data-health={id} data-level={level} className="flex gap-3 border-b border-rule py-2.5">
      <svg
        aria-hidden="true"
        width="18"
        height="18"
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
        className={`mt-0.5 shrink-0 ${looks[level]}`}
      >
        <path d={shapes[level]} />
      </svg>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  )
}

/** Addresses by the names that the page knows, each with the whole address. */
function namedList(addresses: readonly string[], names: Names): string {
  return formatList(
    addresses.map((address) => {
      const name = shortNameOf(address, names)
      return name === undefined ? address : text('health.named', { name, address })
    }),
  )
}

function wordsOf(point: HealthPoint | IdlePoint, names: Names): string {
  switch (point.id) {
    case 'code':
      return point.level === 'danger'
        ? text('health.code.danger')
        : text('health.code.old', { version: point.version ?? '' })
    case 'handler':
      return text(point.level === 'missing' ? 'health.handler.missing' : 'health.handler', {
        address: point.address ?? '',
      })
    case 'modules':
      return text('health.modules', { count: point.addresses.length, addresses: namedList(point.addresses, names) })
    case 'guard':
      return text('health.guard', { addresses: namedList(point.addresses, names) })
    case 'threshold':
      return text(`health.threshold.${point.is}`)
    case 'idle':
      return text('health.idle', {
        count: point.idle.owners.length,
        addresses: namedList(point.idle.owners, names),
        since: formatDay(point.idle.since.slice(0, 10)),
        transactions: formatNumber(point.idle.transactions),
      })
    case 'owners':
      return text(point.level === 'missing' ? 'health.owners.missing' : 'health.owners', {
        count: point.addresses.length,
        addresses: namedList(point.addresses, names),
      })
  }
}
