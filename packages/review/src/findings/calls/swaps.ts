import { type DecodedValue, isSameAddress } from '@countersign/safe'
import type { Call, CallArgument } from '@countersign/safe/calls'
import { type Address, getAddress, type Hex, numberToHex, size, slice, zeroAddress } from 'viem'
import { accountsNamed, addressesNamed, functionName, isWrittenAs } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import { listedToken, NATIVE_PLACEHOLDER } from '../../tokens/listed-tokens.ts'
import { mayBeWrapped } from '../../tokens/wrapped-coins.ts'
import type { Finding } from '../../types.ts'
import { callFinding } from '../make-finding.ts'

/** The least that must come of a swap, and the most that may go into it, by the names that exchanges give them. */
const leastNames = new Set([
  'amountOutMin',
  'amountOutMinimum',
  'minDy',
  'minReceived',
  'minMintAmount',
  'outputAmount',
  'minAmountLD',
])
/**
 * A pool that gives or takes two tokens says the least of each. One of them may be nothing, where the other is not: of what a pool
 * gives, since less of one is more of the other. Where a pool takes, a side that is given without a least is one whose price
 * whoever comes first can choose. Beside them are the names of what is given.
 */
const pairNames = new Map([
  ['amountAMin', 'amountADesired'],
  ['amountBMin', 'amountBDesired'],
  ['amountTokenMin', 'amountTokenDesired'],
  ['amount0Min', 'amount0Desired'],
  ['amount1Min', 'amount1Desired'],
  ['amountETHMin', ''],
])
const mostNames = new Set(['amountInMax', 'amountInMaximum'])
/** The most of each token of a pool, in 128 bits. */
const pairMostNames = new Set(['amount0Max', 'amount1Max'])
/** Fewer base units than these are nothing in any token. */
export const NOTHING = 1_000n
/** Less than one in so many of what a pool is given is no least: the price could move by the same factor. */
const LEAST_SHARE = 10n
/** Nothing real has so many. */
export const EVERYTHING = 1n << 128n

/** Uniswap's newer routers take this for themselves. */
export const ROUTER = 2n

type Part = { name: string; args: readonly CallArgument[] }

/** A swap at a price that it does not state, or into a token that nobody has listed. */
export function reviewSwap(call: Call, input: ReviewInput): Finding[] {
  const parts: Part[] = [{ name: functionName(call), args: call.args }, ...(call.commands ?? [])]
  // A router can swap at any price, for itself, and then give out no less than this of what it bought.
  const isBounded = (part: Part) =>
    !addressesNamed(part, 'receiver').some((receiver) => BigInt(receiver) !== ROUTER) &&
    (call.commands ?? []).some(
      (step) =>
        !step.mayFail &&
        givesOut(step, part, input) &&
        step.args.some(
          ({ decoded: least }) => least.name === 'amountMin' && least.kind === 'number' && least.value >= NOTHING,
        ),
    )
  return parts.flatMap((part) => reviewPart(call, part, isBounded(part), input))
}

function numberOf(values: readonly DecodedValue[], name: string): bigint | undefined {
  const found = values.find((value) => value.name === name)
  return found?.kind === 'number' ? found.value : undefined
}

/** Whether a step gives out what a swap bought, where that is known; a step that names no token gives out coin. */
function givesOut(step: Part, part: Part, input: ReviewInput): boolean {
  const bought = [...tokensBought(part), ...boughtOfPool(part)]
  const [token] = addressesNamed(step, 'token')
  return (
    bought.length === 0 ||
    bought.some((asset) => (token === undefined ? mayBeWrapped(asset, input) : isSameAddress(asset, token)))
  )
}

/** Tokens that a swap of Uniswap 4 buys. */
function boughtOfPool({ name, args }: Part): Address[] {
  const values = args.flatMap(({ decoded }) => membersOf(decoded))
  if (!name.startsWith('SWAP_EXACT_IN')) return []
  const sold = tokensSold({ name, args })
  const inPool = /^(?:currency[01]|intermediateCurrency)$/
  const others = values.flatMap((value) => (value.kind === 'address' && inPool.test(value.name) ? [value.value] : []))
  return others.filter((token) => !sold.includes(token)).slice(-1)
}

