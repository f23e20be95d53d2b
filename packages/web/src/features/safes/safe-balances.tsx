import type { SafeState } from '@countersign/safe-core'
import { useQuery } from '@tanstack/react-query'
import { chainRequest } from '../../api/chain-client.ts'
import { useChain } from '../../api/configuration.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { text } from '../../text/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Row, Rows, Section } from '../../ui/section.tsx'
import { readTokenBalances } from './balances.ts'

/** The native coin and the listed tokens. */
export function SafeBalances({ state }: { state: SafeState }) {
  const chain = useChain(state.chainId)
  const tokens = chain?.tokens ?? []
  const balances = useQuery({
    // Below the key of the state: what outdates one outdates the other.
    queryKey: [...queryKeys.safeState(state.chainId, state.address), 'balances'],
    queryFn: () => readTokenBalances(chainRequest(state.chainId), state.address, tokens),
    enabled: tokens.length > 0,
  })
  const currency = chain?.nativeCurrency ?? { symbol: 'wei', decimals: 0 }
  return (
    <Section title={text('safe.balances')} aside={text('safe.balances.aside')}>
      <Rows label={text('safe.balances')}>
        <Row>
          <Amount
            value={state.balance}
            decimals={currency.decimals}
            symbol={showUntrusted(currency.symbol, 20)}
            isLarge
          />
        </Row>
        {balances.data?.map(({ token, value }) => (
          <Row key={token.address}>
            {value === null ? (
              <span className="text-warning">
                {showUntrusted(token.symbol, 20)}: {text('safe.balances.unread')}
              </span>
            ) : (
              <Amount value={value} decimals={token.decimals} symbol={showUntrusted(token.symbol, 20)} isLarge />
            )}
            <div className="mt-1">
              <Address address={token.address} name={showUntrusted(token.name, 60)} hasAvatar={false} />
            </div>
          </Row>
        ))}
      </Rows>
      {tokens.length > 0 && balances.isPending && <Loading label={text('safe.balances.loading')} />}
    </Section>
  )
}
