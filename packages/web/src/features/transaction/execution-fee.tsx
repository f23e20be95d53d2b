import { useQuery } from '@tanstack/react-query'
import { type Address, type Hex, isHex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { useChain } from '../../api/configuration.ts'
import { gasOfExecution } from '../../review/execution.ts'
import { currencyOf } from '../../review/names.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { formatAmount, shortenAmount } from '../../ui/amount/format-amount.ts'
import { text } from './text.ts'

const REFRESH_MS = 5_000

/**
 * The fee that an execution may cost by present prices, and whether the account that sends it holds that much. `gas` is by the
 * review's run; the node is asked for the `call` too, since some chains count as gas what no run sees.
 */
export function ExecutionFee({ chainId, account, gas: byRun, call = null }: FeeOf) {
  const { symbol, decimals } = currencyOf(useChain(chainId))
  const { data } = useQuery({
    queryKey: ['execution-fee', chainId, account],
    queryFn: () => readPrices(chainId, account),
    refetchInterval: REFRESH_MS,
  })
  const { data: byNode, isPending } = useQuery({
    queryKey: ['execution-gas', chainId, account, call, String(byRun)],
    queryFn: () => call && gasOfExecution(chainRequest(chainId), { from: account, ...call }, { byRun, isBatch: false }),
    staleTime: 60_000,
    retry: false,
  })
  if (!data || isPending) return null
  const fee = (byNode ?? byRun) * data.price
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

type FeeOf = {
  chainId: number
  account: Address
  gas: bigint
  /** None while confirmations are missing, and of several executions: the later ones fail before the first is done. */
  call?: { to: Address; data: Hex } | null
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
