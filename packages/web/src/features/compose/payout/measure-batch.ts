import { domainVersion, type SafeState } from '@countersign/safe'
import { executionSize, gasToOffer } from '@countersign/safe/calls'
import { composeSafeTx } from '@countersign/safe/compose'
import { readHeader } from '@countersign/simulation'
import type { Address } from 'viem'
import { chainRequest } from '../../../api/chain-client.ts'
import { askWorker } from '../../../evidence/worker/ask-worker.ts'
import { type FailingBatch, measuredGas } from './measured-gas.ts'
import type { ListedCalls } from './payout-messages.ts'
import { batchLimits, type MeasuredPayments } from './split-payments.ts'

/** Reads what one transaction of this chain may take, and how to measure one: each is run in the page on the newest block. */
export async function readMeasure(safe: SafeState, multiSend: Address, executor: Address) {
  const { chainId } = safe
  const header = await readHeader(chainRequest(chainId))
  const limits = batchLimits(header.gasLimit)
  const measure = async ({ calls, lines }: ListedCalls): Promise<MeasuredPayments | FailingBatch> => {
    const safeTx = composeSafeTx(calls, { nonce: safe.nonce, multiSend })
    if (safeTx === null) return { gas: null, bytes: 0 }
    const { address: safeAddress, owners, threshold } = safe
    const run = {
      kind: 'safe-transaction',
      safeAddress,
      owners,
      threshold,
      safeTx,
      executor,
      confirmations: [],
    } as const
    const need = { chainId, blockNumber: header.number, run: { ...run, version: domainVersion(safe) } }
    const gas = measuredGas(await askWorker('simulate', need), { multiSend, lines })
    const bytes = executionSize(safeTx, safe)
    if (gas === null) return { gas, bytes }
    return typeof gas === 'bigint' ? { gas: gasToOffer(gas, { signatures: threshold, safeTxGas: 0n }), bytes } : gas
  }
  return { limits, measure }
}
