import type { SafeState, TokenReading } from '@countersign/safe'
import { useQuery } from '@tanstack/react-query'
import { useChain } from '../../api/configuration.ts'
import { holdingsOf } from '../../safe/worth/holdings.ts'
import type { NamedToken } from '../../safe/worth/listed-tokens.ts'
import { Worth } from '../../safe/worth/worth.tsx'
import { showUntrusted } from '../../text/untrusted.ts'
import { Amount } from '../../ui/amount/amount.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { listedTokensQuery, shownTokens, useShownTokens } from './assets.ts'
import { NamedAmount } from './named-amount.tsx'
import { text } from './text.ts'
import { unreadText } from './unread-text.ts'

/** The native coin and the listed tokens that the Safe has, one line each. */
export function Balances({ state }: { state: SafeState }) {
  const chain = useChain(state.chainId)
  const { tokens } = useShownTokens(chain, state.address)
  const listed = useQuery(listedTokensQuery(state.chainId, state.address, tokens))
  const readings = new Map(listed.data?.map((reading) => [reading.address.toLowerCase(), reading]))
  const currency = chain?.nativeCurrency ?? { name: '', symbol: 'wei', decimals: 0 }
  return (
    <Section
      title={text('assets.balances')}
      aside={
        <TextLink
          to="/safes/$chainId/$safeAddress/assets"
          params={{ chainId: state.chainId, safeAddress: state.address }}
        >
          {text('assets.all')}
        </TextLink>
      }
    >
      <Rows label={text('assets.balances')}>
        <Row>
          <Line name={showUntrusted(currency.name, 60)}>
            <Amount value={state.balance} decimals={currency.decimals} symbol={showUntrusted(currency.symbol, 20)} />{' '}
            <Worth
              chainId={state.chainId}
              holding={{ token: null, amount: state.balance, decimals: currency.decimals }}
            />
          </Line>
        </Row>
        {shownTokens(tokens, readings).map((token) => (
          <Row key={token.address}>
            <Line name={showUntrusted(token.name, 60)} address={token.address}>
              <Balance
                token={token}
                reading={readings.get(token.address.toLowerCase())}
                isPending={listed.isPending && !listed.error}
              />{' '}
              {holdingsOf([token], readings).map((holding) => (
                <Worth key={token.address} chainId={state.chainId} holding={holding} />
              ))}
            </Line>
          </Row>
        ))}
      </Rows>
    </Section>
  )
}

function Line({ name, address, children }: { name: string; address?: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4" title={address}>
      <span>{name}</span>
      <span className="text-right font-medium">{children}</span>
    </div>
  )
}

function Balance({
  token,
  reading,
  isPending,
}: {
  token: NamedToken
  reading: TokenReading | undefined
  isPending: boolean
}) {
  const symbol = showUntrusted(token.symbol, 20)
  if (reading === undefined && isPending)
    return <span className="breathing inline-block h-2.5 w-24 rounded-control bg-rule" />
  const balance = reading?.balance ?? 'unread'
  const own = reading?.decimals ?? null
  if (own !== null && own !== token.decimals)
    return <span className="text-danger">{text('assets.decimals', { symbol, listed: token.decimals, own })}</span>
  if (typeof balance === 'bigint') return <NamedAmount token={token} balance={balance} own={own} />
  return <span className="text-warning">{unreadText(balance)}</span>
}
