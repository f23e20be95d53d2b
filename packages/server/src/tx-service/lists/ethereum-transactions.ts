import { CountersignError } from '@countersign/safe'
import { type Address, getAddress, type Hex } from 'viem'
import { type Chain, unreachable } from '../../rpc/clients.ts'
import { readEthereumTransaction } from '../../rpc/logs.ts'

export type EthereumTransaction = { from: Address; to: Address | null; input: Hex }

/** Asked for at a time: each may bring as much calldata as a block takes. */
const AT_ONCE = 10
/** Characters of calldata in one answer. */
const MAX_CHARACTERS = 2 * 1024 * 1024

/**
 * Ethereum transactions by hash, from the node. One that the node does not have any more is null; those for
 * which an answer has no room are not there.
 *
 * @throws CountersignError `CHAIN_UNREACHABLE`
 */
export async function readEthereumTransactions(
  { request, settings }: Chain,
  hashes: readonly Hex[],
): Promise<Map<Hex, EthereumTransaction | null>> {
  const read = async (hash: Hex): Promise<EthereumTransaction | null> => {
    try {
      const { from, to, input } = await readEthereumTransaction(request, hash)
      return { from: getAddress(from), to: to && getAddress(to), input }
    } catch (error) {
      if (error instanceof CountersignError) return null
      throw unreachable(settings, error)
    }
  }
  const found = new Map<Hex, EthereumTransaction | null>()
  let characters = 0
  const all = [...new Set(hashes)]
  for (let at = 0; at < all.length && characters < MAX_CHARACTERS; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE)
    const transactions = await Promise.all(some.map(read))
    for (const [index, transaction] of transactions.entries()) {
      const hash = some[index]
      if (hash === undefined || characters >= MAX_CHARACTERS) break
      found.set(hash, transaction)
      characters += transaction?.input.length ?? 0
    }
  }
  return found
}
