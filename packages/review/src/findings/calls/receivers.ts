import { isSameAddress } from '@countersign/safe'
import type { Call, Command } from '@countersign/safe/calls'
import { type Address, numberToHex, zeroAddress } from 'viem'
import { addressesNamed, argument, functionName, isWrittenAs } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import { listedToken } from '../../tokens/listed-tokens.ts'
import { mayBeWrapped } from '../../tokens/wrapped-coins.ts'
import type { Finding } from '../../types.ts'
import { isOpenToAll } from '../addresses/open-callers.ts'
import { callFinding } from '../make-finding.ts'
import { ROUTER, tokensBought, tokensSold } from './swaps.ts'

/** Uniswap's newer routers take this for the caller. */
const CALLER = 1n
/** Functions of the newer router that do: those without a deadline. All others of a router take 1 and 2 for accounts. */
const marking =
  /^(?:exact(?:In|Out)put\(\(bytes,address,uint256,uint256\)\)|exact(?:In|Out)putSingle\(\(address,address,uint24,address,uint256,uint256,uint160\)\)|swap(?:ExactTokensForTokens|TokensForExactTokens)\(uint256,uint256,address\[\],address\))$/

/** Where a call is made: by whom, in which tree of calls, and what is known of tokens there. */
export type CallPlace = Pick<ReviewInput, 'safeAddress' | 'tokens' | 'chainId'> & { root: Call }

/** Names everybody but the Safe who gets what comes of a call. */
export function reviewReceivers(call: Call, place: CallPlace): Finding[] {
  // A debtor whose debt is paid gets what it was a debt for.
  const debtors = functionName(call).startsWith('repay') ? addressesNamed(call, 'debtor') : []
  const others: string[] = [
    ...addressesNamed(call, 'receiver'),
    ...debtors,
    ...maybeReceiver(call, place),
    ...receiversOfCommands(call, place),
  ].filter((receiver) => !isOwn(receiver, call, place))
  // A name can point to an account of any chain, written as that chain does.
  const pointed = argument(call, 'encodedAddress')
  if (pointed !== null && !isZero(pointed) && !isWrittenAs(pointed, place.safeAddress)) others.push(pointed)
  const permits = (call.commands ?? []).filter(({ name }) => name.startsWith('PERMIT2_PERMIT'))
  return [
    ...[...new Set(others)].map((receiver) =>
      callFinding(call, 'RECEIVER-OTHER', 'high', { ...evidenceOf(call), receiver }),
    ),
    ...permits.map((command) => {
      const [spender] = addressesNamed(command, 'spender')
      return callFinding(call, 'SPENDING-RIGHT', 'high', { function: command.name, spender: spender && [spender] })
    }),
  ]
}

const forwarding = new Set<Call['family']>(['multicall', 'multi-send', 'forward', 'proposal'])

/** Native coin that is sent to one contract so that it sends it to others: who gets it stands inside. */
export function reviewForwarded(call: Call, { safeAddress }: Pick<ReviewInput, 'safeAddress'>): Finding[] {
  if (call.value === 0n) return []
  // A governor has no price: what it is paid goes on to whom the proposal pays, which stands in no argument.
  if (call.family === 'governance')
    return [callFinding(call, 'RECEIVER-OTHER', 'high', { function: call.name, receiver: call.to })]
  if (!forwarding.has(call.family)) return []
  const paid = (call.calls ?? []).filter(({ value, to }) => value > 0n && !isSameAddress(to, safeAddress))
  return paid.map((payment) =>
    callFinding(payment, 'RECEIVER-OTHER', 'high', { function: call.name, receiver: payment.to }),
  )
}

/** Vaults of a team's own have `withdraw(address,uint256)`, too, and mean the receiver by the address. A listed token is none. */
function maybeReceiver(call: Call, { tokens }: CallPlace): Address[] {
  if (call.name !== 'withdraw(address,uint256)') return []
  return addressesNamed(call, 'asset').filter((asset) => listedToken(tokens, asset) === undefined)
}

function evidenceOf(call: Call) {
  const stated = argument(call, 'amount') ?? argument(call, 'assets') ?? argument(call, 'shares')
  return { function: call.name, amount: stated === null ? null : { text: stated, asset: null } }
}

/**
 * Whether an account is the Safe, or the one that acts here as the Safe tells it to, with its own assets: another Safe, a timelock.
 * Whatever is left with a contract that calls for anybody is anybody's.
 */
export function isOwnAccount(account: string, { from }: Pick<Call, 'from'>, safeAddress: Address): boolean {
  return isWrittenAs(account, safeAddress) || (isWrittenAs(account, from) && !isOpenToAll(from))
}

function isOwn(receiver: Address, call: Call, place: CallPlace): boolean {
  if (isOwnAccount(receiver, call, place.safeAddress)) return true
  if (call.family !== 'swap') return false
  const isMarking = call.commands !== undefined || marking.test(call.name ?? '')
  if (isMarking && BigInt(receiver) === CALLER) return true
  // Tokens that stay in the router are for whoever comes first, unless a later step sends them on. The older one means itself by 0.
  return BigInt(receiver) === (isMarking ? ROUTER : 0n) && isFollowed(call, place)
}

