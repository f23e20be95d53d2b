import type { ReviewedConfirmation } from '@countersign/review'
import {
  CountersignError,
  describeRevertReason,
  encodeSignatures,
  explainRevert,
  findGsCode,
  isSameAddress,
  type RevertExplanation,
  type RpcRequest,
  readCodes,
  type SafeState,
  type SafeTx,
  safeAbi,
} from '@countersign/safe'
import { encodeExecTransaction, encodeMultiSend, MAX_TRANSACTION_GAS } from '@countersign/safe/calls'
import { libraryCandidates } from '@countersign/safe/compose'
import { type Address, decodeFunctionResult, type Hex, isHex, numberToHex } from 'viem'
import { fail } from '../../text/fail.ts'
import { showUntrusted } from '../../text/untrusted.ts'

/**
 * The call that executes, with as many signatures as the threshold asks for: of current owners, verified here, each
 * owner once.
 *
 * @throws CountersignError `THRESHOLD_NOT_REACHED`
 */
export function encodeExecution(
  safeTx: SafeTx,
  confirmations: readonly ReviewedConfirmation[],
  { owners, threshold }: { owners: readonly Address[]; threshold: number },
): Hex {
  const usable = usableOf(confirmations, owners)
  if (usable.length < threshold)
    throw fail('THRESHOLD_NOT_REACHED', { reason: 'verified', confirmations: usable.length, threshold })
  return encodeExecTransaction(safeTx, encodeSignatures(usable.slice(0, threshold)))
}

/** The verified confirmations of owners, each owner once. */
function usableOf(confirmations: readonly ReviewedConfirmation[], owners: readonly Address[]) {
  return owners.flatMap((owner) => {
    const found = confirmations.find((one) => one.status === 'valid' && isSameAddress(one.owner, owner))
    return found ? [{ owner, signature: found.signature }] : []
  })
}

type Execution = { from: Address; to: Address; data: Hex; gas?: Hex }

/** The call that executes, as far as nobody has to be asked; null while confirmations are missing, or the Safe itself is. */
export function readyExecution(
  safeTx: SafeTx,
  confirmations: readonly ReviewedConfirmation[],
  state: Pick<SafeState, 'address' | 'owners' | 'threshold' | 'creation'>,
): Omit<Execution, 'from'> | null {
  const isReady = state.creation === undefined && usableOf(confirmations, state.owners).length >= state.threshold
  if (!isReady) return null
  return { to: state.address, data: encodeExecution(safeTx, confirmations, state) }
}

/**
 * The call that an account sends to execute. Where the Safe is not on the chain yet, its creation goes first: both in one
 * batch of MultiSendCallOnly, so that either both happen or neither.
 *
 * @throws CountersignError `THRESHOLD_NOT_REACHED`; `SAFE_NOT_DEPLOYED` where the chain has no such library
 */
export async function executionCall(
  request: RpcRequest,
  safeTx: SafeTx,
  confirmations: readonly ReviewedConfirmation[],
  state: SafeState,
): Promise<Omit<Execution, 'from'>> {
  const data = encodeExecution(safeTx, confirmations, state)
  const { address: safeAddress, creation } = state
  if (creation === undefined) return { to: safeAddress, data }
  const candidates = libraryCandidates('multi-send-call-only', state)
  const codes = await readCodes(
    request,
    candidates.map(({ address }) => address),
  )
  const library = candidates.find(
    ({ address, codeHash }) => codeHash !== null && codes[address.toLowerCase()]?.codeHash === codeHash,
  )
  if (library === undefined) throw fail('SAFE_NOT_DEPLOYED', { reason: 'batch', safeAddress })
  const calls = [
    { to: creation.factory, value: 0n, data: creation.data },
    { to: safeAddress, value: 0n, data },
  ]
  return { to: library.address, data: encodeMultiSend(calls) }
}

/**
 * Runs the execution without sending it. A batch that creates the Safe first answers nothing: what it would do, the review's
 * own run says.
 *
 * @throws CountersignError `EXECUTION_REVERTED` with `gs` in its data, or the way to the node failed
 */
