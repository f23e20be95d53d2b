import { listTokenLists, type TokenListStatus } from '@countersign/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useChains } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { serverNow } from '../../device/server-time.ts'
import { formatDuration, formatList, formatTime } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Loaded } from '../../ui/list.tsx'
import { Details, Row, Rows, Section } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { text } from './text.ts'

const HOUR_MS = 3_600_000
/** A list that nobody renewed for so long may lack tokens, or name ones that are abandoned. */
const OLD_MS = 90 * 24 * HOUR_MS

const tokenListsQuery = queryOptions({
  queryKey: queryKeys.tokenLists,
  queryFn: ({ signal }) => api(listTokenLists, {}, signal),
  refetchInterval: 30_000,
})

/** The token lists that are in use: how old each is, what it lists here, and what of it is refused. */
export function TokenLists() {
  return (
    <Section title={text('chains.lists')}>
      <p className="mb-3 max-w-prose text-ink-soft">{text('chains.lists.what')}</p>
      <Loaded of={useQuery(tokenListsQuery)} loading={text('chains.loading')}>
        {({ lists }) =>
          lists.length === 0 ? (
            <p className="text-ink-soft">{text('chains.lists.none')}</p>
          ) : (
            <Rows label={text('chains.lists')}>
              {lists.map((list) => (
                <Row key={`${list.kind} ${list.source} ${list.name}`}>
                  <TokenList list={list} />
                </Row>
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Section>
  )
}

function TokenList({ list }: { list: TokenListStatus }) {
  const { name, kind, source, version, madeAt, fault, refused } = list
  const count = refused.reduce((sum, one) => sum + one.count, 0)
  return (
    <div data-token-list={kind} className="grid gap-1">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="min-w-0">
          <span className="font-medium wrap-anywhere">{showUntrusted(name, 60)}</span>
          {version !== null && <span className="text-small text-ink-soft"> {showUntrusted(version, 30)}</span>}
        </p>
        {isOld(list) && <Tag tone="warning">{text('chains.lists.old')}</Tag>}
      </div>
      <p className="text-small text-ink-soft wrap-anywhere">
        {source === null
          ? text('chains.lists.release')
          : text(kind === 'file' ? 'chains.lists.file' : 'chains.lists.url', { source: showUntrusted(source, 200) })}
        {madeAt !== null && ` · ${text('chains.lists.made', { time: formatTime(new Date(madeAt)) })}`}
      </p>
      <Tokens list={list} />
      {kind === 'url' && <p className="text-small text-ink-soft">{asked(list)}</p>}
      {fault !== null && (
        <p className="text-small text-warning" data-fault={fault.reason}>
          {text('chains.lists.fault', { time: formatTime(new Date(fault.at)), why: faultText(fault) })}{' '}
          {list.fetchedAt === null ? text('chains.lists.fault.none') : text('chains.lists.fault.kept')}
        </p>
      )}
      {count > 0 && (
        <Details summary={text('chains.lists.refused', { count })}>
          <ul className="grid gap-2 text-small">
            {refused.map((one) => (
              <li key={one.reason} data-refused={one.reason}>
                {text(`chains.lists.refused.${one.reason}`, { count: one.count })}
                <ul className="figures wrap-anywhere text-ink-soft">
                  {one.examples.map((example) => (
                    <li key={example}>{showUntrusted(example, 80)}</li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </Details>
      )}
    </div>
  )
}

function Tokens({ list: { chains: counts, otherChains } }: { list: TokenListStatus }) {
  const chains = useChains()
  const parts = counts.map(({ chainId, tokens: count }) => {
    const name = showUntrusted(chains.find((chain) => chain.chainId === chainId)?.name ?? String(chainId), 60)
    return text('chains.lists.tokens', { count, name })
  })
  return (
    <p className="text-small">
      {parts.length === 0 ? text('chains.lists.tokens.none') : formatList(parts)}
      {otherChains > 0 && <span className="text-ink-soft"> {text('chains.lists.others', { count: otherChains })}</span>}
    </p>
  )
}

/** When the host last gave the list, or said that it is still the same, and when it is asked again. */
function asked({ fetchedAt, confirmedAt, everyHours }: TokenListStatus): string {
  const every = text('chains.lists.every', { duration: formatDuration((everyHours ?? 0) * HOUR_MS) })
  const last = confirmedAt ?? fetchedAt
  return last === null ? every : `${text('chains.lists.fetched', { time: formatTime(new Date(last)) })} · ${every}`
}

function isOld({ kind, madeAt, confirmedAt }: TokenListStatus): boolean {
  const last = kind === 'url' ? confirmedAt : madeAt
  return last !== null && serverNow() - new Date(last).getTime() > OLD_MS
}

function faultText({ reason, detail }: NonNullable<TokenListStatus['fault']>): string {
  return reason === 'status'
    ? text('chains.lists.fault.status', { status: showUntrusted(detail ?? '', 10) })
    : text(`chains.lists.fault.${reason}`)
}
