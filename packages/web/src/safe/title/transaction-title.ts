import { describeTransaction, type Effect, type NestedReview } from '@countersign/review'
import { isSameAddress, isUnlimited, type SafeTx } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { zeroAddress } from 'viem'
import { text } from '../../text/lists.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { currencyOf, type Names, shortNameOf, tokenAt } from '../names/names.ts'
import { isBatch, signsMessage } from './counterparty.ts'

/**
 * The effect of a transaction in one sentence, from its bytes alone: the head of its page, the bar, the line above the
 * button, the name of the tab, the row of a list. Once it was executed and worked, in the past tense.
 *
 * @param reading.call - as its review reads it, also by the registry and by ABIs that count for the reader
 * @param reading.effects - effects of the review, which asked contracts whether they are NFT collections
 * @param reading.collections - contracts that are known to be collections from another source
 */
export function transactionTitle(
  safeTx: SafeTx,
  screenNames: Names,
  {
    isExecuted = false,
    nested = [],
    call = describeTransaction({ safeTx, safeAddress: screenNames.safeAddress }),
    effects = [],
    collections = [],
  }: Reading = {},
): string {
  const names = { ...screenNames, collections: [...collections, ...effects.flatMap(collectionIn)] }
  const tense = isExecuted ? 'past' : 'present'
  const title = titleOfApproval(call, nested, names, tense) ?? titleOf(call, names, tense)
  if (safeTx.gasPrice > 0n) return withRefund(title, safeTx, names, tense)
  const isCancellation = call.operation === 0 && call.kind === 'empty' && isSameAddress(call.to, names.safeAddress)
  return isCancellation ? text('title.cancel', { tense, nonce: safeTx.nonce }) : title
}

/** Whatever the call does, the Safe also pays for its execution. */
function withRefund(title: string, safeTx: SafeTx, names: Names, tense: Tense): string {
  const { refundReceiver } = safeTx
  const whom = isSameAddress(refundReceiver, zeroAddress)
    ? text('title.refund.executor')
    : callName(refundReceiver, names)
  return text('title.refund', { title, tense, whom })
}

type Reading = {
  isExecuted?: boolean
  nested?: readonly NestedReview[] | undefined
  call?: Call | undefined
  effects?: readonly Pick<Effect, 'key' | 'values'>[] | undefined
  collections?: readonly string[] | undefined
}

function collectionIn({ key, values }: Pick<Effect, 'key' | 'values'>): string[] {
  return (key === 'nft-transfer' || key === 'nft-approve') && values.target !== undefined ? [values.target] : []
}

/** Once what is approved was found and read, it is what the transaction is about. */
function titleOfApproval(call: Call, nested: readonly NestedReview[], names: Names, tense: Tense): string | null {
  if (call.name !== 'approveHash(bytes32)' || call.operation !== 0) return null
  const hash = argument(call, 'hashToApprove')
  const approved = nested.find(
    (approved) => approved.review.hash === hash && isSameAddress(approved.safeAddress, call.to),
  )
  if (!approved?.safeTx) return null
  const whom = callName(call.to, names)
  const title = titleOfNested(approved, approved.safeTx, names)
  return text('title.approve', { tense, whom, title })
}

/** The effect of a transaction that is approved by its hash, as it is in its own Safe. */
export function titleOfNested(approved: NestedReview, safeTx: SafeTx, names: Names): string {
  const { review } = approved
  return transactionTitle(safeTx, namesIn(approved, names), review.kind === 'transaction' ? review : {})
}

/** Names as they are in the Safe whose transaction is approved. */
export function namesIn({ safeAddress, review }: NestedReview, names: Names): Names {
  const owners = review.kind === 'transaction' ? (review.configuration?.before.owners ?? []) : []
  return { ...names, safeAddress, owners }
}

type Tense = 'past' | 'present'

/** Coin that goes along with a call is said too: it is not what the function is about. */
function titleOf(call: Call, names: Names, tense: Tense): string {
  const title = titleOfCall(call, names, tense)
  return call.operation === 0 && call.value > 0n && call.kind !== 'native-transfer'
    ? text('title.with', { title, what: nativeAmount(call.value, names) })
    : title
}