function reviewPart(call: Call, { name, args }: Part, isBounded: boolean, { tokens }: ReviewInput): Finding[] {
  const values = args.flatMap(({ decoded }) => membersOf(decoded))
  const findings: Finding[] = []
  const isPooled = /^(?:INCREASE_LIQUIDITY|MINT_POSITION)$/.test(name)
  const isOpen = values.some(
    (value) =>
      value.kind === 'number' &&
      ((leastNames.has(value.name) && value.value < NOTHING && !isBounded) ||
        (mostNames.has(value.name) && value.value >= EVERYTHING) ||
        (isPooled && pairMostNames.has(value.name) && value.value >= EVERYTHING / 2n) ||
        (value.name === 'amountForgone' && value.value >= NOTHING)),
  )
  const pair = values.flatMap((value) => (value.kind === 'number' && pairNames.has(value.name) ? [value.value] : []))
  // Fees alone have no least.
  const isFees = values.some((value) => value.name === 'liquidity' && value.kind === 'number' && value.value === 0n)
  const isSideOpen = [...pairNames].some(([least, given]) => {
    const amount = given === '' ? call.value : numberOf(values, given)
    const stated = numberOf(values, least)
    if (amount === undefined || stated === undefined || amount < NOTHING) return false
    return stated < NOTHING || stated * LEAST_SHARE < amount
  })
  const isPairOpen = isSideOpen || (pair.length > 0 && !isFees && pair.every((least) => least < NOTHING))
  // Balancer has one limit: the least that comes out where the amount going in is given, which is kind 0.
  const isGivenIn = values.some((value) => value.name === 'kind' && value.kind === 'number' && value.value === 0n)
  const isUnlimited =
    isGivenIn && values.some((value) => value.name === 'limit' && value.kind === 'number' && value.value < NOTHING)
  // Where the amount coming out is given, the same limit is the most that goes in.
  const isEndless =
    !isGivenIn && values.some((value) => value.name === 'limit' && value.kind === 'number' && value.value >= EVERYTHING)
  if (isOpen || isPairOpen || (name === 'swap' && (isUnlimited || isEndless)))
    findings.push(callFinding(call, 'SWAP-NO-MINIMUM', 'high', { function: name }))
  const unlisted = [...boughtBy(name, values), ...pooledBy(name, values)].filter(
    (token) => listedToken(tokens, token) === undefined,
  )
  for (const token of new Set(unlisted)) {
    findings.push(callFinding(call, 'SWAP-UNLISTED', 'high', { function: name, token }))
  }
  // The code beside a pool of Uniswap 4 decides what becomes of its liquidity.
  const hooks = name === 'MINT_POSITION' ? addressesNamed({ args }, 'hooks').filter((hook) => BigInt(hook) > 0n) : []
  findings.push(...hooks.map((hook) => callFinding(call, 'RECEIVER-OTHER', 'high', { function: name, receiver: hook })))
  // Tokens that a router has pulled, or wrapped, are for whoever calls it next, unless the same call sends them on.
  if (name === 'pull' || name === 'wrapETH')
    findings.push(callFinding(call, 'RECEIVER-OTHER', 'high', { function: name, receiver: call.to }))
  return findings
}

/** As the contracts of the registry call the least that must come of a call. */
const leastDescribed =
  /^makingAmount$|^amountOutMin(?:imum)?$|^_?min(?:imum)?(?:$|_?(?:Amount|Out|Return|Received?|Shares|Tokens?|Rsweth|Collateral|FtUSD|Lp|Mint|Rusdy|Rwa)[A-Za-z]*$)|^(?:toAmount|outputAmount)$/i

/** As they call the token that they buy. */
export const boughtDescribed =
  /^_?(?:(?:dst|to|dest|buy|out|output|maker)(?:Token|Asset)|(?:token|asset)Out|receivingAssetId)_?$/i
