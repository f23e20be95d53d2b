import { zeroAddress, zeroHash } from 'viem'
import type { ExecutedAmount } from '../facts/assets/executed-amounts.ts'
import { safeAddress } from '../scene.ts'
import type { PolicyState } from './policy-in-force.ts'
import { type AllowEntry, hashPolicy, type TeamPolicy } from './team-policy.ts'

// Tests of the policy share these: an empty first version, and one that is in force.

/** A first version that allows and restricts nothing. */
export const emptyPolicy: TeamPolicy = {
  chainId: 1,
  safeAddress,
  number: 1,
  previousHash: zeroHash,
  reason: '',
  allowed: [],
  refundLimits: [],
  amountLimits: [],
  reviewers: [],
  recipientsOnly: false,
  recipients: [],
  noDelegatecall: false,
}

/** The state of a policy that enough owners signed. */
export function inForce(change: Partial<TeamPolicy>): Extract<PolicyState, { status: 'in-force' }> {
  const policy = { ...emptyPolicy, ...change }
  return {
    status: 'in-force',
    policy,
    hash: hashPolicy(policy),
    isProven: true,
    approvers: [],
    formerApprovers: [],
    required: 2,
    isApproved: true,
    isLapsed: false,
    allowed: [...policy.allowed],
    withdrawn: [],
    unproved: { signers: [], withdrawn: [] },
    lowersCritical: true,
  }
}

/** An entry for a contract that is no proxy. */
export function entryOf(entry: Pick<AllowEntry, 'kind' | 'address' | 'codeHash'> & Partial<AllowEntry>): AllowEntry {
  return { implementation: null, implementationCodeHash: null, selector: null, name: 'Ours', ...entry }
}

/** Answers of the chain where nothing was executed within the period of any limit. */
export function nothingExecuted({ amountLimits = [] }: Partial<TeamPolicy>): ExecutedAmount[] {
  return amountLimits.map(({ asset, period }) =>
    asset === zeroAddress
      ? { asset, period, kind: 'native', executed: [] }
      : { asset, period, kind: 'token', moved: 0n },
  )
}
