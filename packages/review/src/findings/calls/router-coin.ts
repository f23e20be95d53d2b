import type { Call, CallArgument } from '@countersign/safe/calls'
import { zeroAddress } from 'viem'
import { addressesNamed, functionName } from '../../call-arguments.ts'
import { mayBeWrapped } from '../../tokens/wrapped-coins.ts'
import type { Finding } from '../../types.ts'
import { callFinding } from '../make-finding.ts'
import type { CallPlace } from './receivers.ts'
import { membersOf, tokensSold } from './swaps.ts'

/** A step of a router; one that may fail takes nothing for certain. */
type Step = { name: string; args: readonly CallArgument[]; mayFail: boolean }

/** Functions of Uniswap 3, whose contracts keep what is left of the coin until somebody asks for it. */
const keeping =
  /^(?:exact(?:In|Out)put(?:Single)?|mint|(?:in|de)creaseLiquidity|collect|wrapETH|pull|unwrapWETH9|sweepToken|refundETH)\(/
/** The newer router swaps along Uniswap 2 without a deadline, and keeps the rest as well. */
const alongPairs = /^swap(?:ExactTokensForTokens|TokensForExactTokens)\(uint256,uint256,address\[\],address\)$/
/** Steps that give out all coin which is left. */
const refunding = /^(?:refundETH|SWEEP)$/

/**
 * Native coin that is sent to a router with more than its steps take for certain, and that none of them gives back: it is for
 * whoever calls the router next. What a step takes at most, for a certain amount or for a pool, it may leave.
 */
export function reviewLeftCoin(call: Call, place: CallPlace): Finding[] {
  const steps = call.value > 0n ? stepsOf(call) : null
  const isRefunded = steps?.some((step) => refunding.test(step.name) && !step.mayFail && isOfCoin(step))
  if (steps === null || isRefunded) return []
  const owed = soldOfCoin(steps)
  const left = steps.reduce((rest, step) => rest - (step.mayFail ? 0n : takenBy(step, owed, place)), call.value)
  if (left <= 0n) return []
  const amount = { text: String(left), asset: 'native' }
  return [callFinding(call, 'RECEIVER-OTHER', 'high', { function: call.name, amount, receiver: call.to })]
}

/** The steps that one router makes; null where it is no such router, or one that gives back by itself. */
function stepsOf(call: Call): readonly Step[] | null {
  if (call.family === 'swap') return call.commands ?? (isKeeping(call) ? [asStep(call)] : null)
  if (call.name?.startsWith('multicall(') !== true) return null
  const inner = call.calls ?? []
  return inner.length === 0 || inner.some(isKeeping) ? inner.map(asStep) : null
}

function isKeeping({ family, name }: Call): boolean {
  return family === 'swap' && name !== null && (keeping.test(name) || alongPairs.test(name))
}

function asStep(call: Call): Step {
  return { name: functionName(call), args: call.args, mayFail: false }
}

function isOfCoin(step: Step): boolean {
  return step.name === 'refundETH' || addressesNamed(step, 'token').includes(zeroAddress)
}

/** The coin that swaps of Uniswap 4 owe for certain. */
function soldOfCoin(steps: readonly Step[]): bigint {
  return steps.reduce((sum, step) => {
    if (step.mayFail || !/^SWAP_EXACT_IN/.test(step.name)) return sum
    const isSold = tokensSold(step).includes(zeroAddress)
    return isSold ? sum + numberOf(step, 'amountIn') : sum
  }, 0n)
}

function takenBy(step: Step, owed: bigint, place: CallPlace): bigint {
  switch (step.name) {
    case 'WRAP_ETH':
    case 'WRAP':
    case 'wrapETH':
      return numberOf(step, 'amount')
    case 'SETTLE':
      // An amount of 0 is what is owed.
      return isOfCoin(step) ? numberOf(step, 'amount') || owed : 0n
    case 'SETTLE_ALL':
    case 'CLOSE_CURRENCY':
    case 'SETTLE_PAIR':
      return owed
    case 'exactInput':
    case 'exactInputSingle':
    case 'swapExactTokensForTokens':
      return soldOfWrapped(step, place)
    default:
      return 0n
  }
}

/** Returns the wrapped coin that a swap sells in any case. A price limit can end a swap before everything is sold. */
function soldOfWrapped(step: Step, place: CallPlace): bigint {
  const [path] = tokensSold(step)
  const sold = path === undefined ? addressesNamed(step, 'tokenIn') : [path]
  const isWrapped = sold.some((token) => mayBeWrapped(token, place))
  return isWrapped && numberOf(step, 'sqrtPriceLimitX96') === 0n ? numberOf(step, 'amountIn') : 0n
}

function numberOf({ args }: Step, name: string): bigint {
  const found = args.flatMap(({ decoded }) => membersOf(decoded)).find((value) => value.name === name)
  return found?.kind === 'number' ? found.value : 0n
}