/** As they call whoever gets what comes of it. */
const gettingDescribed = /^_?(?:dstReceiver|receiver|beneficiary(?:AndApproveFlag)?|recipient|to)_?$/i
/** Functions that exchange. A vault may state its least in other units than its token has: Midas does in 18 decimals. */
const exchanging = /swap(?!And)|buy|sell/i

/** The numbers by which a call states the least that must come of it. */
export function leastDescribedBy(values: readonly DecodedValue[]): bigint[] {
  return values.flatMap((value) => (value.kind === 'number' && leastDescribed.test(value.name) ? [value.value] : []))
}

/** Accounts by their names, also where they are written as numbers: exchanges have flags above the address. */
export function accountsIn(values: readonly DecodedValue[], meant: RegExp): Address[] {
  return values.flatMap((value) => {
    if (!meant.test(value.name)) return []
    if (value.kind === 'address') return [value.value]
    const isAccount = value.kind === 'number' && /^uint(?:160|256)$/.test(value.type) && value.value >= 1n << 96n
    return isAccount ? [getAddress(numberToHex(BigInt.asUintN(160, value.value), { size: 20 }))] : []
  })
}

/**
 * The least that a call of the registry states for one account, and of which token; the zero address is the native coin.
 *
 * @returns null where it states none, more than one, or the least of no one token; or for somebody else
 * @example
 * leastDescribedFor(call, safeAddress) // { token: usdc, least: 3_000_000_000n }
 */
export function leastDescribedFor(call: Call, account: Address): { token: Address; least: bigint } | null {
  if (call.described === undefined || !exchanging.test(functionName(call))) return null
  const values = call.args.flatMap(({ decoded }) => membersOf(decoded))
  const [least, ...others] = leastDescribedBy(values)
  const [token, ...more] = accountsIn(values, boughtDescribed)
  // The zero address is the caller.
  const receivers = accountsNamed(call, (name) => gettingDescribed.test(name)).filter((one) => !/^0x0*$/.test(one))
  const isFor = receivers.every((receiver) => isWrittenAs(receiver, account))
  if (least === undefined || token === undefined || others.length + more.length > 0 || !isFor) return null
  return { token: isSameAddress(token, NATIVE_PLACEHOLDER) ? zeroAddress : token, least }
}

/** Whether a call that the registry describes swaps along pools, and names no token that it buys, or in bytes alone. */
export function isAlongPools(call: Call): boolean {
  const alongPools = /^(?:eth|clipper)?un(?:o|x)swap|^uniswapV3Swap|^(?:swap|buy)OnUniswapV2Fork|OnBalancerV2$/i
  return call.described !== undefined && alongPools.test(functionName(call))
}

/** A value, and those inside it where it is a tuple, or a list of tuples: an exchange may be told several steps. */
export function membersOf(decoded: DecodedValue): readonly DecodedValue[] {
  const isOfTuples = decoded.kind === 'list' && decoded.value.some(({ kind }) => kind === 'tuple')
  return decoded.kind === 'tuple' || isOfTuples ? decoded.value.flatMap(membersOf) : [decoded]
}

/** The tokens that a call or a step of one buys; none where they cannot be told. */
export function tokensBought({ name, args }: { name: string | null; args: readonly CallArgument[] }): Address[] {
  return boughtBy(
    name?.split('(')[0] ?? '',
    args.flatMap(({ decoded }) => membersOf(decoded)),
  )
}

/**
 * The least that must come of a swap, in base units of what it buys; null where it does not say.
 *
 * @example
 * leastOf({ name: 'V2_SWAP_EXACT_IN', args }) // its `amountOutMin`
 */
export function leastOf({ name, args }: Part): bigint | null {
  const isExact = /exact_?out|forExact/i.test(name)
  const values = args.flatMap(({ decoded }) => membersOf(decoded))
  // Balancer has one limit: the least that comes out where the amount going in is given.
  const isLimited = name === 'swap' && numberOf(values, 'kind') === 0n
  const found = values.find(
    (value) =>
      leastNames.has(value.name) ||
      (isLimited && value.name === 'limit') ||
      value.name === 'amountMinimum' ||
      value.name === 'amountMin' ||
      (isExact && value.name === 'amountOut'),
  )
  return found?.kind === 'number' ? found.value : null
}

