import { isSameAddress } from '@countersign/safe'
import { type Call, type CallArgument, flattenCalls } from '@countersign/safe/calls'
import { type Address, getAddress, zeroAddress } from 'viem'
import { addressesNamed, argument, functionName } from '../../call-arguments.ts'
import { twoDigits } from '../../effects/effects-by-run.ts'
import type { ReviewInput } from '../../input.ts'
import type { SimulatedCall } from '../../simulation/simulation-result.ts'
import { listedToken } from '../../tokens/listed-tokens.ts'
import type { Finding } from '../../types.ts'
import { isAlongPools, leastDescribedFor, leastOf, mostStated, tokensBought } from '../calls/swaps.ts'
import { amountsOf, callFinding, finding } from '../make-finding.ts'
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
  const unnamed = stated.length === 0 ? leastUnnamed(call, safeAddress) : null
  if (stated.length === 0 && alongPools === undefined && unnamed === null) return high
  const come = comingTo(safeAddress, run.call)
  return [
    ...high,
    ...(alongPools === undefined ? [] : reviewAlongPools(alongPools, come, input)),
    ...reviewLowMinimum(call, come, safeAddress),
    ...(unnamed === null ? [] : reviewLowUnnamed(unnamed, come)),
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
    const amounts = amountsOf(asset, { amount, said: least })
    return [finding('MOVES-LESS', 'high', { asset, account: safeAddress, ...amounts })]
  })
}

/**
 * A price may move that much, in percent, before a swap is carried out: more is for whoever sees it first. Amounts of the run are
 * told to two digits, since an answer belongs to its evidence and a price is another in every block.
 */
const LEAST_PERCENT = 50n

/**
 * Swaps that accept far less than the run brings. Only where nothing but swaps brings tokens: allowances and payments may stand
 * beside them.
 */
function reviewLowMinimum(root: Call, come: ReadonlyMap<string, bigint>, safeAddress: Address): Finding[] {
  const leastOfAll = new Map(leastReceived(root, safeAddress).map(({ token, least }) => [token.toLowerCase(), least]))
  const sums = ({ token }: Stated) => {
    const key = token.toLowerCase()
    return { least: leastOfAll.get(key) ?? 0n, amount: come.get(key) ?? 0n }
  }
  const found = new Map<string, Finding>()
  for (const swap of swapsAlone(root) ?? []) {
    // A pool gives more of one token where it gives less of the other: it gives little where both are low.
    const stated = statedBy(swap, safeAddress)
    const [first] = stated
    const isLow = stated.map(sums).every(({ least, amount }) => least * 100n < amount * LEAST_PERCENT)
    if (first === undefined || !isLow || found.has(first.token.toLowerCase())) continue
    const { least, amount } = sums(first)
    const asset = first.token === zeroAddress ? 'native' : first.token
    const amounts = amountsOf(asset, { amount: twoDigits(amount), said: least })
    const evidence = { function: functionName(swap), asset, ...amounts }
    found.set(first.token.toLowerCase(), callFinding(swap, 'SWAP-LOW-MINIMUM', 'high', evidence))
  }
  return [...found.values()]
}

/** The least of the one swap of a tree which states it, and names no token: pools count theirs. */
type Unnamed = { swap: Call; least: bigint }

function leastUnnamed(root: Call, safeAddress: Address): Unnamed | null {
  const [swap, ...more] = swapsAlone(root) ?? []
  if (swap?.family !== 'swap' || more.length > 0 || !isSameAddress(swap.from, safeAddress)) return null
  const least = leastOf({ name: functionName(swap), args: swap.args })
  return least === null ? null : { swap, least }
}

/** A swap that accepts far less than the run brings, where one token alone comes. */
function reviewLowUnnamed({ swap, least }: Unnamed, come: ReadonlyMap<string, bigint>): Finding[] {
  const [first, ...others] = come
  if (first === undefined || others.length > 0) return []
  const [token, amount] = first
  if (least * 100n >= amount * LEAST_PERCENT) return []
  const asset = token === zeroAddress ? 'native' : getAddress(token)
  const amounts = amountsOf(asset, { amount: twoDigits(amount), said: least })
  const evidence = { function: functionName(swap), asset, ...amounts }
  return [callFinding(swap, 'SWAP-LOW-MINIMUM', 'high', evidence)]
}

/** All calls of a tree that hold no others, but allowances and payments by the Safe; null where one of them may bring tokens by itself. */
function swapsAlone(root: Call): readonly Call[] | null {
  const innermost = flattenCalls(root).filter(({ calls }) => calls === undefined)
  const others = innermost.filter(
    ({ family, data, name }) => data !== '0x' && family !== 'erc20-approve' && name !== 'transfer(address,uint256)',
  )
  const isSwap = ({ family, described }: Call) => family === 'swap' || described !== undefined
  return others.length < 2 || others.every(isSwap) ? others : null
}

/** A swap for a certain amount that may cost far more than the run costs: the most that it states is for whoever sees it first. */
function reviewHighMaximum(root: Call, ran: SimulatedCall, safeAddress: Address): Finding[] {
  const [swap, ...more] = swapsAlone(root) ?? []
  const stated = swap === undefined || more.length > 0 ? null : mostStated(swap)
  if (swap === undefined || stated === null || !isSameAddress(swap.from, safeAddress)) return []
  const { token, most } = stated
  const isPayment = ({ to, name }: Call) => name === 'transfer(address,uint256)' && isSameAddress(to, token)
  const paid = flattenCalls(root)
    .filter(isPayment)
    .reduce((sum, call) => sum + BigInt(argument(call, 'amount') ?? 0), 0n)
  const left = transfersOf(ran, Number.POSITIVE_INFINITY)
    .filter((transfer) => isSameAddress(transfer.token, token) && isSameAddress(transfer.from, safeAddress))
    .reduce((sum, { amount }) => sum + amount, 0n)
  const spent = left - paid
  if (spent <= 0n || most * LEAST_PERCENT <= spent * 100n) return []
  const amounts = amountsOf(token, { amount: twoDigits(spent), said: most })
  const evidence = { function: functionName(swap), asset: token, ...amounts }
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
  if (functionName(call).startsWith('removeLiquidity')) return takenOut(call, safeAddress)
  const steps = [{ name: functionName(call), args: call.args }, ...(call.commands ?? [])]
  return steps.flatMap((step): Stated[] => {
    const receivers = addressesNamed(step, 'receiver')
    const isForSafe = receivers.some((receiver) => isSameAddress(receiver, safeAddress) || BigInt(receiver) === CALLER)
    const [token, ...more] = tokensOf(step)
    const least = leastOf(step)
    return !isForSafe || token === undefined || more.length > 0 || least === null ? [] : [{ token, least }]
  })
}

/** The least of both tokens that a pair gives back for liquidity. */
function takenOut(call: Call, safeAddress: Address): Stated[] {
  const [receiver] = addressesNamed(call, 'receiver')
  if (receiver === undefined || !isSameAddress(receiver, safeAddress)) return []
  const ofPair = [
    ['tokenA', 'amountAMin'],
    ['tokenB', 'amountBMin'],
    ['token', 'amountTokenMin'],
    ['', 'amountETHMin'],
  ] as const
  return ofPair.flatMap(([name, least]): Stated[] => {
    const amount = argument(call, least)
    const [token] = name === '' ? [zeroAddress] : addressesNamed(call, name)
    return amount === null || token === undefined ? [] : [{ token, least: BigInt(amount) }]
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
