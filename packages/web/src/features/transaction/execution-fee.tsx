import { useQuery } from '@tanstack/react-query'
import { type Address, isHex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { useChain } from '../../api/configuration.ts'
import { currencyOf } from '../../review/names.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { formatAmount, shortenAmount } from '../../ui/amount/format-amount.ts'
import { text } from './text.ts'

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
  return (
    <>
      {data.held < fee ? (
        <p className="text-small text-warning" role="status">
          {text('execute.fee.short', { ...values, missing: coins(fee - data.held) })}
        </p>
      ) : (
        <p className="text-small text-ink-soft">{text('execute.fee.estimate', values)}</p>
      )}
      {data.waiting > 0 && (
        <p className="text-small text-warning" role="status">
          {text('execute.fee.waiting', { count: data.waiting, nonce: data.nonce })}
        </p>
      )}
    </>
  )
}

type Prices = {
  price: bigint
  held: bigint
  /** The next nonce of the account, and how many of its transactions are not mined yet. */
  nonce: number
  waiting: number
}

/** Null where the node does not say: the wallet shows the fee in any case. */
async function readPrices(chainId: number, account: Address): Promise<Prices | null> {
  const request = chainRequest(chainId)
  const [price, held, mined, known] = await Promise.all([
    request({ method: 'eth_gasPrice' }),
    request({ method: 'eth_getBalance', params: [account, 'latest'] }),
    request({ method: 'eth_getTransactionCount', params: [account, 'latest'] }),
    request({ method: 'eth_getTransactionCount', params: [account, 'pending'] }),
  ])
  if (!isHex(price) || !isHex(held) || !isHex(mined)) return null
  const [done, all] = [Number(mined), isHex(known) ? Number(known) : Number(mined)]
  return { price: BigInt(price), held: BigInt(held), nonce: Math.max(done, all), waiting: Math.max(all - done, 0) }
}