/**
 * The most that may go into a swap for a certain amount, in base units of what it sells; null where it does not say.
 *
 * @example
 * mostStated(call) // its `amountInMaximum`, of its `tokenIn`
 */
export function mostStated(call: Call): { token: Address; most: bigint } | null {
  const name = functionName(call)
  const values = call.args.flatMap(({ decoded }) => membersOf(decoded))
  // Velora takes up to this much where it states what comes out.
  const isMostGiven = call.described !== undefined && /^swapExactAmountOut|^simpleBuy$/.test(name)
  const isGivenOut = values.some((value) => value.name === 'kind' && value.kind === 'number' && value.value === 1n)
  const most = values.find(
    (value) =>
      mostNames.has(value.name) ||
      (name === 'swap' && isGivenOut && value.name === 'limit') ||
      (isMostGiven && value.name === 'fromAmount'),
  )
  const named = values.find(
    (value) => /^(?:tokenIn|assetIn)$/.test(value.name) || (isMostGiven && /^(?:src|from)Token$/.test(value.name)),
  )
  const token = named?.kind === 'address' ? named.value : tokensSold({ name, args: call.args })[0]
  return most?.kind === 'number' && token !== undefined ? { token, most: most.value } : null
}

/** The tokens that a step sells: at the other end of its path, or as Uniswap 4 names them. */
export function tokensSold({ name, args }: { name: string; args: readonly CallArgument[] }): Address[] {
  const values = args.flatMap(({ decoded: argument }) => membersOf(argument))
  const isFirst = values.some((value) => value.name === 'zeroForOne' && value.kind === 'bool' && value.value)
  const ofPool = isFirst ? 'currency0' : 'currency1'
  return values.flatMap((decoded): Address[] => {
    const isNamed = decoded.name === 'currencyIn' || (name.endsWith('_SINGLE') && decoded.name === ofPool)
    if (decoded.kind === 'address') return isNamed ? [decoded.value] : []
    if (decoded.name !== 'path') return []
    if (decoded.kind === 'bytes') return bytesPath(decoded.value, !/exact_?out/i.test(name))
    const first = decoded.kind === 'list' ? decoded.value[0] : undefined
    return first?.kind === 'address' ? [first.value] : []
  })
}

/** The tokens that a swap buys: named, or at the end of a path. Paths of Uniswap 3 run backwards for exact amounts out. */
export function boughtBy(name: string, values: readonly DecodedValue[]): Address[] {
  return values.flatMap((value): Address[] => {
    if (value.kind === 'address') {
      const isBought =
        /^(?:tokenOut|assetOut|currencyOut)$/.test(value.name) || (value.name === 'token' && /^TAKE/.test(name))
      return isBought && BigInt(value.value) > 0n ? [value.value] : []
    }
    if (value.name !== 'path') return []
    if (value.kind === 'bytes') return bytesPath(value.value, /exact_?out/i.test(name))
    const last = value.kind === 'list' ? value.value.at(-1) : undefined
    return last?.kind === 'address' ? [last.value] : []
  })
}

/** The tokens of a pool that gets liquidity: whoever can make one of them can buy the other with it. */
function pooledBy(name: string, values: readonly DecodedValue[]): Address[] {
  if (!/^(?:mint|addLiquidity|MINT_POSITION)/.test(name)) return []
  return values.flatMap((value) =>
    value.kind === 'address' && /^(?:token(?:[01AB])?|currency[01])$/.test(value.name) && BigInt(value.value) > 0n
      ? [value.value]
      : [],
  )
}

function bytesPath(path: Hex, isBackwards: boolean): Address[] {
  if (size(path) < 20) return []
  return [getAddress(isBackwards ? slice(path, 0, 20) : slice(path, size(path) - 20))]
}
