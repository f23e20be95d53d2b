import { fail } from '@countersign/contract'
import {
  type BrokenRule,
  brokenMessageRules,
  evaluatePolicy,
  isNeverRestricted,
  type PolicyCodes,
  policyStanding,
  readImplementation,
  type TeamPolicy,
  writtenEvidence,
} from '@countersign/review'
import { type CountersignError, type MessageContent, readCodes, type SafeTx } from '@countersign/safe'
import { type Call, describeCall, flattenCalls } from '@countersign/safe/calls'
import { sql } from 'drizzle-orm'
import { type Address, getAddress, type Hex } from 'viem'
import type { Ctx } from '../../context.ts'
import type { Executor } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { lockUntilCommit } from '../../db/lock-until-commit.ts'
import { type Chain, chainOf } from '../../rpc/clients.ts'
import type { SafeReading } from '../../rpc/state-reader.ts'
import type { TokenLists } from '../../token-lists/keep-token-lists.ts'
import { findApprovals, findInForce, findWithdrawals, type Place, policyOf, type StoredVersion } from './queries.ts'
import { isListed, spentAmounts } from './spent.ts'

/** The policy in force, and what was read of the chain to apply it; null: nothing is restricted. */
export type Restriction = { stored: StoredVersion; policy: TeamPolicy; call: Call; codes: PolicyCodes }

/** A transaction that is proposed or confirmed. */
export type Restricted = Place & { safeTx: SafeTx; safeTxHash: Hex }

/** Finds the restrictions that may apply to a transaction, and reads the code that they need, before anything is written. */
export async function findRestriction(
  ctx: Pick<Ctx, 'db' | 'chains'>,
  { chainId, safeAddress, safeTx }: Omit<Restricted, 'safeTxHash'>,
): Promise<Restriction | null> {
  const stored = await findInForce(ctx.db, { chainId, safeAddress })
  if (!stored) return null
  const policy = policyOf(stored)
  const call = describeCall({ ...safeTx, safeAddress })
  if (!isRestricting(policy) || isNeverRestricted({ safeAddress, safeTx, call })) return null
  const run = flattenCalls(call).flatMap(({ to, operation }) => (operation === 0 ? [] : [to]))
  const named = run.filter((to) => policy.allowed.some(({ address }) => address === to))
  const codes = policy.noDelegatecall ? await readPolicyCodes(chainOf(ctx.chains, chainId), [...new Set(named)]) : {}
  return { stored, policy, call, codes }
}

function isRestricting(policy: TeamPolicy): boolean {
  const { amountLimits, reviewers, refundLimits, recipientsOnly, noDelegatecall } = policy
  return recipientsOnly || noDelegatecall || amountLimits.length + reviewers.length + refundLimits.length > 0
}

async function readPolicyCodes({ request }: Chain, addresses: readonly Address[]): Promise<PolicyCodes> {
  const behind = addresses.map(async (address) => [address.toLowerCase(), await readImplementation(request, address)])
  const [codes, implementations] = await Promise.all([readCodes(request, addresses), Promise.all(behind)])
  return { codes, implementations: Object.fromEntries(implementations) }
}

/** Owners who confirm, by the Safe as it is read at this moment. `isMember`: who asks may learn the values. */
type Confirming = {
  state: SafeReading
  signers: readonly Address[]
  now: Date
  isMember: boolean
  tokenLists: TokenLists
}

/**
 * Refuses what the team's policy restricts. Inside the write, and before it locks the transaction: of two that fill a limit
 * at once, or that confirm without the reviewer, the second one sees the first.
 *
 * @param signers owners whose confirmations come with it
 * @param isMember whether who asks may learn the values, and not the restriction alone
 * @throws CountersignError `POLICY_RESTRICTS`, naming the restriction.
 */
export async function assertUnrestricted(
  tx: Executor,
  restriction: Restriction | null,
  { safeTx, safeTxHash, ...place }: Restricted,
  { state, signers, now, isMember, tokenLists }: Confirming,
): Promise<void> {
  if (restriction === null) return
  const { stored, policy, call, codes } = restriction
  const { chainId, safeAddress } = place
  await lockLimits(tx, policy, place)
  const [approvals, withdrawals] = [await findApprovals(tx, stored), await findWithdrawals(tx, stored)]
  const { owners, threshold, version } = state
  const standing = policyStanding(policy, {
    owners,
    threshold,
    signers: approvals.map(({ owner }) => owner),
    withdrawnHashes: withdrawals.map(({ entryHash }) => entryHash),
  })
  const known = policy.reviewers.length > 0 ? await findConfirmers(tx, 'confirmation', chainId, safeTxHash) : []
  const confirmers = owners.filter((owner) => signers.includes(owner) || known.includes(owner))
  const spent = await spentAmounts(tx, { ...place, now, tokenLists }, policy.amountLimits, safeTx.nonce)
  const isToken = isListed(tokenLists, chainId)
  const transaction = { safeAddress, version, safeTx, call, ...codes, isToken, confirmers, threshold }
  refuse(evaluatePolicy({ policy, ...standing }, transaction, spent).broken, policy.number, isMember)
}

