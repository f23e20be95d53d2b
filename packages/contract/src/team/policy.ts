import * as z from 'zod/mini'
import { chainErrors, memberErrors } from '../errors/errors.ts'
import { safeParams, spentAmounts } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, hash, hexUpTo, time } from '../wire/primitives.ts'

/** Longer than any policy within its bounds: what is beyond is refused before it is read. */
const text = z.string().check(z.minLength(2), z.maxLength(131_072))
/** EIP-712, of the policy or of a withdrawal; an owner that is a contract has one of its own kind. */
const signature = hexUpTo(16_384)

/** An owner's signature on a version of the policy, verified when it arrived. The browser verifies it again. */
export const policyApproval = z.object({ owner: address, signature, signedAt: time })

/** An allow entry that an owner took back. */
export const policyWithdrawal = z.object({ entryHash: hash, owner: address, signature, signedAt: time })

/** One version of a team's policy. */
export const policyVersion = z.object({
  /** The text that `parsePolicy` reads. */
  policy: z.string(),
  /** EIP-712 hash of it. */
  hash,
  number: z.int(),
  proposer: address,
  proposedAt: time,
  /** When enough owners had signed it; null: it is proposed. */
  inForceSince: z.nullable(time),
  approvals: z.array(policyApproval),
  withdrawals: z.array(policyWithdrawal),
})
export type PolicyVersion = z.output<typeof policyVersion>

/** The team's policy in force, and the version that is proposed after it. */
export const teamPolicy = z.object({ inForce: z.nullable(policyVersion), proposed: z.nullable(policyVersion) })

export const getPolicy = endpoint({
  name: 'getPolicy',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/policy',
  summary: "The team's policy in force, and the version that is proposed after it",
  params: safeParams,
  reply: teamPolicy,
  session: 'required',
  errors: memberErrors,
})

export const getSpentAmounts = endpoint({
  name: 'getSpentAmounts',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/policy/spent',
  summary: 'For each amount limit of the policy in force: what was executed in its period, and what is queued',
  params: safeParams,
  query: z.object({
    /** Leaves out what is queued at this nonce: rivals of a transaction are not executed beside it. */
    besideNonce: z.optional(z.string().check(z.regex(/^(?:0|[1-9][0-9]{0,77})$/))),
  }),
  reply: z.object({ spent: spentAmounts }),
  session: 'required',
  errors: memberErrors,
})

const writeErrors = ['SAFE_NOT_FOUND', 'NOT_AN_OWNER', 'SIGNATURE_INVALID', ...chainErrors] as const

export const proposePolicy = endpoint({
  name: 'proposePolicy',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/policy',
  summary: "Proposes the next version of the team's policy, signed by the proposing owner. Only one is open at a time",
  params: safeParams,
  body: z.object({ policy: text, signature }),
  reply: policyVersion,
  session: 'required',
  scope: 'session',
  errors: [...writeErrors, 'POLICY_MALFORMED', 'POLICY_CONFLICT'],
})

const versionParams = z.extend(safeParams, { policyHash: hash })

export const approvePolicy = endpoint({
  name: 'approvePolicy',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/policy/{policyHash}/approvals',
  summary: "Adds the signed-in owner's approval. With enough of them the version is in force at once",
  params: versionParams,
  body: z.object({ signature }),
  reply: policyVersion,
  session: 'required',
  scope: 'session',
  errors: [...writeErrors, 'POLICY_NOT_FOUND'],
})

export const withdrawPolicyEntry = endpoint({
  name: 'withdrawPolicyEntry',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/policy/{policyHash}/withdrawals',
  summary: 'Takes an allow entry back, by any one owner. Restrictions stay',
  params: versionParams,
  body: z.object({ entryHash: hash, signature }),
  reply: policyVersion,
  session: 'required',
  scope: 'session',
  errors: [...writeErrors, 'POLICY_NOT_FOUND'],
})

export const discardPolicy = endpoint({
  name: 'discardPolicy',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/policy/{policyHash}',
  summary: 'Removes a version that is not in force, by any owner',
  params: versionParams,
  session: 'required',
  scope: 'session',
  errors: ['SAFE_NOT_FOUND', 'NOT_AN_OWNER', 'POLICY_NOT_FOUND', ...chainErrors],
})
