import { type Address, getAddress, type Hex, size, slice } from 'viem'
import type { DecodedValue } from '../../abi-decode.ts'
import { addressesNamed, type CallArgument } from '../../call-argument.ts'
import type { Call } from '../../calldata.ts'
import { isSameAddress } from '../../same-address.ts'
import type { ReviewInput } from '../input.ts'
import { listedToken } from '../listed-tokens.ts'
import type { Finding } from '../types.ts'
import { callFinding, functionName } from './evidence.ts'

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
/** A pool that gives or takes two tokens says the least of each. One of them may be nothing, where the other is not. */
const pairNames = new Set(['amountAMin', 'amountBMin', 'amountTokenMin', 'amountETHMin', 'amount0Min', 'amount1Min'])
const mostNames = new Set(['amountInMax', 'amountInMaximum'])
/** Fewer base units than these are nothing in any token. */
const NOTHING = 1_000n
/** Nothing real has so many. */
const EVERYTHING = 1n << 128n

type Part = { name: string; args: readonly CallArgument[] }

/** A swap at a price that it does not state, or into a token that nobody has listed. */
export function reviewSwap(call: Call, input: ReviewInput): Finding[] {
  const parts: Part[] = [{ name: functionName(call), args: call.args }, ...(call.commands ?? [])]
  const bought = parts.flatMap(({ name, args }) =>
    boughtBy(
      name,
      args.flatMap(({ decoded }) => membersOf(decoded)),
    ),
  )
  // A router can swap at any price and then give out no less than this of what it bought.
  const isBounded = (call.commands ?? []).some(
    (step) =>
      givesOut(step, bought) &&
      step.args.some(
        ({ decoded: least }) => least.name === 'amountMin' && least.kind === 'number' && least.value >= NOTHING,
      ),
  )
  return parts.flatMap((part) => reviewPart(call, part, isBounded, input))
}

/** Whether a step gives out one of these tokens, where it names a token and they are known. */
function givesOut(step: Part, bought: readonly Address[]): boolean {
  const [token] = addressesNamed(step, 'token')
  return token === undefined || bought.length === 0 || bought.some((asset) => isSameAddress(asset, token))
}

function reviewPart(call: Call, { name, args }: Part, isBounded: boolean, { tokens }: ReviewInput): Finding[] {
  const values = args.flatMap(({ decoded }) => membersOf(decoded))
  const findings: Finding[] = []
  const isOpen = values.some(
    (value) =>
      value.kind === 'number' &&
      ((leastNames.has(value.name) && value.value < NOTHING && !isBounded) ||
        (mostNames.has(value.name) && value.value >= EVERYTHING)),
  )
  const pair = values.flatMap((value) => (value.kind === 'number' && pairNames.has(value.name) ? [value.value] : []))
  const isPairOpen = pair.length > 0 && pair.every((least) => least < NOTHING)
  // Balancer has one limit: the least that comes out where the amount going in is given, which is kind 0.
  const isGivenIn = values.some((value) => value.name === 'kind' && value.kind === 'number' && value.value === 0n)
  const isUnlimited =
    isGivenIn && values.some((value) => value.name === 'limit' && value.kind === 'number' && value.value < NOTHING)
  if (isOpen || isPairOpen || (name === 'swap' && isUnlimited))
    findings.push(callFinding(call, 'SWAP-NO-MINIMUM', 'high', { function: name }))
  const unlisted = boughtBy(name, values).filter((token) => listedToken(tokens, token) === undefined)
  for (const token of new Set(unlisted)) {
    findings.push(callFinding(call, 'SWAP-UNLISTED', 'high', { function: name, token }))
  }
  // Tokens that a router has pulled are for whoever calls it next, unless the same call sends them on.
  if (name === 'pull') findings.push(callFinding(call, 'RECEIVER-OTHER', 'high', { function: name, receiver: call.to }))
  return findings
}

/** As the contracts of the registry call the least that must come of a call. */
const leastDescribed =
  /^_?min(?:imum)?(?:$|_?(?:Amount|Out|Return|Received?|Shares|Tokens?|Rsweth|Collateral|FtUSD|Lp|Mint|Rusdy|Rwa)[A-Za-z]*$)|^(?:toAmount|outputAmount)$/i

/** A call that the registry describes, at a price that it does not state. */
export function reviewDescribedSwap(call: Call): Finding[] {
  const isOpen = call.args
    .flatMap(({ decoded }) => membersOf(decoded))
    .some((one) => one.kind === 'number' && leastDescribed.test(one.name) && one.value < NOTHING)
  return isOpen ? [callFinding(call, 'SWAP-NO-MINIMUM', 'high', { function: functionName(call) })] : []
}

/** A value, and those inside it where it is a tuple. */
function membersOf(decoded: DecodedValue): readonly DecodedValue[] {
  return decoded.kind === 'tuple' ? decoded.value.flatMap(membersOf) : [decoded]
}

/** The tokens that a call or a step of one buys; none where they cannot be told. */
export function tokensBought({ name, args }: { name: string | null; args: readonly CallArgument[] }): Address[] {
  return boughtBy(
    name?.split('(')[0] ?? '',
    args.flatMap(({ decoded }) => membersOf(decoded)),
  )
}

/** The tokens that a step sells: at the other end of its path. */
export function tokensSold({ name, args }: { name: string; args: readonly CallArgument[] }): Address[] {
  return args.flatMap(({ decoded }): Address[] => {
    if (decoded.name !== 'path') return []
    if (decoded.kind === 'bytes') return bytesPath(decoded.value, !/exact_?out/i.test(name))
    const first = decoded.kind === 'list' ? decoded.value[0] : undefined
    return first?.kind === 'address' ? [first.value] : []
  })
}

/** The tokens that a swap buys: named, or at the end of a path. Paths of Uniswap 3 run backwards for exact amounts out. */
function boughtBy(name: string, values: readonly DecodedValue[]): Address[] {
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

function bytesPath(path: Hex, isBackwards: boolean): Address[] {
  if (size(path) < 20) return []
  return [getAddress(isBackwards ? slice(path, 0, 20) : slice(path, size(path) - 20))]
}
