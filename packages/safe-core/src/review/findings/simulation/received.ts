import { type Address, getAddress, zeroAddress } from 'viem'
import { addressesNamed, type CallArgument } from '../../../call-argument.ts'
import { type Call, flattenCalls } from '../../../calldata.ts'
import { isSameAddress } from '../../../same-address.ts'
import type { SimulatedCall } from '../../../simulation/simulation-result.ts'
import type { ReviewInput } from '../../input.ts'
import { listedToken } from '../../listed-tokens.ts'
import type { Finding } from '../../types.ts'
import { callFinding, finding, functionName } from '../evidence.ts'
import { isAlongPools, leastDescribedFor, leastOf, mostStated, tokensBought } from '../swaps.ts'
import { executedRun } from './finished.ts'
import { ROUNDING, transfersOf } from './transfers.ts'

/** Uniswap's router takes this for whoever calls it. */
const CALLER = 1n

/**
 * Swaps that bring the Safe less than the least that they state, or nothing: whoever calls a contract an exchange chooses
 * its address. What comes is counted as it comes, since later calls of a batch may send it on.
 */
export function reviewReceived(call: Call, input: ReviewInput): Finding[] {
  const run = executedRun(input)
  if (run === null || run.outcome.kind !== 'success') return []
  const { safeAddress } = input
  const stated = leastReceived(call, safeAddress)
  const alongPools = flattenCalls(call).find(isAlongPools)
  const high = reviewHighMaximum(call, run.call, safeAddress)
  if (stated.length === 0 && alongPools === undefined) return high
  const come = comingTo(safeAddress, run.call)
  return [
    ...high,
    ...(alongPools === undefined ? [] : reviewAlongPools(alongPools, come, input)),
    ...reviewLowMinimum(call, come, safeAddress),
    ...reviewLess(stated, come, safeAddress),
  ]
}

/** A swap that names pools alone: anybody can make a pool, and the run tells what comes of it. */
function reviewAlongPools(swap: Call, come: ReadonlyMap<string, bigint>, { tokens }: ReviewInput): Finding[] {
  const name = functionName(swap)
  if (come.size === 0) return [callFinding(swap, 'SWAP-NO-MINIMUM', 'high', { function: name })]
  return [...come.keys()]
    .filter((token) => token !== zeroAddress && listedToken(tokens, token) === undefined)
    .map((token) => callFinding(swap, 'SWAP-UNLISTED', 'high', { function: name, token: getAddress(token) }))
}

function reviewLess(stated: readonly Stated[], come: ReadonlyMap<string, bigint>, safeAddress: Address): Finding[] {
  return stated.flatMap(({ token, least }) => {
    const amount = come.get(token.toLowerCase()) ?? 0n
    if (amount + ROUNDING >= least) return []
    const asset = token === zeroAddress ? 'native' : token
    return [finding('MOVES-LESS', 'high', { asset, account: safeAddress, amount: String(amount), said: String(least) })]
  })
}

/** A price may move that much, in percent, before a swap is carried out: more is for whoever sees it first. */
const LEAST_PERCENT = 50n

/**
 * A swap that accepts far less than the run brings. Only where nothing but it brings tokens: allowances may stand beside it.
 */
function reviewLowMinimum(root: Call, come: ReadonlyMap<string, bigint>, safeAddress: Address): Finding[] {
  const swap = onlySwap(root)
  if (swap === null) return []
  const [stated, ...others] = leastReceived(swap, safeAddress)
  if (stated === undefined || others.length > 0) return []
  const { token, least } = stated
  const amount = come.get(token.toLowerCase()) ?? 0n
  if (least * 100n >= amount * LEAST_PERCENT) return []
  const asset = token === zeroAddress ? 'native' : token
  const evidence = { function: functionName(swap), asset, amount: String(amount), said: String(least) }
  return [callFinding(swap, 'SWAP-LOW-MINIMUM', 'high', evidence)]
}

