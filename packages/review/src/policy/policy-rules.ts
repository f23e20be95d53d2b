import { isSameAddress, type MessageContent, type SafeTx } from '@countersign/safe'
import { type Call, flattenCalls } from '@countersign/safe/calls'
import { type Address, zeroAddress } from 'viem'
import { functionName } from '../call-arguments.ts'
import type { EvidenceOf } from '../evidence.ts'
import { maximumRefund } from '../findings/assets/refund.ts'
import { amountsOf } from '../findings/make-finding.ts'
import { outflowsOfMessage } from './message-outflows.ts'
import { coverOf, type PolicyCodes, selectorOf } from './policy-cover.ts'
import {
  type IsToken,
  isBatchLibrary,
  itemReceivers,
  namedReceivers,
  type Outflows,
  outflowsOf,
  type PayingSafe,
} from './policy-outflows.ts'
import type { AssetAmounts } from './queued-amounts.ts'
import type { AllowEntry, SpentAmount, TeamPolicy } from './team-policy.ts'

/** The restrictions that a transaction can break, by name. */
export const policyRuleIds = ['amount', 'recipient', 'delegatecall', 'reviewer', 'refund'] as const

/** Name of a restriction. */
export type PolicyRuleId = (typeof policyRuleIds)[number]

/** A restriction that a transaction breaks, with the values at fault, and the call of the tree that does. */
export type BrokenRule = {
  rule: PolicyRuleId
  evidence: Omit<EvidenceOf<'POLICY-BROKEN'>, 'rule'>
  call?: readonly number[]
}

/** A transaction as restrictions look at it. */
export type RestrictedTransaction = PolicyCodes &
  PayingSafe & {
    safeTx: SafeTx
    /** Its tree of calls. */
    call: Call
    /** Owners whose confirmations it has, or will have with the one that is being given. */
    confirmers: readonly Address[]
    threshold: number
    /**
     * Whether a contract may be a collection: the number that an ERC-20 has as an amount is an item there, and 0 is one as any
     * other. Nobody is asked on the server.
     */
    mayBeCollection?: (contract: Address) => boolean
    /** Whether a contract is known to be an ERC-20, whose numbers are amounts. Left out, none is. */
    isToken?: IsToken
    /** Assets that a run takes out of the Safe, where there is one: an allowance of long ago stands in no bytes. */
    moved?: AssetAmounts
  }

/**
 * Whether restrictions leave a transaction alone: the cancellation of a nonce, and the removal or replacement of owners.
 * One that pays a refund is neither.
 *
 * @example
 * isNeverRestricted({ safeAddress, safeTx, call }) // true for an empty call of the Safe to itself
 */
export function isNeverRestricted({
  safeAddress,
  safeTx,
  call,
}: Pick<RestrictedTransaction, 'safeAddress' | 'safeTx' | 'call'>): boolean {
  const isSelf = (address: Address) => isSameAddress(address, safeAddress)
  if (safeTx.gasPrice > 0n || call.problem !== null) return false
  const isCancellation = isSelf(call.to) && call.value === 0n && call.data === '0x' && call.operation === 0
  const steps = call.operation !== 0 && isBatchLibrary(call) ? (call.calls ?? []) : [call]
  const areOwners = steps.every(
    (step) =>
      step.operation === 0 &&
      isSelf(step.to) &&
      isSelf(step.from) &&
      step.value === 0n &&
      step.problem === null &&
      step.kind === 'safe-settings' &&
      (functionName(step) === 'removeOwner' || functionName(step) === 'swapOwner'),
  )
  return isCancellation || (steps.length > 0 && areOwners)
}

/**
 * The restrictions of a policy that a transaction breaks; none for what restrictions never block.
 *
 * @param allowed entries of the policy that hold, by `policyStanding`
 * @param spent for each limit of the policy; one that is missing counts as nothing spent
 * @example
 * const [broken] = brokenRules(policy, { allowed, spent, transaction })
 */