export async function simulateExecution(
  request: RpcRequest,
  execution: Execution,
  { isBatch = false }: { isBatch?: boolean } = {},
): Promise<void> {
  const answer = await refusing(() => request({ method: 'eth_call', params: [execution, 'latest'] }))
  if (isBatch) return
  if (!isHex(answer) || answer === '0x') throw fail('EXECUTION_REVERTED', { reason: 'answer', answer: String(answer) })
  const isSuccessful = decodeFunctionResult({ abi: safeAbi, functionName: 'execTransaction', data: answer })
  if (!isSuccessful) throw fail('EXECUTION_REVERTED', { reason: 'inner', gs: null })
}

/** Gas for a call with a fifth on top, where one transaction may have it: the Safe hands an inner call 63/64 of what is left. */
export async function estimateExecution(request: RpcRequest, execution: Execution): Promise<bigint> {
  const answer = await refusing(() => request({ method: 'eth_estimateGas', params: [execution] }))
  if (!isHex(answer)) throw fail('RPC_ERROR', { reason: 'gas', value: String(answer) })
  const [needed, offered] = [BigInt(answer), (BigInt(answer) * 6n) / 5n]
  return needed <= MAX_TRANSACTION_GAS && offered > MAX_TRANSACTION_GAS ? MAX_TRANSACTION_GAS : offered
}

/**
 * Gas with which `execTransaction` does what it should. Before 1.3.0 a Safe whose inner call runs out of gas ends well and uses up
 * its nonce, so that the estimate of a node can be too little: it is doubled until a run with it succeeds.
 */
export async function estimateSafeExecution(
  request: RpcRequest,
  execution: Execution,
  { isBatch }: { isBatch: boolean },
): Promise<bigint> {
  const first = await estimateExecution(request, execution)
  for (let gas = first, tries = 1; ; gas *= 2n, tries++) {
    try {
      await simulateExecution(request, { ...execution, gas: numberToHex(gas) }, { isBatch })
      return gas
    } catch (error) {
      const isReverted = error instanceof CountersignError && error.code === 'EXECUTION_REVERTED'
      if (!isReverted || tries === MAX_GAS_TRIES) throw error
    }
  }
}

const MAX_GAS_TRIES = 5

/**
 * Gas to offer where the review's own run says how much: by the node where that is more. Chains of another kind count what they
 * pay elsewhere as gas too (Arbitrum, Mantle, Moonbeam), which no run sees. Null where no run says.
 */
export async function gasOfExecution(
  request: RpcRequest,
  execution: Execution,
  { byRun, isBatch }: { byRun: bigint | null; isBatch: boolean },
): Promise<bigint> {
  if (byRun === null) return estimateSafeExecution(request, execution, { isBatch })
  const byNode = await estimateExecution(request, execution).catch(() => 0n)
  return byNode > byRun ? byNode : byRun
}

async function refusing(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    throw (error instanceof CountersignError && revertOf(error)) || error
  }
}

/** The node's revert as an error that says cause and remedy; null when the node failed for another reason. */
export function revertOf(error: CountersignError): CountersignError | null {
  if (error.code !== 'RPC_ERROR') return null
  const { rpcCode, rpcMessage, rpcData } = error.data
  const message = typeof rpcMessage === 'string' ? rpcMessage : ''
  const data = revertData(rpcData)
  if (rpcCode !== 3 && data === null && !/revert/i.test(message)) return null
  const explained = explainRevert(data ?? '0x')
  const inText = findGsCode(message)
  const known = explained.kind === 'safe' ? explained.reason : inText === null ? null : describeRevertReason(inText)
  const said = showUntrusted(revertText(explained) ?? (message || (data ?? '')), 200).replaceAll('`', "'")
  return known
    ? fail(
        'EXECUTION_REVERTED',
        { reason: 'code', gs: known.code, revert: known.id, cause: known.cause, remedy: known.remedy, said },
        error,
      )
    : fail('EXECUTION_REVERTED', { reason: 'other', gs: null, said }, error)
}

function revertText(explained: RevertExplanation): string | null {
  switch (explained.kind) {
    case 'safe':
      return explained.reason.code
    case 'message':
      return explained.message
    case 'panic':
      return `panic ${explained.code}`
    default:
      return null
  }
}

/** Nodes put the revert data under `data`, or one level deeper. */
function revertData(value: unknown): Hex | null {
  if (isHex(value) && value !== '0x') return value
  if (typeof value === 'object' && value !== null && 'data' in value) return revertData(value.data)
  return null
}
