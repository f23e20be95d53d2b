import { zeroAddress } from 'viem'
import type { DecodedValue } from '../../abi-decode.ts'
import { addressesNamed, type CallArgument } from '../../call-argument.ts'
import type { Call } from '../../calldata.ts'
import type { Finding } from '../types.ts'
import { callFinding, functionName } from './evidence.ts'
import { type CallPlace, mayBeWrapped } from './receivers.ts'
import { membersOf, tokensSold } from './swaps.ts'

/** A step of a router, which may take coin: all that it needs (null), or as much as this at most. */
type Taken = bigint | null

type Step = { name: string; args: readonly CallArgument[] }

/** Functions of Uniswap 3, whose contracts keep what is left of the coin until somebody asks for it. */
const keeping =
  /^(?:exact(?:In|Out)put(?:Single)?|mint|increaseLiquidity|collect|wrapETH|pull|unwrapWETH9|sweepToken|refundETH)$/
/** Steps that give out all coin which is left. */
const refunding = /^(?:refundETH|SWEEP)$/

/**
 * Native coin that is sent to a router with more than its steps take, and that none of them gives back: it is for whoever
 * calls the router next.
 */
export function reviewLeftCoin(call: Call, place: CallPlace): Finding[] {
  const steps = call.value > 0n ? stepsOf(call) : null
  if (steps === null || steps.some((step) => refunding.test(step.name) && isOfCoin(step))) return []
  let left = call.value
  for (const step of steps) {
    const taken = takenBy(step, place)
    if (taken === null) return []
    left -= taken
  }
  if (left <= 0n) return []
  return [callFinding(call, 'RECEIVER-OTHER', 'high', { function: call.name, amount: String(left), receiver: call.to })]
}

/** The steps that one router makes; null where it is no such router, or one that gives back by itself. */
function stepsOf(call: Call): readonly Step[] | null {
  if (call.family === 'swap') return call.commands ?? (keeping.test(functionName(call)) ? [asStep(call)] : null)
  const inner = call.name?.startsWith('multicall(') === true ? (call.calls ?? []) : null
  const isRouter = inner?.every((one) => one.family === 'swap' && keeping.test(functionName(one))) === true
  return isRouter ? inner.map(asStep) : null
}

function asStep(call: Call): Step {
  return { name: functionName(call), args: call.args }
}

function isOfCoin(step: Step): boolean {
  return step.name === 'refundETH' || addressesNamed(step, 'token').includes(zeroAddress)
}

function takenBy(step: Step, place: CallPlace): Taken {
  const values = step.args.flatMap(({ decoded }) => membersOf(decoded))
  const stated = (...names: string[]) => numberOf(values, names)
  const isWrapped = (name: string) => addressesNamed(step, name).some((token) => mayBeWrapped(token, place))
  switch (step.name) {
    case 'WRAP_ETH':
    case 'WRAP':
    case 'wrapETH':
      return stated('amount')
    case 'SETTLE':
    case 'SETTLE_ALL':
      // An amount of 0 is what is owed.
      return isOfCoin(step) ? stated('amount', 'amountMax') || null : 0n
    case 'SETTLE_PAIR':
    case 'CLOSE_CURRENCY':
    case 'increaseLiquidity':
      return null
    case 'mint':
      return (
        (isWrapped('token0') ? stated('amount0Desired') : 0n) + (isWrapped('token1') ? stated('amount1Desired') : 0n)
      )
    default: {
      if (!step.name.startsWith('exact')) return 0n
      const [path] = tokensSold(step)
      const isSold = path === undefined ? isWrapped('tokenIn') : mayBeWrapped(path, place)
      return isSold ? stated('amountIn', 'amountInMaximum') : 0n
    }
  }
}

function numberOf(values: readonly DecodedValue[], names: readonly string[]): bigint {
  const found = values.find((value) => names.includes(value.name))
  return found?.kind === 'number' ? found.value : 0n
}