function titleOfCall(call: Call, names: Names, tense: Tense): string {
  if (call.operation === 1) return titleOfDelegatecall(call, names, tense)
  const whom = callName(argument(call, 'to') ?? argument(call, 'spender') ?? call.to, names)
  switch (call.kind) {
    case 'native-transfer':
      return text('title.send', { tense, what: nativeAmount(call.value, names), whom: callName(call.to, names) })
    case 'erc20-transfer': {
      const what = tokenAmount(call, names)
      const from = argument(call, 'from')
      return from === undefined
        ? text('title.send', { tense, what, whom })
        : text('title.sendFrom', { tense, what, from: callName(from, names), whom })
    }
    case 'erc20-approve':
      return titleOfAllowance(call, names, whom, tense)
    case 'erc721-transfer':
    case 'erc1155-transfer':
      return text(`title.${call.kind}`, { tense, whom })
    case 'safe-settings':
      return titleOfSettings(call, names, tense)
    case 'empty':
      return text('title.empty', { tense, whom })
    default:
      return titleOfOther(call, names, tense)
  }
}

function titleOfAllowance(call: Call, names: Names, whom: string, tense: Tense): string {
  const isItem = call.name === 'approve(address,uint256)' && isCollection(call.to, names)
  if (isItem && !isSameAddress(argument(call, 'spender') ?? zeroAddress, zeroAddress))
    return text('title.allowance', { tense, whom, what: tokenAmount(call, names) })
  const amount = BigInt(argument(call, 'amount') ?? 0)
  const symbol = tokenAt(call.to, names.chain)?.symbol
  const token = symbol === undefined ? text('title.token.unlisted') : showUntrusted(symbol, 20)
  // Increasing and decreasing change what was allowed before: what is allowed afterwards these bytes do not say.
  // The same function with 0 approves NFT 0 of a collection. Only for a listed token does 0 mean that no allowance is left.
  const isEnded = amount === 0n && symbol !== undefined
  if (call.name?.startsWith('approve(') !== true || (amount === 0n && !isEnded) || isItem)
    return text('title.allowance.change', { tense, whom, token })
  if (isUnlimited(amount)) return text('title.allowance.unlimited', { tense, whom, token })
  if (isEnded) return text('title.allowance.none', { tense, whom, token })
  return text('title.allowance', { tense, whom, what: tokenAmount(call, names) })
}

function titleOfSettings(call: Call, names: Names, tense: Tense): string {
  const name = functionName(call)
  const of = (argumentName: string) => callName(argument(call, argumentName) ?? '', names)
  if (!isSameAddress(call.to, names.safeAddress))
    return text('title.settings.other', { tense, whom: callName(call.to, names), name })
  switch (name) {
    case 'addOwnerWithThreshold':
      return text('title.owner.add', { tense, whom: of('owner'), threshold: argument(call, 'threshold') ?? '' })
    case 'removeOwner':
      return text('title.owner.remove', { tense, whom: of('owner'), threshold: argument(call, 'threshold') ?? '' })
    case 'swapOwner':
      return text('title.owner.swap', { tense, old: of('oldOwner'), whom: of('newOwner') })
    case 'changeThreshold':
      return text('title.threshold', { tense, threshold: argument(call, 'threshold') ?? '' })
    case 'enableModule':
      return text('title.module.enable', { tense, whom: of('module') })
    case 'disableModule':
      return text('title.module.disable', { tense, whom: of('module') })
    default:
      return text('title.settings', { tense, name })
  }
}

function titleOfDelegatecall(call: Call, names: Names, tense: Tense): string {
  if (signsMessage(call)) return text('title.signMessage', { tense })
  if (!isBatch(call)) return text('title.delegatecall', { tense })
  const calls = call.calls ?? []
  const [first] = calls
  if (!first) return text('title.batch', { tense, count: 0 })
  if (calls.length === 1) return titleOf(first, names, tense)
  return titleOfPayments(calls, names, tense) ?? titleOfFew(calls, names, tense) ?? titleOfBatch(calls, names, tense)
}

const MAX_ASSETS = 3

/** Payments and nothing else, added up by asset: whatever else is in a batch must not hide behind its first call. */
function titleOfPayments(calls: readonly Call[], names: Names, tense: Tense): string | null {
  const { paid, recipients, others } = paymentsIn(calls, names)
  if (others > 0 || paid.length > MAX_ASSETS) return null
  const [only] = recipients
  const what = paid.join(' + ')
  return only !== undefined && recipients.length === 1
    ? text('title.send', { tense, what, whom: callName(only, names) })
    : text('title.payments', { tense, what, count: recipients.length })
}