export function brokenRules(
  policy: TeamPolicy,
  facts: { allowed: readonly AllowEntry[]; spent: readonly SpentAmount[]; transaction: RestrictedTransaction },
): BrokenRule[] {
  const { transaction } = facts
  if (isNeverRestricted(transaction)) return []
  const { call, safeTx, moved = new Map(), isToken = () => false } = transaction
  // A balance that the run moves is one of an ERC-20.
  const hasUnit = (contract: Address) => isToken(contract) || moved.has(contract.toLowerCase())
  const outflows = outflowsOf(call, safeTx, transaction, hasUnit)
  for (const [asset, amount] of moved)
    if (amount > (outflows.amounts.get(asset) ?? 0n)) outflows.amounts.set(asset, amount)
  const refund = brokenRefund(policy, transaction)
  return [
    ...refund,
    ...brokenAmounts(policy, outflows, facts.spent),
    ...brokenRecipients(policy, outflows, transaction, refund),
    ...brokenDelegatecalls(policy, facts.allowed, transaction),
    ...brokenReviewers(policy, outflows, transaction),
  ]
}

/** A message as restrictions look at it. */
export type RestrictedMessage = Pick<RestrictedTransaction, 'safeAddress' | 'confirmers' | 'threshold'> & {
  content: MessageContent
}

/**
 * Finds the restrictions of a policy that a message breaks: by what it lets others take, and by who has to confirm that.
 *
 * @param spent for each limit of the policy; one that is missing counts as nothing spent
 * @example
 * const [broken] = brokenMessageRules(policy, { spent, message })
 */
export function brokenMessageRules(
  policy: TeamPolicy,
  { spent, message }: { spent: readonly SpentAmount[]; message: RestrictedMessage },
): BrokenRule[] {
  const outflows = outflowsOfMessage(message.content, message.safeAddress)
  const isMoving = outflows.receivers.length + outflows.amounts.size + outflows.unbounded.size > 0
  if (!isMoving) return []
  const broken = [
    ...brokenAmounts(policy, outflows, spent),
    ...brokenReceivers(policy, outflows),
    ...brokenReviewers(policy, outflows, message),
  ]
  return broken.map(({ rule, evidence }) => ({ rule, evidence }))
}

/** As findings name assets: `native`, or the address of the token. */
function assetName(asset: Address): string {
  return isSameAddress(asset, zeroAddress) ? 'native' : asset
}

function brokenAmounts(
  { amountLimits }: TeamPolicy,
  { amounts, unbounded }: Outflows,
  spent: readonly SpentAmount[],
): BrokenRule[] {
  return amountLimits.flatMap(({ asset, amount: limit, period }): BrokenRule[] => {
    const key = asset.toLowerCase()
    const name = assetName(asset)
    const evidence = { asset: name, ...amountsOf(name, { limit }), period }
    const hidden = unbounded.get('*') ?? unbounded.get(key)
    if (hidden !== undefined) return [{ rule: 'amount', evidence, call: hidden }]
    const amount = amounts.get(key) ?? 0n
    if (amount === 0n) return []
    const before = spent.find((amount) => isSameAddress(amount.asset, asset) && amount.period === period)
    const { executed = 0n, queued = 0n } = before ?? {}
    if (amount + executed + queued <= limit) return []
    const sums = amountsOf(name, { amount, executed, queued })
    return [{ rule: 'amount', evidence: { ...evidence, ...sums } }]
  })
}

function isKnownRecipient({ recipients }: TeamPolicy, address: Address | null): boolean {
  return address !== null && recipients.some((recipient) => isSameAddress(recipient, address))
}

function brokenReceivers(policy: TeamPolicy, { receivers }: Pick<Outflows, 'receivers'>): BrokenRule[] {
  if (!policy.recipientsOnly) return []
  const unknown = receivers.filter(({ address }) => !isKnownRecipient(policy, address))
  // A receiver may be found in two ways.
  const each = new Map(unknown.map((one) => [`${one.call.join('.')} ${one.address?.toLowerCase()}`, one]))
  return [...each.values()].map(
    ({ address, call }): BrokenRule => ({
      rule: 'recipient',
      evidence: address === null ? {} : { recipient: address },
      call,
    }),
  )
}

