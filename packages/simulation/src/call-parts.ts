import type { CallPart, CallPath, SafeTxRun, SimulatedCall } from '@countersign/review'
import { isSameAddress } from '@countersign/safe'
import { decodeExecTransaction } from '@countersign/safe/calls'

const guardSelectors = new Set(['0x75f0bb52', '0x93271368'])
const moduleSelectors = new Set(['0x468721a7', '0x5229073f'])
const SIGNATURE_SELECTORS = new Set(['0x1626ba7e', '0x20c13b0b'])

/**
 * Marks the calls that the Safe's own code makes around the transaction: asking owners that are contracts, its guard, the
 * transaction itself, the refund; and calls of modules, wherever they come in.
 */
export function withParts(root: SimulatedCall, run: SafeTxRun): SimulatedCall {
  const marks = new Map<SimulatedCall, CallPart>()
  const own = ownCalls(root, run)
  let isExecuted = false
  for (const call of own) {
    const selector = call.input.slice(0, 10)
    if (!isExecuted && isTransaction(call, run)) {
      isExecuted = true
      marks.set(call, 'transaction')
    } else if (guardSelectors.has(selector)) marks.set(call, 'guard')
    else if (!isExecuted && SIGNATURE_SELECTORS.has(selector)) marks.set(call, 'signature')
    else if (isExecuted && run.safeTx.gasPrice > 0n) marks.set(call, 'refund')
  }
  return marked(root, marks, run)
}

/** Whether a call is made by a guard, or by an owner that is asked for a signature: these may ask who has approved. */
export function isAroundTransaction(root: SimulatedCall, path: CallPath): boolean {
  let call: SimulatedCall | undefined = root
  for (const index of path) {
    call = call?.calls[index]
    if (call?.part === 'guard' || call?.part === 'signature') return true
  }
  return false
}

/** Calls that `execTransaction` makes: those of the singleton, which the proxy delegates to. */
function ownCalls(root: SimulatedCall, run: SafeTxRun): readonly SimulatedCall[] {
  const [inner] = root.calls
  const isProxy = inner?.operation === 'delegatecall' && decodeExecTransaction(inner.input) !== null
  return isSameAddress(root.to, run.safeAddress) && isProxy ? inner.calls : root.calls
}

function isTransaction({ operation, to, value, input }: SimulatedCall, { safeTx }: SafeTxRun): boolean {
  const wanted = safeTx.operation === 1 ? 'delegatecall' : 'call'
  const isSame = operation === wanted && isSameAddress(to, safeTx.to) && input === safeTx.data.toLowerCase()
  return isSame && (safeTx.operation === 1 || value === safeTx.value)
}

function marked(call: SimulatedCall, marks: Map<SimulatedCall, CallPart>, run: SafeTxRun): SimulatedCall {
  const isModule = moduleSelectors.has(call.input.slice(0, 10)) && isSameAddress(call.to, run.safeAddress)
  return {
    ...call,
    part: marks.get(call) ?? (isModule ? 'module' : null),
    calls: call.calls.map((inner) => marked(inner, marks, run)),
  }
}
