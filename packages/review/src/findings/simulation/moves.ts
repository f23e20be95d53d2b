import { type DecodedValue, isSameAddress } from '@countersign/safe'
import { type Call, flattenCalls } from '@countersign/safe/calls'
import { type Address, zeroAddress } from 'viem'
import { argumentAddresses } from '../../call-arguments.ts'
import type { AssetChange, ObservedEffects } from '../../effects/declared-effects.ts'
import { withoutItemCounts } from '../../effects/effects-by-run.ts'
import type { ReviewInput } from '../../input.ts'
import type { BalanceChange, FinishedSimulation } from '../../simulation/simulation-result.ts'
import type { Finding } from '../../types.ts'
import { amountsOf, finding } from '../make-finding.ts'
import { executedRun } from './finished.ts'
import { isRedeemed } from './redeemed.ts'
import { ROUNDING } from './transfers.ts'

const DRAIN_PERCENT = 95n

/** The moves that the calls tell, in base units, and whether they tell all. */
export type Told = { call: Call; observed: Pick<ObservedEffects, 'assets' | 'unread'> }

/** Compares what moves in the run, by balances, with what the calls say. */
export function reviewMoves({ call, observed }: Told, input: ReviewInput): Finding[] {
  const run = executedRun(input)
  if (run === null) return []
  const isCarriedOut = run.outcome.kind === 'success'
  const told = isCarriedOut ? observed.assets : []
  const isAllTold = observed.unread.length === 0
  const stated = mostStated(call, input)
  const own = run.balances.filter(({ account }) => isSameAddress(account, input.safeAddress))
  const isHandedIn = (change: BalanceChange) =>
    isCarriedOut &&
    change.standard === 'erc20' &&
    isRedeemed({ token: change.token, left: -deltaOf(change) }, stated.keys(), run, input)
  const more = withoutItemCounts(own).flatMap((change) => {
    const left = -deltaOf(change)
    const said = -toldOf(told, change)
    if (left <= 0n || left - positive(said) <= roundingOf(change)) return []
    // A function that names the token takes it, up to the amount that it states.
    const most = stated.get(change.token.toLowerCase()) ?? 0n
    if (!isAllTold && change.token !== zeroAddress && left - most <= roundingOf(change)) return []
    if (change.token === zeroAddress && mayRefund(input, zeroAddress)) return []
    if (isHandedIn(change)) return []
    return [
      finding('MOVES-MORE', 'high', {
        ...assetOf(change),
        ...amountsOf(assetName(change), { amount: left, said: positive(said) }),
      }),
    ]
  })
  const less = isCarriedOut && isAllTold ? reviewLess(told, run.balances, input) : []
  return [
    ...more,
    ...less,
    ...reviewLater(run),
    ...reviewDrain(
      own.filter((change) => !isHandedIn(change)),
      () => null,
    ),
    ...reviewDrain(othersOf(call, run.balances, input), ({ account }) => account),
  ]
}

/** Changes of other accounts that act in these calls as the Safe tells them to: a Safe that it owns, its timelock or vault. */
function othersOf(call: Call, balances: readonly BalanceChange[], { safeAddress }: ReviewInput): BalanceChange[] {
  const acting = new Set(flattenCalls(call).map(({ from }) => from.toLowerCase()))
  acting.delete(safeAddress.toLowerCase())
  return balances.filter(({ account }) => acting.has(account.toLowerCase()))
}

/** Tokens that ask for a part of what is sent, and transfers that do not happen. */
function reviewLess(told: readonly AssetChange[], balances: readonly BalanceChange[], input: ReviewInput): Finding[] {
  // A batch pays hundreds, and as many balances change: not each is compared with each.
  const ofAccount = new Map<string, BalanceChange[]>()
  for (const change of balances) {
    const account = change.account.toLowerCase()
    ofAccount.set(account, [...(ofAccount.get(account) ?? []), change])
  }
  return told.flatMap((said) => {
    const found = ofAccount.get(said.account.toLowerCase())?.find((change) => isOf(change, said))
    const moved = found === undefined ? 0n : deltaOf(found)
    const expected = said.isOut ? -said.amount : said.amount
    const short = said.isOut ? moved - expected : expected - moved
    if (short <= (said.tokenId === null && said.token !== zeroAddress ? ROUNDING : 0n)) return []
    const isOwn = isSameAddress(said.account, input.safeAddress)
    const amounts = amountsOf(assetName(said), { amount: moved < 0n ? -moved : moved, said: said.amount })
    const evidence = { asset: assetName(said), account: said.account, ...amounts }
    // Coin that the account passes on, or pays for gas, is no fee of a token.
    if (said.token === zeroAddress) return isOwn ? [finding('MOVES-LESS', 'high', evidence)] : []
    return !said.isOut && moved > 0n
      ? [finding('TOKEN-FEE', 'medium', evidence)]
      : [finding('MOVES-LESS', 'high', evidence)]
  })
}

