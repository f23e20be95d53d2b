import { useQuery } from '@tanstack/react-query'
import { type Address, isHex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { useChain } from '../../api/configuration.ts'
import { currencyOf } from '../../review/names.ts'
import { text } from '../../review/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { formatAmount, shortenAmount } from '../../ui/amount/format-amount.ts'

const REFRESH_MS = 5_000

/** The fee that an execution may cost by present prices, and whether the account that sends it holds that much. */
export function ExecutionFee({ chainId, account, gas }: { chainId: number; account: Address; gas: bigint }) {
  const { symbol, decimals } = currencyOf(useChain(chainId))
  const { data } = useQuery({
    queryKey: ['execution-fee', chainId, account],
    queryFn: () => readPrices(chainId, account),
    refetchInterval: REFRESH_MS,
  })
  if (!data) return null
  const fee = gas * data.price
  const coins = (value: bigint) =>
    `${shortenAmount(value, decimals) ?? formatAmount(value, decimals)} ${showUntrusted(symbol, 20)}`
  const values = { fee: coins(fee), held: coins(data.held) }
  return data.held < fee ? (
    <p className="text-small text-warning" role="status">
      {text('execute.fee.short', { ...values, missing: coins(fee - data.held) })}
    </p>
  ) : (
    <p className="text-small text-ink-soft">{text('execute.fee.estimate', values)}</p>
  )
}

/** Null where the node does not say: the wallet shows the fee in any case. */
async function readPrices(chainId: number, account: Address): Promise<{ price: bigint; held: bigint } | null> {
  const request = chainRequest(chainId)
  const [price, held] = await Promise.all([
    request({ method: 'eth_gasPrice' }),
    request({ method: 'eth_getBalance', params: [account, 'latest'] }),
  ])
  return isHex(price) && isHex(held) ? { price: BigInt(price), held: BigInt(held) } : null
}
