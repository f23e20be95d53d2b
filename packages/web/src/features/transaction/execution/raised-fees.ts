import { type Hex, isHex } from 'viem'
import type { RpcRequest } from '../../../api/chain-client.ts'
import { fail } from '../../../text/fail.ts'
import type { Replacement } from '../../../wallet/signing.ts'

/** A transaction that waits, as the node has it. Its fees may be a lie: the wallet shows what it is asked to pay. */
type Waiting = { nonce?: unknown; maxFeePerGas?: unknown; maxPriorityFeePerGas?: unknown; gasPrice?: unknown }

/**
 * The nonce of a transaction that waits, with fees that make nodes prefer what takes its place: a quarter more, and above the
 * base fee even if that doubles. Nodes ask for a tenth more, of each of the two.
 *
 * @param baseFee of the newest block, in wei; null on chains without one
 */
export function raisedFees(waiting: Waiting, baseFee: bigint | null): Replacement | null {
  const { nonce, maxFeePerGas, maxPriorityFeePerGas, gasPrice } = waiting
  if (!isHex(nonce)) return null
  const place = { nonce: Number(nonce) }
  if (isHex(maxFeePerGas) && isHex(maxPriorityFeePerGas)) {
    const tip = raised(maxPriorityFeePerGas)
    const enough = (baseFee ?? 0n) * 2n + tip
    const most = raised(maxFeePerGas)
    return { ...place, maxPriorityFeePerGas: tip, maxFeePerGas: most > enough ? most : enough }
  }
  return isHex(gasPrice) ? { ...place, gasPrice: raised(gasPrice) } : null
}

function raised(fee: Hex): bigint {
  return (BigInt(fee) * 5n) / 4n + 1n
}

/**
 * Reads what takes the place of a transaction that waits.
 *
 * @throws CountersignError `RPC_ERROR` when the node does not have it any more
 */
export async function readRaisedFees(request: RpcRequest, transactionHash: Hex): Promise<Replacement> {
  const [waiting, block] = await Promise.all([
    request({ method: 'eth_getTransactionByHash', params: [transactionHash] }),
    request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
  ])
  const { baseFeePerGas } = (block ?? {}) as { baseFeePerGas?: unknown }
  const fees = raisedFees((waiting ?? {}) as Waiting, isHex(baseFeePerGas) ? BigInt(baseFeePerGas) : null)
  if (fees === null) throw fail('RPC_ERROR', { reason: 'gas', value: String(waiting) })
  return fees
}
