import { CountersignError } from '@countersign/safe-core'
import { type Address, getAddress, type Hex } from 'viem'
import { type Chain, unreachable } from '../chain/clients.ts'
import { readEthereumTransaction } from '../chain/logs.ts'

export type EthereumTransaction = { from: Address; to: Address | null; input: Hex }

/**
 * Ethereum transactions by hash, from the node. One that the node does not have any more is missing.
 *
 * @throws CountersignError `CHAIN_UNREACHABLE`
 */
export async function readEthereumTransactions(
  { request, settings }: Chain,
  hashes: readonly Hex[],
): Promise<Map<Hex, EthereumTransaction>> {
  const found = await Promise.all(
    [...new Set(hashes)].map(async (hash): Promise<[Hex, EthereumTransaction][]> => {
      try {
        const { from, to, input } = await readEthereumTransaction(request, hash)
        return [[hash, { from: getAddress(from), to: to && getAddress(to), input }]]
      } catch (error) {
        if (error instanceof CountersignError) return []
        throw unreachable(settings, error)
      }
    }),
  )
  return new Map(found.flat())
}
