import { newSafeReleases, readCodes } from '@countersign/safe'
import { queryOptions } from '@tanstack/react-query'
import { type Address, isHex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { readDataFee } from '../../safe/execution/data-fee.ts'
import { estimateExecution } from '../../safe/execution/encode-execution.ts'
import { type PlannedSafe, releaseKey } from './creation-draft.ts'

/** The releases whose contracts a chain has, by the hashes of their code. The review looks at them again. */
export function releasesQuery(chainId: number) {
  return queryOptions({
    queryKey: ['creation-releases', chainId],
    queryFn: async () => {
      const releases = newSafeReleases()
      const parts = releases.flatMap(({ contracts }) => Object.values(contracts))
      const codes = await readCodes(chainRequest(chainId), [...new Set(parts.map(({ address }) => address))])
      return releases
        .filter(({ contracts }) =>
          Object.values(contracts).every(
            ({ address, codeHash }) => codes[address.toLowerCase()]?.codeHash === codeHash && codeHash !== null,
          ),
        )
        .map(releaseKey)
    },
    staleTime: 60_000,
  })
}

/** The fee that a creation may cost at the gas price of now, and what the account holds. In wei. */
export function costQuery({ factory, data }: PlannedSafe, chainId: number, account: Address | null) {
  return queryOptions({
    queryKey: ['creation-cost', chainId, factory, data, account],
    queryFn: async () => {
      const request = chainRequest(chainId)
      const from: Address = account ?? factory
      const gas = await estimateExecution(request, { from, to: factory, data })
      const [dataFee, price, held] = await Promise.all([
        readDataFee(request, { data, gas }),
        request({ method: 'eth_gasPrice' }),
        request({ method: 'eth_getBalance', params: [from, 'latest'] }),
      ])
      return { fee: gas * toBigInt(price) + dataFee, held: toBigInt(held) }
    },
    enabled: account !== null,
    retry: false,
    staleTime: 15_000,
  })
}

function toBigInt(value: unknown): bigint {
  return isHex(value) && value !== '0x' ? BigInt(value) : 0n
}