/** The one call of a tree that is no allowance. */
function onlySwap(root: Call): Call | null {
  const calls = flattenCalls(root).filter(({ calls, family }) => calls === undefined && family !== 'erc20-approve')
  const [swap, ...more] = calls
  return swap === undefined || more.length > 0 ? null : swap
}

/** A swap for a certain amount that may cost far more than the run costs: the most that it states is for whoever sees it first. */
function reviewHighMaximum(root: Call, ran: SimulatedCall, safeAddress: Address): Finding[] {
  const swap = onlySwap(root)
  const stated = swap === null ? null : mostStated(swap)
  if (swap === null || stated === null || !isSameAddress(swap.from, safeAddress)) return []
  const { token, most } = stated
  const spent = transfersOf(ran, Number.POSITIVE_INFINITY)
    .filter((transfer) => isSameAddress(transfer.token, token) && isSameAddress(transfer.from, safeAddress))
    .reduce((sum, { amount }) => sum + amount, 0n)
  if (spent === 0n || most * LEAST_PERCENT <= spent * 100n) return []
  const evidence = { function: functionName(swap), asset: token, amount: String(spent), said: String(most) }
  return [callFinding(swap, 'SWAP-HIGH-MAXIMUM', 'high', evidence)]
}

/** `least` in base units; the zero address is the native coin. */
type Stated = { token: Address; least: bigint }

/**
 * The least that all swaps of a tree of calls state for the Safe itself, by what they buy.
 *
 * @example
 * leastReceived(call, safeAddress) // [{ token: weth, least: 3_000_000_000_000_000_000n }]
 */
export function leastReceived(call: Call, safeAddress: Address): Stated[] {
  const stated = new Map<string, Stated>()
  for (const { token, least } of flattenCalls(call).flatMap((inner) => statedBy(inner, safeAddress))) {
    const known = stated.get(token.toLowerCase())?.least ?? 0n
    stated.set(token.toLowerCase(), { token, least: known + least })
  }
  return [...stated.values()]
}

/** The least that a swap states for the Safe itself, where it says of which token. */
function statedBy(call: Call, safeAddress: Address): Stated[] {
  if (call.operation !== 0 || !isSameAddress(call.from, safeAddress)) return []
  const described = leastDescribedFor(call, safeAddress)
  if (described !== null) return [described]
  if (call.family !== 'swap') return []
  const steps = [{ name: functionName(call), args: call.args }, ...(call.commands ?? [])]
  return steps.flatMap((step): Stated[] => {
    const receivers = addressesNamed(step, 'receiver')
    const isForSafe = receivers.some((receiver) => isSameAddress(receiver, safeAddress) || BigInt(receiver) === CALLER)
    const [token, ...more] = tokensOf(step)
    const least = leastOf(step)
    return !isForSafe || token === undefined || more.length > 0 || least === null ? [] : [{ token, least }]
  })
}

function tokensOf(step: { name: string; args: readonly CallArgument[] }): Address[] {
  if (/(?:For|Exact)ETH(?:$|Supporting)|^unwrapWETH9$|^UNWRAP_WETH$/.test(step.name)) return [zeroAddress]
  return /^(?:sweepToken|SWEEP)$/.test(step.name) ? addressesNamed(step, 'token') : tokensBought(step)
}

/** Everything that comes to an account, by lower-case address of the token: by logs of the token, and coin by calls. */
function comingTo(account: Address, root: SimulatedCall): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  const add = (token: string, amount: bigint) =>
    sums.set(token.toLowerCase(), (sums.get(token.toLowerCase()) ?? 0n) + amount)
  for (const { token, to, amount } of transfersOf(root, Number.POSITIVE_INFINITY))
    if (isSameAddress(to, account)) add(token, amount)
  const visit = ({ failure, operation, to, value, calls }: SimulatedCall) => {
    if (failure !== null) return
    if (operation === 'call' && isSameAddress(to, account)) add(zeroAddress, value)
    calls.forEach(visit)
  }
  visit(root)
  return sums
}