/**
 * A stream that is ended, or a reward that runs out, brings less from day to day; and so does code that waits. The amounts are
 * others in every block, and an answer belongs to its evidence: it says in quarters how much is left.
 */
function reviewLater({ lessLater = [] }: FinishedSimulation): Finding[] {
  return lessLater.map(({ token, tokenId, received, receivedLater }) => {
    const quarters = received > 0n ? (receivedLater * 4n) / received : 0n
    return finding('MOVES-LESS-LATER', 'high', { ...assetOf({ token, tokenId }), share: quarters * 25n })
  })
}

/** Nearly all of something leaves the Safe, by whatever calls, or an account that acts for it, which is named. */
function reviewDrain(balances: readonly BalanceChange[], named: (of: BalanceChange) => Address | null): Finding[] {
  const counted = new Set(withoutItemCounts(balances))
  return balances.flatMap((change) => {
    const { before } = change
    const left = -deltaOf(change)
    if (before === null || before === 0n || left <= 0n || change.tokenId !== null) return []
    // One item is all of a collection where no other is held; it is named by itself.
    if (left === 1n && !counted.has(change)) return []
    if (left * 100n < before * DRAIN_PERCENT) return []
    const account = named(change)
    const sums = amountsOf(assetName(change), { needed: left, held: before })
    return [
      account === null
        ? finding('VALUE-DRAIN', 'high', { ...assetOf(change), ...sums })
        : finding('OTHER-DRAINED', 'high', { ...assetOf(change), account, ...sums }),
    ]
  })
}

/** How much more an account has afterwards. A balance that is not answered any more may be none. */
export function deltaOf({ before, after }: Pick<BalanceChange, 'before' | 'after'>): bigint {
  return (after ?? 0n) - (before ?? 0n)
}

function toldOf(told: readonly AssetChange[], change: BalanceChange): bigint {
  const said = told.find((asset) => isOf(change, asset))
  return said === undefined ? 0n : said.isOut ? -said.amount : said.amount
}

function isOf(change: BalanceChange, said: AssetChange): boolean {
  return (
    isSameAddress(change.account, said.account) &&
    isSameAddress(change.token, said.token) &&
    change.tokenId === said.tokenId
  )
}

/** Names of arguments that state an amount, as Countersign's list and contracts give them. */
const amounts =
  /amounts?|assets?$|shares?|^_?(?:value|wad|dx|tokens?|liquidity|limit)s?$|max|limit$|quantity|qty|principal|(?:requested|payback|collateral)/i
const noAmounts = /min|deadline|expir|nonce|salt|fee|gas|cost|count|rate|price|ids?$|out(?!Max)/i

/** The most that calls state of each token that they name, in base units, all calls together. */
function mostStated(call: Call, { safeTx }: ReviewInput): ReadonlyMap<string, bigint> {
  const most = new Map<string, bigint>()
  const add = (token: Address, amount: bigint) =>
    most.set(token.toLowerCase(), (most.get(token.toLowerCase()) ?? 0n) + amount)
  for (const inner of flattenCalls(call)) {
    if (inner.name === null) continue
    const amount = largestOf(inner)
    for (const token of new Set([inner.to, ...argumentAddresses(inner)])) add(token, amount)
  }
  if (safeTx.gasPrice > 0n) add(safeTx.gasToken, (safeTx.safeTxGas + safeTx.baseGas) * safeTx.gasPrice)
  return most
}

/** The largest amount that stands in the arguments of a call, or in one of its commands. */
function largestOf({ args, commands = [] }: Call): bigint {
  let largest = 0n
  const collect = (decoded: DecodedValue, name: string) => {
    if (decoded.kind === 'list') for (const member of decoded.value) collect(member, name)
    else if (decoded.kind === 'tuple') for (const member of decoded.value) collect(member, member.name)
    else if (decoded.kind === 'number' && amounts.test(name) && !noAmounts.test(name) && decoded.value > largest)
      largest = decoded.value
  }
  const steps = commands.filter(({ name }) => !name.startsWith('PERMIT2_PERMIT'))
  for (const { decoded } of [...args, ...steps.flatMap((step) => step.args)]) collect(decoded, decoded.name)
  return largest
}

/** The refund has a finding of its own, with its limit. */
function mayRefund({ safeTx }: ReviewInput, token: Address): boolean {
  return safeTx.gasPrice > 0n && isSameAddress(safeTx.gasToken, token)
}

function assetOf({ token, tokenId }: Pick<BalanceChange, 'token' | 'tokenId'>) {
  return { asset: assetName({ token }), tokenId }
}

/** As findings name assets. */
function assetName({ token }: Pick<BalanceChange, 'token'>): string {
  return token === zeroAddress ? 'native' : token
}

function roundingOf({ token, tokenId }: BalanceChange): bigint {
  return tokenId === null && token !== zeroAddress ? ROUNDING : 0n
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}