/** Whether the same router gets later calls, in the same batch or multicall, that give out all that this one leaves there. */
function isFollowed(call: Call, place: CallPlace): boolean {
  const later = siblingsOf(call, place.root)
    .slice((call.path.at(-1) ?? 0) + 1)
    .filter((sibling) => isSameAddress(sibling.to, call.to) && sibling.family === 'swap')
  const left = tokensBought(call)
  if (left.length > 0) return left.every((token) => later.some((sibling) => givesOutCall(sibling, token, place)))
  // A position has two tokens, and its fees name neither.
  const givenOut = later.flatMap((sibling) => {
    if (functionName(sibling) === 'unwrapWETH9') return [zeroAddress]
    return functionName(sibling) === 'sweepToken' ? addressesNamed(sibling, 'token') : []
  })
  return new Set(givenOut).size > 1
}

/** Whether a function of a router gives out all that the router holds of a token. */
function givesOutCall(call: Call, left: Address, place: CallPlace): boolean {
  const name = functionName(call)
  if (name === 'unwrapWETH9') return mayBeWrapped(left, place)
  return name === 'sweepToken' && addressesNamed(call, 'token').some((token) => isSameAddress(token, left))
}

/** The calls of a tree that are made one after the other, with this one among them. */
function siblingsOf({ path }: Call, root: Call): readonly Call[] {
  let calls: readonly Call[] = path.length === 0 ? [root] : (root.calls ?? [])
  for (const index of path.slice(0, -1)) calls = calls[index]?.calls ?? []
  return calls
}

/** Names the receivers of all steps. A token that a step leaves in the router must be sent on by a later step. */
function receiversOfCommands({ commands = [] }: Call, place: CallPlace): Address[] {
  return commands.flatMap((command, index) =>
    receiversOf(command).filter((receiver) => {
      if (BigInt(receiver) !== ROUTER) return true
      return !isSentOn(command, commands.slice(index + 1), place)
    }),
  )
}

/** Receivers of a step. Positions of Uniswap 4 keep what they wrap and unwrap. */
function receiversOf(command: Command): Address[] {
  const isOwn = command.name === 'WRAP' || command.name === 'UNWRAP'
  return isOwn ? [numberToHex(ROUTER, { size: 20 })] : addressesNamed(command, 'receiver')
}

/** One asset in a router: a token, the zero address for coin, or the chain's wrapped coin, whose address no step says. */
type Left = Address | 'wrapped'

/** Assets that a step brings into the router; none where they cannot be told. */
function leftBy(command: Command): Left[] {
  if (/^UNWRAP/.test(command.name)) return [zeroAddress]
  if (/^WRAP/.test(command.name)) return ['wrapped']
  if (command.name === 'TAKE_PAIR')
    return [...addressesNamed(command, 'currency0'), ...addressesNamed(command, 'currency1')]
  const isNamed = /^(?:TAKE|SWEEP|TRANSFER|PAY_PORTION|PERMIT2_TRANSFER)/.test(command.name)
  const named = isNamed ? addressesNamed(command, 'token') : []
  return named.length > 0 ? named : tokensBought(command)
}

/** The router takes this amount for all that it holds. */
const ALL_HELD = 1n << 255n

/** Whether later steps take all that this one leaves out of the router, or sell all of it. */
function isSentOn(command: Command, later: readonly Command[], place: CallPlace): boolean {
  const left = leftBy(command)
  // A step that may fail sends nothing on for certain, and a swap for a certain amount may leave of the most that it takes.
  const certain = later.filter(({ mayFail }) => !mayFail)
  const known = amountOf(command, 'amount', ...(command.name.endsWith('_EXACT_OUT') ? ['amountOut'] : []))
  const isSold = (token: Left) => {
    const sold = certain
      .filter((step) => isSaleOf(step, token, place) && !step.name.includes('_EXACT_OUT'))
      .map((step) => amountOf(step, 'amountIn', 'amount') ?? 0n)
    const isEnough = known !== null && sold.reduce((sum, amount) => sum + amount, 0n) >= known
    return sold.some((amount) => amount >= ALL_HELD) || (sold.length > 0 && isEnough)
  }
  return left.length > 0 && left.every((token) => certain.some((step) => sendsOn(step, token, place)) || isSold(token))
}

function isSame(token: Address, left: Left, place: CallPlace): boolean {
  return left === 'wrapped' ? mayBeWrapped(token, place) : isSameAddress(token, left)
}

/** Whether a step takes all of a token out of the router. */
function sendsOn(step: Command, left: Left, place: CallPlace): boolean {
  if (step.name === 'UNWRAP_WETH') return left === 'wrapped' || (left !== zeroAddress && mayBeWrapped(left, place))
  if (step.name === 'WRAP_ETH') return left === zeroAddress
  return step.name === 'SWEEP' && addressesNamed(step, 'token').some((token) => isSame(token, left, place))
}

/** Whether a step pays with a token that the router holds, as much as it says. */
function isSaleOf(step: Command, left: Left, place: CallPlace): boolean {
  if (!isPaidByRouter(step)) return false
  const sold = step.name === 'SETTLE' ? addressesNamed(step, 'token') : tokensSold(step)
  return sold.length > 0 && sold.every((token) => isSame(token, left, place))
}

function isPaidByRouter({ args }: Command): boolean {
  return args.some(({ name, value }) => name === 'payerIsUser' && value === 'false')
}

function amountOf({ args }: Command, ...names: string[]): bigint | null {
  const found = args.find(({ name }) => names.includes(name))
  return found?.decoded.kind === 'number' ? found.decoded.value : null
}

export function isZero(account: string): boolean {
  return /^0x0*$/.test(account)
}