const MAX_CALLS_SAID = 3
const MAX_SAID_LENGTH = 140

/** Few calls are all said, in their order; null where that is too long, or where one is a batch again. */
function titleOfFew(calls: readonly Call[], names: Names, tense: Tense): string | null {
  if (calls.length > MAX_CALLS_SAID || calls.some((call) => (call.calls?.length ?? 0) > 0)) return null
  const titles = calls
    .map((call) => titleOf(call, names, tense))
    .reduce((before, next) => text('title.then', { before, next }))
  return titles.length > MAX_SAID_LENGTH ? null : text('title.batch.calls', { titles })
}

/** Many calls by their number, and by the sum of the payments among them. */
function titleOfBatch(calls: readonly Call[], names: Names, tense: Tense): string {
  const { paid } = paymentsIn(calls, names)
  const count = calls.length
  return paid.length === 0 || paid.length > MAX_ASSETS
    ? text('title.batch', { tense, count })
    : text('title.batch.paying', { tense, count, what: paid.join(' + ') })
}

/** Sums of the calls that pay and do nothing else, by asset; how many calls are something else. */
function paymentsIn(calls: readonly Call[], names: Names) {
  const sums = new Map<string, { token: string | null; sum: bigint }>()
  const recipients = new Map<string, string>()
  let others = 0
  for (const call of calls) {
    const isNative = call.kind === 'native-transfer'
    const isToken = call.kind === 'erc20-transfer' && call.name?.startsWith('transfer(') === true && call.value === 0n
    if (call.operation !== 0 || call.problem !== null || !(isNative || isToken)) {
      others += 1
      continue
    }
    const token = isNative ? null : call.to
    const amount = isNative ? call.value : BigInt(argument(call, 'amount') ?? 0)
    const key = token?.toLowerCase() ?? ''
    sums.set(key, { token, sum: (sums.get(key)?.sum ?? 0n) + amount })
    const recipient = isNative ? call.to : (argument(call, 'to') ?? '')
    recipients.set(recipient.toLowerCase(), recipient)
  }
  const paid = [...sums.values()].map(({ token, sum }) =>
    token === null ? nativeAmount(sum, names) : amountOf(sum, token, names),
  )
  return { paid, recipients: [...recipients.values()], others }
}

function titleOfOther(call: Call, names: Names, tense: Tense): string {
  const whom = callName(call.to, names)
  // Its review says whether anybody reads it.
  const selector = call.data.slice(0, 10)
  if (call.name === null)
    return text(selector.length < 10 ? 'title.unread' : 'title.selector', { tense, whom, selector })
  if (call.name === 'approveHash(bytes32)') return text('title.approve.hash', { tense, whom })
  return text('title.call', { tense, name: functionName(call), whom })
}

/** By its name; one that nobody named is not told apart by a few of its digits, which anybody can imitate. */
function callName(address: string, names: Names): string {
  return shortNameOf(address, names) ?? text('title.unnamed')
}

function argument(call: Call, name: string): string | undefined {
  return call.args.find((argument) => argument.name === name)?.value
}

function functionName({ name }: Call): string {
  return showUntrusted(name?.split('(')[0] ?? '', 60)
}

function nativeAmount(value: bigint, { chain }: Names): string {
  const { decimals, symbol } = currencyOf(chain)
  return `${formatAmount(value, decimals)} ${showUntrusted(symbol, 20)}`
}

/** Functions that tokens and NFT collections share. The number is an amount of a token, or a token ID of a collection. */
const shared = new Set(['approve(address,uint256)', 'transferFrom(address,address,uint256)'])

function isCollection(address: string, { collections = [] }: Names): boolean {
  return collections.some((collection) => isSameAddress(collection, address))
}

function tokenAmount(call: Call, names: Names): string {
  if (call.name !== null && shared.has(call.name)) {
    const id = argument(call, 'amount') ?? ''
    if (isCollection(call.to, names)) return text('title.item', { id })
    if (!tokenAt(call.to, names.chain)) return text('title.itemOrAmount', { id })
  }
  return amountOf(BigInt(argument(call, 'amount') ?? 0), call.to, names)
}

function amountOf(amount: bigint, address: string, { chain }: Names): string {
  const token = tokenAt(address, chain)
  if (!token) return `${formatAmount(amount, 0)} ${text('effect.baseUnits')}`
  return `${formatAmount(amount, token.decimals)} ${showUntrusted(token.symbol, 20)}`
}
