import { type Address, zeroAddress } from 'viem'
import { argumentAddresses, type Call, flattenCalls } from '../../../calldata.ts'
import type { AssetChange, ObservedEffects } from '../../../effects/declared-effects.ts'
import { isSameAddress } from '../../../same-address.ts'
import type { BalanceChange } from '../../../simulation/simulation-result.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding } from '../../types.ts'
import { finding } from '../evidence.ts'
import { executedRun } from './finished.ts'

/** Tokens that keep shares round by as much with each transfer. */
const ROUNDING = 2n
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
  const named = namedIn(call, input)
  const own = run.balances.filter(({ account }) => isSameAddress(account, input.safeAddress))
  const more = own.flatMap((change) => {
    const left = -deltaOf(change)
    const said = -toldOf(told, change)
    if (left <= 0n || left - positive(said) <= roundingOf(change)) return []
    // A function that names the token takes it, in an amount that only the run tells.
    if (!isAllTold && change.token !== zeroAddress && named.has(change.token.toLowerCase())) return []
    if (change.token === zeroAddress && mayRefund(input, zeroAddress)) return []
    return [finding('MOVES-MORE', 'high', { ...assetOf(change), amount: String(left), said: String(positive(said)) })]
  })
  const less = isCarriedOut && isAllTold ? reviewLess(told, run.balances, input) : []
  return [...more, ...less, ...reviewDrain(own)]
}

/** Tokens that ask for a part of what is sent, and transfers that do not happen. */
function reviewLess(told: readonly AssetChange[], balances: readonly BalanceChange[], input: ReviewInput): Finding[] {
  return told.flatMap((said) => {
    const found = balances.find((change) => isOf(change, said))
    const moved = found === undefined ? 0n : deltaOf(found)
    const expected = said.isOut ? -said.amount : said.amount
    const short = said.isOut ? moved - expected : expected - moved
    if (short <= (said.tokenId === null && said.token !== zeroAddress ? ROUNDING : 0n)) return []
    const isOwn = isSameAddress(said.account, input.safeAddress)
    const evidence = {
      asset: said.token === zeroAddress ? 'native' : said.token,
      account: said.account,
      amount: String(moved < 0n ? -moved : moved),
      said: String(said.amount),
    }
    // Coin that the account passes on, or pays for gas, is no fee of a token.
    if (said.token === zeroAddress) return isOwn ? [finding('MOVES-LESS', 'high', evidence)] : []
    return !said.isOut && moved > 0n
      ? [finding('TOKEN-FEE', 'medium', evidence)]
      : [finding('MOVES-LESS', 'high', evidence)]
  })
}

/** Nearly all of something leaves the Safe, by whatever calls. */
function reviewDrain(own: readonly BalanceChange[]): Finding[] {
  return own.flatMap((change) => {
    const { before } = change
    const left = -deltaOf(change)
    if (before === null || before === 0n || left <= 0n || change.tokenId !== null) return []
    if (left * 100n < before * DRAIN_PERCENT) return []
    return [finding('VALUE-DRAIN', 'high', { ...assetOf(change), needed: String(left), held: String(before) })]
  })
}

/** How much more an account has afterwards. A balance that is not answered any more may be none. */
export function deltaOf({ before, after }: Pick<BalanceChange, 'before' | 'after'>): bigint {
  return (after ?? 0n) - (before ?? 0n)
}

function toldOf(told: readonly AssetChange[], change: BalanceChange): bigint {
  const said = told.find((one) => isOf(change, one))
  return said === undefined ? 0n : said.isOut ? -said.amount : said.amount
}

function isOf(change: BalanceChange, said: AssetChange): boolean {
  return (
    isSameAddress(change.account, said.account) &&
    isSameAddress(change.token, said.token) &&
    change.tokenId === said.tokenId
  )
}

/** Every address of the calls: a token that stands among them is spoken of. */
function namedIn(call: Call, { safeTx }: ReviewInput): ReadonlySet<string> {
  const named = flattenCalls(call).flatMap((one) => (one.name === null ? [] : [one.to, ...argumentAddresses(one)]))
  const refund = safeTx.gasPrice > 0n ? [safeTx.gasToken] : []
  return new Set([...named, ...refund].map((one: Address) => one.toLowerCase()))
}

/** The refund has a finding of its own, with its limit. */
function mayRefund({ safeTx }: ReviewInput, token: Address): boolean {
  return safeTx.gasPrice > 0n && isSameAddress(safeTx.gasToken, token)
}

function assetOf({ token, tokenId }: BalanceChange) {
  return { asset: token === zeroAddress ? 'native' : token, tokenId: tokenId === null ? null : String(tokenId) }
}

function roundingOf({ token, tokenId }: BalanceChange): bigint {
  return tokenId === null && token !== zeroAddress ? ROUNDING : 0n
}

function positive(value: bigint): bigint {
  return value > 0n ? value : 0n
}
