import { listOutboundHosts } from '@countersign/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { formatTime } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Loaded } from '../../ui/list.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { text } from './text.ts'

/** Hosts, and whether the account may have the configuration that names them read again. */
export const outboundQuery = queryOptions({
  queryKey: queryKeys.outboundHosts,
  queryFn: ({ signal }) => api(listOutboundHosts, {}, signal),
  refetchInterval: 30_000,
})

/** Every host that the product connects to, what for, and when last. */
export function OutboundHosts() {
  return (
    <Section title={text('chains.outbound')}>
      <p className="mb-3 max-w-prose text-ink-soft">{text('chains.outbound.what')}</p>
      <Loaded of={useQuery(outboundQuery)} loading={text('chains.loading')}>
        {({ hosts }) => (
          <Rows label={text('chains.outbound')}>
            {hosts.map(({ host, purpose, chain, by, lastAt }) => (
              <Row key={`${purpose} ${chain} ${host}`}>
                <div data-outbound={purpose} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
                  <div className="min-w-0">
                    {host !== null && <p className="figures wrap-anywhere">{showUntrusted(host, 100)}</p>}
                    <p className={host === null ? '' : 'text-small text-ink-soft'}>
                      {purpose === 'node' || purpose === 'transaction-service'
                        ? text(`chains.outbound.${purpose}`, { name: showUntrusted(chain ?? '', 60) })
                        : text(`chains.outbound.${purpose}`)}
                    </p>
                  </div>
                  <p className="text-small text-ink-soft">
                    {text(`chains.outbound.by.${by}`)}
                    {by === 'server' && (
                      <>
                        {' · '}
                        {lastAt === null
                          ? text('chains.outbound.never')
                          : text('chains.outbound.last', { time: formatTime(new Date(lastAt)) })}
                      </>
                    )}
                  </p>
                </div>
              </Row>
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  )
}