/** A message that is proposed or confirmed. */
export type RestrictedContent = Place & { content: MessageContent; safeMessageHash: Hex }

/**
 * Refuses a message by which others could take what the team's policy restricts: a permit counts like the allowance that it
 * is. Inside the write, as `assertUnrestricted`.
 *
 * @throws CountersignError `POLICY_RESTRICTS`, naming the restriction.
 */
export async function assertMessageUnrestricted(
  tx: Executor,
  { content, safeMessageHash, ...place }: RestrictedContent,
  { state, signers, now, isMember, tokenLists }: Confirming,
): Promise<void> {
  const stored = await findInForce(tx, place)
  if (!stored) return
  const policy = policyOf(stored)
  const { chainId, safeAddress } = place
  await lockLimits(tx, policy, place)
  const { owners, threshold } = state
  const known =
    policy.reviewers.length > 0 ? await findConfirmers(tx, 'message_confirmation', chainId, safeMessageHash) : []
  const confirmers = owners.filter((owner) => signers.includes(owner) || known.includes(owner))
  const spent = await spentAmounts(tx, { ...place, now, tokenLists }, policy.amountLimits, null)
  const message = { content, safeAddress, confirmers, threshold }
  refuse(brokenMessageRules(policy, { spent, message }), policy.number, isMember)
}

/** Makes the second of two that fill a limit at once, or that confirm without the reviewer, see the first. */
async function lockLimits(tx: Executor, policy: TeamPolicy, { chainId, safeAddress }: Place): Promise<void> {
  const isShared = policy.amountLimits.length + policy.reviewers.length > 0
  if (isShared) await lockUntilCommit(tx, `policy limits ${chainId} ${safeAddress}`)
}

function refuse([broken]: readonly BrokenRule[], policy: number, isMember: boolean): void {
  if (!broken) return
  throw isMember ? restricts(broken, policy) : fail('POLICY_RESTRICTS', { reason: 'rule', rule: broken.rule })
}

const hashColumns = { confirmation: sql`safe_tx_hash`, message_confirmation: sql`message_hash` }

async function findConfirmers(
  tx: Executor,
  table: keyof typeof hashColumns,
  chainId: number,
  hash: Hex,
): Promise<Address[]> {
  const { rows } = await tx.execute<{ owner: string }>(sql`select encode(owner, 'hex') as owner
    from ${sql.identifier(table)} where chain_id = ${chainId} and ${hashColumns[table]} = ${sql.param(toBytes(hash))}`)
  return rows.map(({ owner }) => getAddress(`0x${owner}`))
}

function restricts({ rule, evidence, call }: BrokenRule, policy: number): CountersignError {
  const texts = writtenEvidence(evidence)
  const value = (name: keyof typeof evidence) => texts[name] ?? 'unknown'
  const [asset, limit, period] = [value('asset'), value('limit'), value('period')]
  switch (rule) {
    case 'amount':
      if (texts.amount === undefined && call === undefined)
        return fail('POLICY_RESTRICTS', { reason: 'amount-message', rule, policy, asset, limit, period })
      if (texts.amount === undefined) {
        const place = call?.map((index) => index + 1).join('.') || '0'
        return fail('POLICY_RESTRICTS', { reason: 'amount-hidden', rule, policy, asset, limit, period, call: place })
      }
      return fail('POLICY_RESTRICTS', {
        reason: 'amount',
        rule,
        policy,
        asset,
        limit,
        period,
        amount: texts.amount,
        executed: value('executed'),
        queued: value('queued'),
      })
    case 'recipient':
      return fail('POLICY_RESTRICTS', { reason: rule, rule, policy, recipient: value('recipient') })
    case 'delegatecall':
      return fail('POLICY_RESTRICTS', { reason: rule, rule, policy, to: value('to') })
    case 'reviewer':
      return fail('POLICY_RESTRICTS', { reason: rule, rule, policy, reviewer: value('reviewer') })
    case 'refund':
      return fail('POLICY_RESTRICTS', { reason: rule, rule, policy, asset, limit })
  }
}
