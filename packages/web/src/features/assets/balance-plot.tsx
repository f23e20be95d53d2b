import type { Chain } from '@countersign/contract'
import type { SafeState, TokenReading } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Address as AddressType, isAddress } from 'viem'
import { formatTime } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { Empty } from '../../ui/empty.tsx'
import { SelectField } from '../../ui/form/field.tsx'
import { Skeleton } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Step, StepMark, StepPlot } from '../../ui/plot/step-plot.tsx'
import { NotLoaded, QueryProblem } from '../../ui/problem.tsx'
import { Details } from '../../ui/section.tsx'
import { Time } from '../../ui/text/time.tsx'
import { imitatedSymbol } from './assets.ts'
import { type BalanceHistory, balanceHistoryQuery, type Period } from './balance-history.ts'
import { text } from './balance-text.ts'
import { unitOf } from './unlisted-tokens.tsx'

const periods = [null, 365, 90, 30] as const satisfies readonly Period[]

type Asset = { token: AddressType | 'native'; label: string; symbol: string; decimals: number; isListed: boolean }

/** How much of one asset the Safe had, over time. */
export function BalancePlot({
  state: { chainId, address: safeAddress },
  chain,
  unlisted,
}: {
  state: SafeState
  chain: Chain
  unlisted: readonly TokenReading[]
}) {
  const assets = assetsOf(chain, unlisted)
  const [token, setToken] = useState('native')
  const [period, setPeriod] = useState<Period>(null)
  const asset = assets.find((asset) => asset.token === token) ?? assets[0]
  const found = useQuery(balanceHistoryQuery(chainId, safeAddress, asset?.token ?? 'native', period))
  if (!asset) return null
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={text('balances.asset')}
          value={asset.token}
          onChange={(event) => setToken(event.target.value)}
        >
          {assets.map((asset) => (
            <option key={asset.token} value={asset.token}>
              {asset.label}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={text('balances.period')}
          value={String(period)}
          onChange={(event) => setPeriod(periods.find((period) => String(period) === event.target.value) ?? null)}
        >
          {periods.map((period) => (
            <option key={String(period)} value={String(period)}>
              {text(`balances.period.${period ?? 'all'}`)}
            </option>
          ))}
        </SelectField>
      </div>
      {!asset.isListed && <Address address={asset.token} hasAvatar={false} />}
      {found.isPending && found.fetchStatus === 'paused' ? (
        <NotLoaded />
      ) : found.isPending ? (
        <Skeleton label={text('balances.loading')} lines={4} />
      ) : (
        <>
          {found.error && <QueryProblem error={found.error} onRetry={() => void found.refetch()} />}
          {found.data?.kind === 'reading' && (
            <Notice title={text('balances.reading')}>{text('balances.reading.sentence')}</Notice>
          )}
          {found.data?.kind === 'unread' && (
            <Notice tone="warning" title={text('balances.unread', { block: found.data.blockNumber })}>
              {text('balances.unread.sentence', { block: found.data.blockNumber })}
            </Notice>
          )}
          {found.data?.kind === 'history' && (
            <DrawnHistory history={found.data.history} asset={asset} period={period} />
          )}
        </>
      )}
    </div>
  )
}

function assetsOf(chain: Chain, unlisted: readonly TokenReading[]): Asset[] {
  const { nativeCurrency, tokens } = chain
  const native = showUntrusted(nativeCurrency.symbol, 20)
  return [
    { token: 'native', label: native, symbol: native, decimals: nativeCurrency.decimals, isListed: true },
    ...tokens.flatMap(({ address, symbol, decimals }): Asset[] => {
      const shown = showUntrusted(symbol, 20)
      return isAddress(address) ? [{ token: address, label: shown, symbol: shown, decimals, isListed: true }] : []
    }),
    ...unlisted.map(
      (token): Asset => ({
        token: token.address,
        label: text('balances.asset.unlisted', { address: token.address }),
        symbol: unitOf(token, imitatedSymbol(token, chain)),
        decimals: token.decimals ?? 0,
        isListed: false,
      }),
    ),
  ]
}

function DrawnHistory({ history, asset, period }: { history: BalanceHistory; asset: Asset; period: Period }) {
  const { changes, first, balance, blockNumber, count, readAt } = history
  const { symbol, decimals } = asset
  const stepText = ({ at, value, isMarked }: Step) =>
    text(isMarked ? 'balances.step.unexplained' : 'balances.step', {
      amount: formatAmount(value, decimals),
      symbol,
      time: formatTime(new Date(at)),
    })
  const steps: Step[] = [
    ...(first ? [{ at: first.at, value: first.balance, isMarked: false }] : []),
    ...changes.map(({ at, balance: value, isUnexplained }) => ({ at, value, isMarked: isUnexplained })),
  ]
  return (
    <>
      {steps.length === 0 ? (
        <Empty title={text('balances.none')}>
          {text('balances.none.sentence', { amount: formatAmount(balance, decimals), symbol })}
        </Empty>
      ) : (
        <StepPlot
          // Another asset has other steps: none of them is chosen yet.
          key={`${asset.token} ${period}`}
          label={text('balances.plot', { symbol })}
          steps={steps}
          end={readAt}
          decimals={decimals}
          stepText={stepText}
        />
      )}
      <Agreement history={history} asset={asset} />
      <div className="grid gap-1 text-small text-ink-soft">
        {changes.some(({ isUnexplained }) => isUnexplained) && (
          <p>
            <StepMark /> {text('balances.marked')}
          </p>
        )}
        {count > changes.length && <p>{text('balances.thinned', { changes: count, points: changes.length })}</p>}
        <p>{text('balances.end', { block: blockNumber })}</p>
      </div>
      {changes.length > 0 && (
        <Details summary={text('balances.table')} hasRule={false}>
          <ChangeTable history={history} asset={asset} />
        </Details>
      )}
    </>
  )
}

/** Compares the sum of the transfers with the balance on the chain. */
function Agreement({
  history: { beyondHistory, hasUnexplained, changes },
  asset: { symbol, decimals },
}: {
  history: BalanceHistory
  asset: Asset
}) {
  const amount = formatAmount(beyondHistory < 0n ? -beyondHistory : beyondHistory, decimals)
  if (beyondHistory > 0n)
    return (
      <Notice tone="warning" title={text('balances.before')}>
        {text('balances.before.sentence', { amount, symbol })}
      </Notice>
    )
  if (beyondHistory < 0n)
    return (
      <Notice tone="warning" title={text('balances.missing')}>
        {text('balances.missing.sentence', { amount, symbol })}
      </Notice>
    )
  return changes.length > 0 ? (
    <p className="text-small text-ink-soft">{text(hasUnexplained ? 'balances.agree.unexplained' : 'balances.agree')}</p>
  ) : null
}

function ChangeTable({ history, asset: { symbol, decimals } }: { history: BalanceHistory; asset: Asset }) {
  const head = 'border-b border-rule-strong py-2 pr-4 text-left align-bottom font-semibold'
  const cell = 'border-b border-rule py-2 pr-4 align-top'
  const figure = `${cell} text-right whitespace-nowrap`
  const hasChange = history.count === history.changes.length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table may be wider than a phone, and is scrolled by keyboard too
    <section aria-label={text('balances.table')} tabIndex={0} className="max-h-96 overflow-auto">
      <table className="w-full text-small tabular-nums lining-nums">
        <caption className="pb-2 text-left text-ink-soft">{text('balances.table.caption', { symbol })}</caption>
        <thead>
          <tr>
            <th scope="col" className={head}>
              {text('balances.table.time')}
            </th>
            <th scope="col" className={`${head} text-right`}>
              {text('balances.table.balance')}
            </th>
            {hasChange && (
              <th scope="col" className={`${head} text-right`}>
                {text('balances.table.change')}
              </th>
            )}
            <th scope="col" className={`${head} text-right`}>
              {text('balances.table.block')}
            </th>
          </tr>
        </thead>
        <tbody>
          {history.changes.toReversed().map(({ blockNumber, at, balance, change, isUnexplained }) => (
            <tr key={blockNumber}>
              <td className={`${cell} min-w-28`}>
                <Time value={at} />
                {isUnexplained && <span className="block text-warning">{text('balances.table.unexplained')}</span>}
              </td>
              <td className={figure}>{formatAmount(balance, decimals)}</td>
              {hasChange && (
                <td className={figure}>
                  {change !== null && change > 0n ? '+' : ''}
                  {change === null ? null : formatAmount(change, decimals)}
                </td>
              )}
              <td className={figure}>{blockNumber}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
