import { useQuery } from '@tanstack/react-query'
import { type Address, type Hex, isHex } from 'viem'
import { chainRequest } from '../../../api/chain-client.ts'
import { useChain } from '../../../api/configuration.ts'
import { readDataFee } from '../../../safe/execution/data-fee.ts'
import { gasOfExecution } from '../../../safe/execution/encode-execution.ts'
import { currencyOf } from '../../../safe/names/names.ts'
import { showUntrusted } from '../../../text/untrusted.ts'
import { formatAmount, shortenAmount } from '../../../ui/amount/format-amount.ts'
import type { ChosenFees } from '../../../wallet/signing.ts'
import { text } from '../text.ts'

const REFRESH_MS = 5_000

/**
 * The fee that executions may cost by present prices, and whether the account that sends them holds that much. `gas` is by the
 * review's run. The node says more, once it answers: what a chain counts as gas that no run sees, and what it takes beside the gas.
 */
export function ExecutionFee({ chainId, account, gas: byRun, calls, chosen = {} }: FeeOf & { chosen?: ChosenFees }) {
  const { symbol, decimals } = currencyOf(useChain(chainId))
  const { data } = useQuery({
    queryKey: ['execution-fee', chainId, account],
    queryFn: () => readPrices(chainId, account),
    refetchInterval: REFRESH_MS,
  })
  const { data: byNode } = useQuery({
    queryKey: ['execution-gas', chainId, account, calls, String(byRun)],
    queryFn: () => readMore({ chainId, account, gas: byRun, calls }),
    enabled: calls.length > 0,
    staleTime: 60_000,
    retry: false,
  })
  if (!data) return null
  const gas = chosen.gas ?? byNode?.gas ?? byRun
  const dataFee = byNode?.dataFee ?? 0n
  const fee = gas * data.price + dataFee
  // A node takes no transaction whose account could not pay the highest fee, whatever is paid in the end.
  const isChosen = (chosen.maxFeePerGas ?? 0n) > data.price
  const needed = isChosen ? gas * (chosen.maxFeePerGas ?? 0n) + dataFee : fee
  const coins = (value: bigint) =>
    `${shortenAmount(value, decimals) ?? formatAmount(value, decimals)} ${showUntrusted(symbol, 20)}`
  const values = { fee: coins(fee), held: coins(data.held) }
  return (
    <>
      {data.held < needed ? (
        <p className="text-small text-warning" role="status">
          {text(isChosen ? 'execute.fee.short.chosen' : 'execute.fee.short', {
            ...values,
            fee: coins(needed),
            missing: coins(needed - data.held),
          })}
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
  /** None while confirmations are missing. */
  calls: readonly { to: Address; data: Hex }[]
}

/** Asks the node. Of several calls, the later ones fail before the first is done: their gas is by the run alone. */
async function readMore({ chainId, account, gas: byRun, calls }: FeeOf): Promise<{ gas: bigint; dataFee: bigint }> {
  const request = chainRequest(chainId)
  const [call, ...more] = calls
  const [gas, ...dataFees] = await Promise.all([
    call && more.length === 0 ? gasOfExecution(request, { from: account, ...call }, { byRun, isBatch: false }) : byRun,
    ...calls.map(({ data }) => readDataFee(request, { data, gas: byRun / BigInt(calls.length) })),
  ])
  return { gas, dataFee: dataFees.reduce((sum, fee) => sum + fee, 0n) }
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
