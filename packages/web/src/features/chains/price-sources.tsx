import { listPriceSources, type PriceSource } from '@countersign/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { isAddress } from 'viem'
import { api } from '../../api/client.ts'
import { useChains, useConfiguration } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { formatTime } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Loaded } from '../../ui/list.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { text } from './text.ts'

const priceSourcesQuery = queryOptions({
  queryKey: queryKeys.priceSources,
  queryFn: ({ signal }) => api(listPriceSources, {}, signal),
  refetchInterval: 60_000,
})

/** Where prices come from, how new they are, and why those of a source are not used. Nothing where the operator names none. */
export function PriceSources() {
  const { currency } = useConfiguration()
  return currency === null ? null : <Sources currency={currency} />
}

function Sources({ currency }: { currency: string }) {
  return (
    <Section title={text('chains.prices')}>
      <p className="mb-3 max-w-prose text-ink-soft">{text('chains.prices.what', { currency })}</p>
      <Loaded of={useQuery(priceSourcesQuery)} loading={text('chains.loading')}>
        {({ sources }) =>
          sources.length === 0 ? (
            <p className="text-ink-soft">{text('chains.prices.none')}</p>
          ) : (
            <Rows label={text('chains.prices')}>
              {sources.map((source) => (
                <Row key={`${source.kind} ${source.chainId} ${source.token} ${source.name}`}>
                  <Source source={source} />
                </Row>
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Section>
  )
}

function Source({
  source: { kind, name, chainId, token, minutes, prices, refused, newestAt, fault },
}: {
  source: PriceSource
}) {
  const chain = useChains().find((one) => one.chainId === chainId)
  const asset =
    token === 'native'
      ? chain?.nativeCurrency.symbol
      : (chain?.tokens.find(({ address }) => address === token)?.symbol ?? token ?? undefined)
  const of = { asset: showUntrusted(asset ?? '', 42), name: showUntrusted(chain?.name ?? String(chainId), 60) }
  return (
    <div data-price-source={kind} className="grid gap-1">
      {chainId !== null && isAddress(name) ? (
        <>
          <p>{minutes === null ? text('chains.prices.feed', of) : text('chains.prices.pool', { ...of, minutes })}</p>
          <Address address={name} hasAvatar={false} />
        </>
      ) : (
        <p className="figures wrap-anywhere">{showUntrusted(name, 200)}</p>
      )}
      <p className="text-small text-ink-soft">
        {text('chains.prices.count', { count: prices })}
        {newestAt !== null && ` · ${text('chains.prices.newest', { time: formatTime(new Date(newestAt)) })}`}
        {refused > 0 && ` · ${text('chains.prices.refused', { count: refused })}`}
      </p>
      {fault !== null && (
        <p className="text-small text-warning" data-fault={fault}>
          {text(`chains.prices.fault.${fault}`)}
        </p>
      )}
    </div>
  )
}
