import { isSameAddress } from '@countersign/safe'
import type { Call, CallKind } from '@countersign/safe/calls'
import type { Address } from 'viem'
import { addressArgument, argument } from '../../call-arguments.ts'
import type { ReviewInput } from '../../input.ts'
import { listedToken } from '../../tokens/listed-tokens.ts'
import { tokenMovesOf } from '../../tokens/token-moves.ts'
import type { Finding } from '../../types.ts'
import { delegatecallTarget } from '../calls/delegatecall.ts'
import { amountsOf, finding } from '../make-finding.ts'

/** The chain's own coin, where other assets have the address of their contract. */
const NATIVE = 'native'
const DRAIN_PERCENT = 95n

/** One thing that the Safe itself sends, in the order of the calls. */
type Outflow = {
  asset: string
  amount: bigint
  isToSelf: boolean
  call: Call
  mayFollowIncome: boolean
  /** It is not sent: somebody may take it. */
  isAllowance: boolean
}

/** Lists what the Safe sends by its own calls; further transfers of a called contract are not known here. */
function outflowsOf(calls: readonly Call[], input: ReviewInput): Outflow[] {
  const outflows: Outflow[] = []
  // A contract called earlier may pay in what a later entry sends.
  let mayFollowIncome = false
  for (const call of calls) {
    if (!isSameAddress(call.from, input.safeAddress)) continue
    for (const sent of sentBy(call, input)) outflows.push({ ...sent, call, mayFollowIncome })
    mayFollowIncome ||= mayBringIncome(call, input)
  }
  return outflows
}

type Sent = Omit<Outflow, 'call' | 'mayFollowIncome'>

/** Lists what one call of the Safe sends or allows. */
function sentBy(call: Call, { safeAddress }: ReviewInput): Sent[] {
  const isSafe = (address: Address | null) => address !== null && isSameAddress(address, safeAddress)
  const sent = (asset: string, amount: bigint, to: Address | null): Sent => ({
    asset: asset.toLowerCase(),
    amount,
    isToSelf: isSafe(to),
    isAllowance: false,
  })
  // A contract that is created gets this amount from the Safe.
  if (call.operation !== 0) return call.family === 'create-call' ? [sent(NATIVE, amountIn(call, 'value'), null)] : []
  const moves = tokenMovesOf(call)?.filter(({ from }) => isSafe(from)) ?? []
  return [
    ...(call.value > 0n ? [sent(NATIVE, call.value, call.to)] : []),
    ...(isOwnTransfer(call, safeAddress) ? [sent(call.to, amountIn(call, 'amount'), addressArgument(call, 'to'))] : []),
    ...moves.map(({ token, to, amount }) => sent(token, BigInt(amount), to)),
    ...(isAllowanceGiven(call)
      ? [{ ...sent(addressArgument(call, 'token') ?? call.to, amountIn(call, 'amount'), null), isAllowance: true }]
      : []),
  ]
}

function amountIn(call: Call, name: string): bigint {
  return BigInt(argument(call, name) ?? 0)
}

/** Whether a call transfers tokens of the Safe, not of somebody who allowed it. */
function isOwnTransfer(call: Call, safeAddress: Address): boolean {
  const sender = addressArgument(call, 'from')
  return call.kind === 'erc20-transfer' && (sender === null || isSameAddress(sender, safeAddress))
}

function isAllowanceGiven({ kind, name }: Call): boolean {
  return kind === 'erc20-approve' && !/^decrease/.test(name ?? '')
}

/** Kinds of calls by which the Safe receives nothing. */
const withoutIncome = new Set<CallKind>(['native-transfer', 'empty', 'safe-settings', 'erc20-approve'])

function mayBringIncome(call: Call, input: ReviewInput): boolean {
  if (call.operation !== 0) return !isBatch(call, input)
  return !withoutIncome.has(call.kind) && !isOwnTransfer(call, input.safeAddress)
}

function isBatch(call: Call, input: ReviewInput): boolean {
  const target = delegatecallTarget(call, input)
  return call.kind === 'multi-send' && (target === 'library' || target === 'unread')
}

function heldOf(asset: string, input: ReviewInput): bigint | undefined {
  return asset === NATIVE ? coinOf(input) : (input.balances?.[asset] ?? undefined)
}

/** Coin of the chain that the Safe has: as it is proved, where it is. When the Safe was read one node said it. */
export function coinOf({ safeSlots, state }: Pick<ReviewInput, 'safeSlots' | 'state'>): bigint | undefined {
  return safeSlots?.held ?? state?.balance
}

/** Assets that are sent without it being known how much of them the Safe holds. */
export function unknownBalances(calls: readonly Call[], input: ReviewInput): string[] {
  const sent = outflowsOf(calls, input).filter(({ isAllowance }) => !isAllowance)
  const assets = new Set(sent.map(({ asset }) => asset))
  return [...assets].filter((asset) => heldOf(asset, input) === undefined)
}

/** Adds up what is sent, asset by asset, in the order of the calls, and compares it with what the Safe holds. */
export function reviewBalances(calls: readonly Call[], input: ReviewInput): Finding[] {
  const flows = new Map<string, Outflow[]>()
  for (const flow of outflowsOf(calls, input)) {
    const known = flows.get(flow.asset)
    if (known === undefined) flows.set(flow.asset, [flow])
    else known.push(flow)
  }
  return [...flows].flatMap(([asset, list]) => reviewAsset(asset, list, input))
}

function reviewAsset(asset: string, flows: readonly Outflow[], input: ReviewInput): Finding[] {
  const held = heldOf(asset, input)
  if (held === undefined) return []
  const token = listedToken(input.tokens, asset)
  const unit = { asset, symbol: token?.symbol, decimals: token?.decimals }
  let needed = 0n
  const sent = flows.filter(({ isAllowance }) => !isAllowance)
  for (const { amount, isToSelf, call, mayFollowIncome } of sent) {
    if (needed + amount > held) {
      const total = sent.reduce((sum, flow) => sum + (flow.isToSelf && flow.call !== call ? 0n : flow.amount), 0n)
      const evidence = { ...unit, ...amountsOf(asset, { needed: total, held, missing: total - held }) }
      const where = call.path.length === 0 && asset === NATIVE ? { field: 'value' as const } : { call: call.path }
      const severity = mayFollowIncome ? 'medium' : 'high'
      return [finding('BALANCE-EXCEEDED', severity, { ...evidence, call: call.path }, where)]
    }
    if (!isToSelf) needed += amount
  }
  // More than the Safe holds can only be allowed, and that is told of the allowance itself.
  const allowed = flows.filter(({ isAllowance, amount }) => isAllowance && amount <= held)
  const leaves = allowed.reduce((sum, { amount }) => sum + amount, needed)
  if (held === 0n || leaves * 100n < held * DRAIN_PERCENT) return []
  const sums = amountsOf(asset, { needed: leaves, held })
  return [finding('VALUE-DRAIN', 'high', { ...unit, ...sums, case: leaves > needed ? 'allowed' : undefined })]
}
