import { domainVersion, type RpcRequest, readSafeState, type SafeTx } from '@countersign/safe'
import type { Address } from 'viem'
import { createProvedReader } from '../proof/proved-reader.ts'
import { createProvedRequest } from '../proof/proved-request.ts'
import { type AskSources, readVouchedBlock, type Vouching } from '../proof/vouched-block.ts'
import type { PackEngine } from '../proof-pack/examine-pack.ts'
import type { SimulationResult } from '../simulation/simulation-result.ts'
import {
  compareWithReceipt,
  type Execution,
  type ExecutionReceipt,
  parseExecutionReceipt,
  type ReceiptDifference,
} from './execution-receipt.ts'

/** An execution, beside a run of the same transaction on the state before its block. */
export type ExaminedExecution = {
  receipt: ExecutionReceipt
  /** Whether the block of the receipt is the chain's own at its place, and who names it. */
  vouching: Vouching
  /** Null where the node no longer has that state. */
  result: SimulationResult | null
  /** Points in which the chain did something else; null where there is no run to compare. */
  differences: readonly ReceiptDifference[] | null
}

/**
 * Reads the receipt of an execution, and runs the same transaction again: on the state that the block before left behind,
 * with the time, the fees and the sender of the execution itself.
 *
 * @param ask.askSources who names the hash of the block
 * @returns null where the node has no receipt
 * @throws CountersignError `RPC_ERROR`, `PROOF_INVALID` where the receipt is of a block that is not the chain's
 * @example
 * const executed = await examineExecution({ chainId, safeAddress, safeTx, safeTxHash, transactionHash }, node, engine)
 */
export async function examineExecution(
  execution: Execution & { chainId: number; safeTx: SafeTx },
  node: { request: RpcRequest; askSources: AskSources; needed: number },
  engine: PackEngine,
): Promise<ExaminedExecution | null> {
  const { request } = node
  const { chainId, safeAddress, transactionHash } = execution
  const answer = await request({ method: 'eth_getTransactionReceipt', params: [transactionHash] })
  const receipt = parseExecutionReceipt(answer, execution)
  if (receipt === null) return null
  const block = await readVouchedBlock({ chainId, ...node, blockNumber: receipt.blockNumber })
  const { vouching } = block
  // A receipt of a block that was replaced tells of what never happened.
  if (block.hash !== receipt.blockHash)
    return {
      receipt,
      result: null,
      differences: null,
      vouching: { ...vouching, status: 'disagree' },
    }
  const result = await runBefore(execution, { ...node, block, receipt }, engine).catch(() => null)
  const isRun = result?.status === 'finished'
  return { receipt, vouching, result, differences: isRun ? compareWithReceipt(result, receipt, safeAddress) : null }
}

type At = {
  request: RpcRequest
  block: Awaited<ReturnType<typeof readVouchedBlock>>
  receipt: ExecutionReceipt
  needed: number
}

async function runBefore(
  { chainId, safeAddress, safeTx }: { chainId: number; safeAddress: Address; safeTx: SafeTx },
  { request, block, receipt, needed }: At,
  { runCall, run }: PackEngine,
): Promise<SimulationResult | null> {
  const { header, vouching, number } = block
  if (header === null || number === 0n) return null
  const nobody = async () => []
  const before = await readVouchedBlock({ chainId, request, askSources: nobody, needed, blockNumber: number - 1n })
  // A block's hash covers that of the one before it.
  if (before.header === null || before.hash !== header.parentHash) return null
  const reader = createProvedReader(request, { ...before, vouching })
  const proved = createProvedRequest(reader, { plain: request, runCall })(() => {})
  const state = await readSafeState(proved, safeAddress, chainId, { blockNumber: before.number })
  const { owners, threshold } = state
  return run(
    { ...reader, header },
    {
      kind: 'safe-transaction',
      safeAddress,
      version: domainVersion(state),
      owners,
      threshold,
      safeTx,
      confirmations: [],
      executor: receipt.from,
      gasPrice: receipt.gasPrice ?? header.baseFeePerGas ?? 0n,
    },
  )
}