function brokenRecipients(
  policy: TeamPolicy,
  { receivers }: Outflows,
  { call, safeAddress, safeTx: { gasPrice, refundReceiver }, mayBeCollection = () => false }: RestrictedTransaction,
  refund: readonly BrokenRule[],
): BrokenRule[] {
  if (!policy.recipientsOnly) return []
  const named = namedReceivers(call, { safeAddress, chainId: policy.chainId })
  const ofItems = itemReceivers(call, safeAddress).filter(({ contract }) => mayBeCollection(contract))
  const broken = brokenReceivers(policy, { receivers: [...receivers, ...named, ...ofItems] })
  // A refund within the limit goes to whoever executes; without a limit it needs a name.
  const isLimited = policy.refundLimits.length > 0 && refund.length === 0
  if (gasPrice > 0n && !isLimited && !isKnownRecipient(policy, refundReceiver))
    broken.push({ rule: 'recipient', evidence: { recipient: refundReceiver } })
  return broken
}

function brokenDelegatecalls(
  { noDelegatecall }: TeamPolicy,
  allowed: readonly AllowEntry[],
  { call, safeAddress, ...codes }: RestrictedTransaction,
): BrokenRule[] {
  if (!noDelegatecall) return []
  const isAllowed = (inner: Call) => {
    if (isBatchLibrary(inner)) return true
    const target = { kind: 'delegatecall' as const, address: inner.to, selector: selectorOf(inner.data) }
    return typeof coverOf(allowed, target, codes) === 'object'
  }
  return flattenCalls(call)
    .filter((inner) => inner.operation !== 0 && isSameAddress(inner.from, safeAddress) && !isAllowed(inner))
    .map((inner) => ({ rule: 'delegatecall', evidence: { to: inner.to }, call: inner.path }))
}

function brokenReviewers(
  { reviewers }: TeamPolicy,
  { amounts, unbounded }: Outflows,
  { confirmers, threshold }: Pick<RestrictedTransaction, 'confirmers' | 'threshold'>,
): BrokenRule[] {
  // Confirmations are welcome in any order: only the last one needs the reviewer's before it.
  if (confirmers.length < threshold) return []
  return reviewers
    .filter(({ reviewer }) => !confirmers.some((confirmer) => isSameAddress(confirmer, reviewer)))
    .filter(({ asset, above }) => {
      if (asset === null) return true
      const key = asset.toLowerCase()
      return unbounded.has('*') || unbounded.has(key) || (amounts.get(key) ?? 0n) > above
    })
    .map(({ reviewer, asset, above }): BrokenRule => {
      if (asset === null) return { rule: 'reviewer', evidence: { reviewer } }
      const name = assetName(asset)
      return { rule: 'reviewer', evidence: { reviewer, asset: name, above: { value: above, asset: name } } }
    })
}

function brokenRefund(policy: TeamPolicy, transaction: RestrictedTransaction): BrokenRule[] {
  const cover = refundCover(policy, transaction)
  if (cover !== 'over') return []
  const { gasToken, refundReceiver, gasPrice } = transaction.safeTx
  const limit = policy.refundLimits.find(({ asset }) => isSameAddress(asset, gasToken))?.amount ?? 0n
  const asset = assetName(gasToken)
  return [{ rule: 'refund', evidence: { asset, limit: { value: limit, asset }, refundReceiver, gasPrice } }]
}

/**
 * Compares the refund of a transaction with the limit of the team. Without safeTxGas, or if the version of the Safe is unknown, the
 * refund has no maximum and exceeds the limit.
 *
 * @returns `none`: there is no refund, or no limit
 * @example
 * refundCover(policy, { safeTx, version: '1.4.1' }) // 'within'
 */
export function refundCover(
  { refundLimits }: Pick<TeamPolicy, 'refundLimits'>,
  { safeTx, version }: Pick<RestrictedTransaction, 'safeTx' | 'version'>,
): 'none' | 'within' | 'over' {
  const { gasPrice, safeTxGas, gasToken } = safeTx
  if (gasPrice === 0n || refundLimits.length === 0) return 'none'
  const limit = refundLimits.find(({ asset }) => isSameAddress(asset, gasToken))
  if (limit === undefined || safeTxGas === 0n || version === null) return 'over'
  return maximumRefund(safeTx, version) <= limit.amount ? 'within' : 'over'
}
