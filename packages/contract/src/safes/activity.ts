import * as z from 'zod/mini'
import { reviewed } from '../signing/reviewed.ts'
import { page, safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, hash, time } from '../wire/primitives.ts'
import { settingKinds } from './history.ts'

/** Actions, in the words of the activity log. */
export const activityVerbs = [
  'signed-in',
  'signed-out',
  'revoked-session',
  'made-token',
  'revoked-token',
  'added-safe',
  'stopped-reading',
  'resumed-reading',
  'proposed',
  'confirmed',
  'deleted',
  'sent',
  'sent-elsewhere',
  'executed',
  'reverted',
  'changed-settings',
  'reverted-settings',
  'proposed-message',
  'confirmed-message',
  'deleted-message',
  'named-proposer',
  'removed-proposer',
  'invited-viewer',
  'removed-viewer',
  'created-webhook',
  'removed-webhook',
  'disabled-webhook',
  'named-address',
  'endorsed-name',
  'removed-name',
  'gave-abi',
  'endorsed-abi',
  'removed-abi',
  'proposed-policy',
  'approved-policy',
  'withdrew-policy-entry',
  'discarded-policy',
  'noted',
  'attached-pack',
  'removed-pack',
  'removed-note',
  'shared-draft',
  'removed-draft',
  'refused-signature',
  'refused-sign-in',
  'ended-access',
  'acknowledged-alarm',
] as const
export type ActivityVerb = (typeof activityVerbs)[number]

/** Names of the values that an entry of the log carries beside its account and its hash. Older entries may have others. */
export const activityDetails = [
  ...settingKinds,
  'transactionHash',
  'executor',
  'owner',
  'label',
  'delegate',
  'delegator',
  'expiryDate',
  'account',
  'safeMessageHash',
  'safeTxHash',
  'address',
  'author',
  'name',
  'text',
  'contract',
  'signer',
  'otherSafeTxHash',
  'code',
  'signInCode',
  'proposer',
  'proposedByDelegate',
  'nonce',
  'to',
  'value',
  'operation',
  'dataHash',
  'confirmedBy',
  'confirmations',
  'confirmationsRequired',
  'isSuccessful',
  'host',
  'events',
  'number',
  'policyHash',
  'approvals',
  'approvalsRequired',
  'kind',
  'packHash',
  'unsignedSince',
  // Numbers that only the database has a use for.
  'id',
  'alarmId',
] as const
export type ActivityDetail = (typeof activityDetails)[number]

/** One thing that somebody did to a Safe here, or that the chain showed. Never changed, never removed. */
export const activityEntry = z.object({
  id: z.string(),
  at: time,
  /** Null: the chain showed it; of a deletion, nobody signed the proposal in time. */
  account: z.nullable(address),
  verb: z.enum(activityVerbs),
  /** Hash of the transaction or the message that it is about. */
  safeTxHash: z.nullable(hash),
  detail: z.nullable(z.record(z.string(), z.string())),
  /** The account's own word for what its page showed. */
  reviewed: z.nullable(reviewed),
  /** sha256 of the hash of the Safe's entry before it (32 zero bytes for the first) and `hashed`, as UTF-8. */
  hash,
  previousHash: hash,
  hashed: z.string(),
})
export type ActivityEntry = z.output<typeof activityEntry>

export const listActivity = endpoint({
  name: 'listActivity',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/activity',
  summary: 'What was done to a Safe here, newest first. Each entry carries the hash of the one before it',
  params: safeParams,
  query: page,
  reply: z.object({ entries: z.array(activityEntry), nextCursor: z.nullable(z.string()) }),
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER'],
})

export const exportActivity = endpoint({
  name: 'exportActivity',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/activity.csv',
  summary: 'The whole activity log as CSV, oldest first, with the hashes that chain it',
  params: safeParams,
  media: 'text/csv',
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER'],
})
