import type { Chain } from '@countersign/contract'
import type { SafeState, TokenReading } from '@countersign/safe'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useChain } from '../../api/configuration.ts'
import { currencyOf } from '../../safe/names/names.ts'
import { holdingsOf } from '../../safe/worth/holdings.ts'
import type { NamedToken } from '../../safe/worth/listed-tokens.ts'
import { TotalWorth, Worth } from '../../safe/worth/worth.tsx'
import { formatList } from '../../text/locale.ts'
import { withTexts } from '../../text/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { NotLoaded, QueryProblem } from '../../ui/problem.tsx'
import { Details, Row, Rows } from '../../ui/section.tsx'
import {
  isHeldOrUnread,
  joinPages,
  listedTokensQuery,
  movedTokensQuery,
  shownTokens,
  useShownTokens,
} from './assets.ts'
import { Collections } from './collections.tsx'
import { NamedAmount } from './named-amount.tsx'
import { text } from './text.ts'
import { UnlistedTokens } from './unlisted-tokens.tsx'
import { unreadText } from './unread-text.ts'

const BalancePlot = lazyPart(async () => (await withTexts(() => import('./balance-plot.tsx'))).BalancePlot)

/**
 * Shows the assets of a Safe: the native coin and the tokens that are listed here, then those that anybody may have
 * sent.
 */
export function SafeAssets({ state, isListed }: { state: SafeState; isListed: boolean | undefined }) {
  const chain = useChain(state.chainId)
  return (
    <section aria-label={text('assets.title')}>
      <p className="mb-3 text-small text-ink-soft">{text('assets.aside')}</p>
      <ListedAssets state={state} chain={chain} />
      {chain && isListed !== false && (
        <>
          <BalanceOverTime state={state} chain={chain} />
          <MovedAssets state={state} chain={chain} />
        </>
      )}
      {chain && isListed === false && <p className="mt-4 text-small text-ink-soft">{text('assets.notAdded')}</p>}
    </section>
  )
}

function ListedAssets({ state, chain }: { state: SafeState; chain: Chain | undefined }) {
  const { tokens, query: moved } = useShownTokens(chain, state.address)
  const listed = useQuery(listedTokensQuery(state.chainId, state.address, tokens))
  const readings = new Map(listed.data?.map((reading) => [reading.address.toLowerCase(), reading]))
  const currency = currencyOf(chain)
  const { chainId } = state
  const coin = { token: null, amount: state.balance, decimals: currency.decimals }
  return (
    <>
      {listed.data && <TotalWorth chainId={chainId} holdings={[coin, ...holdingsOf(tokens, readings)]} />}
      <Rows label={text('assets.listed')}>
        <Row>
          <span className="flex flex-wrap items-baseline gap-x-3">
            <Amount
              value={state.balance}
              decimals={currency.decimals}
              symbol={showUntrusted(currency.symbol, 20)}
              isLarge
            />
            <Worth chainId={chainId} holding={coin} />
          </span>
          <p className="font-semibold leading-5">{showUntrusted(currency.name, 60)}</p>
        </Row>
        {listed.data &&
          shownTokens(tokens, readings).map((token) => (
            <Row key={token.address}>
              <span className="flex flex-wrap items-baseline gap-x-3">
                <ListedBalance token={token} reading={readings.get(token.address.toLowerCase())} />
                {holdingsOf([token], readings).map((holding) => (
                  <Worth key={token.address} chainId={chainId} holding={holding} />
                ))}
              </span>
              <div className="mt-1 flex flex-wrap items-baseline gap-x-3">
                <Address address={token.address} name={showUntrusted(token.name, 60)} hasAvatar={false} />
                {token.lists && <ListedBy lists={token.lists} />}
              </div>
            </Row>
          ))}
      </Rows>
      {tokens.length > 0 && <Waiting query={listed} loading={text('assets.listed.loading')} />}
      {moved.error && <Waiting query={moved} loading={text('assets.listed.loading')} />}
    </>
  )
}

/** Names the lists that a token is on: the operator chose them, and did not name the token. */
function ListedBy({ lists }: { lists: readonly string[] }) {
  return (
    <span className="text-small text-ink-soft" data-listed-by>
      {text('assets.listedBy', { lists: formatList(lists.map((list) => showUntrusted(list, 60))) })}
    </span>
  )
}

function ListedBalance({ token, reading }: { token: NamedToken; reading: TokenReading | undefined }) {
  const symbol = showUntrusted(token.symbol, 20)
  const balance = reading?.balance ?? 'unread'
  const own = reading?.decimals ?? null
  if (own !== null && own !== token.decimals)
    return (
      <span className="text-danger" data-decimals={own}>
        {text('assets.decimals', { symbol, listed: token.decimals, own })}
      </span>
    )
  if (typeof balance === 'bigint') return <NamedAmount token={token} balance={balance} own={own} isLarge />
  return (
    <span className="text-warning">
      {symbol}: {unreadText(balance)}
    </span>
  )
}

/** Comes when it is opened: few look at it each day. */
function BalanceOverTime({ state, chain }: { state: SafeState; chain: Chain }) {
  const [isOpen, setIsOpen] = useState(false)
  const moved = useInfiniteQuery(movedTokensQuery(chain, state.address))
  const { tokens } = useShownTokens(chain, state.address)
  return (
    <Details summary={text('assets.overTime')} onToggle={setIsOpen}>
      {isOpen && (
        <Suspense fallback={<Loading label={text('app.loading')} />}>
          <BalancePlot
            state={state}
            chain={{ ...chain, tokens }}
            unlisted={joinPages(moved.data?.pages ?? []).tokens}
          />
        </Suspense>
      )}
    </Details>
  )
}

function MovedAssets({ state, chain }: { state: SafeState; chain: Chain }) {
  const moved = useInfiniteQuery(movedTokensQuery(chain, state.address))
  const { tokens, collections } = joinPages(moved.data?.pages ?? [])
  const kept = tokens.filter(isHeldOrUnread)
  const isEmpty = kept.length === 0 && !collections.some(({ items }) => items.some(isHeldOrUnread))
  return (
    <div className="mt-8 grid gap-8">
      {kept.length > 0 && <UnlistedTokens tokens={kept} chain={chain} />}
      {moved.data && <Collections collections={collections} chain={chain} />}
      <Waiting query={moved} loading={text('assets.moved.loading')} />
      {moved.data && (
        <div className="grid justify-items-start gap-3 text-small text-ink-soft">
          {tokens.length > kept.length && <p>{text('assets.gone', { count: tokens.length - kept.length })}</p>}
          {isEmpty && !moved.hasNextPage && <p>{text('assets.unlisted.none')}</p>}
          {moved.hasNextPage && (
            <Button
              onClick={() => void moved.fetchNextPage()}
              busy={moved.isFetchingNextPage ? text('assets.moved.loading') : undefined}
            >
              {text('assets.more')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

type Asked = { isPending: boolean; fetchStatus: string; error: Error | null; refetch: () => unknown; data: unknown }

/** Shows that an answer is missing or, beside an outdated one, that it could not be renewed. */
function Waiting({ query, loading }: { query: Asked; loading: string }) {
  if (query.isPending && query.fetchStatus === 'paused') return <NotLoaded />
  if (query.isPending) return <Loading label={loading} />
  if (!query.error) return null
  return (
    <div className="mt-4 grid gap-4">
      <QueryProblem error={query.error} isStale={query.data !== undefined} onRetry={() => void query.refetch()} />
      {query.data !== undefined && (
        <Notice tone="warning" title={text('safe.stale')}>
          {text('assets.stale.sentence')}
        </Notice>
      )}
    </div>
  )
}
