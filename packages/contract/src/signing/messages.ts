import { messageLimits } from '@countersign/safe'
import * as z from 'zod/mini'
import { chainErrors, memberErrors, signatureErrors } from '../errors/errors.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, chainId, chainIdParam, hash, hex, time } from '../wire/primitives.ts'
import { ownReport, reviewed, reviewReport } from './reviewed.ts'
import { confirmation, formerConfirmation, page, safeParams } from './transactions.ts'

/** JSON text: a string for a text (EIP-191), an object for typed data (EIP-712). */
const content = z
  .string()
  .check(
    z.maxLength(messageLimits.json, `must not be longer than ${messageLimits.json.toLocaleString('en')} characters`),
  )

/** A message that a Safe signs off the chain. It belongs to the team: nothing of it is on the chain. */
export const safeMessage = z.object({
  chainId,
  safeAddress: address,
  /** Hash that owners sign. */
  safeMessageHash: hash,
  /** JSON as it came, byte for byte: the order of its keys is kept. */
  content: z.string(),
  proposer: address,
  safeAppId: z.nullable(z.int()),
  /** The application that asked for it, as the proposer says. A claim, not a fact. */
  origin: z.nullable(z.string()),
  submissionDate: time,
  /** Time of the last change. */
  modifiedDate: time,
  /** Those of the present owners. */
  confirmations: z.array(z.omit(confirmation, { transactionHash: true })),
  confirmationsRequired: z.int(),
})
export type SafeMessage = z.output<typeof safeMessage>

const messageParams = z.object({ chainId: chainIdParam, safeMessageHash: hash })

export const listMessages = endpoint({
  name: 'listMessages',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/messages',
  summary: 'Messages that the Safe signs off the chain, newest first',
  params: safeParams,
  query: page,
  reply: z.object({ messages: z.array(safeMessage), nextCursor: z.nullable(z.string()) }),
  session: 'required',
  errors: memberErrors,
})

export const getMessage = endpoint({
  name: 'getMessage',
  method: 'GET',
  path: '/api/chains/{chainId}/messages/{safeMessageHash}',
  summary: 'One message with its confirmations',
  params: messageParams,
  reply: z.extend(safeMessage, {
    /** Confirmations of owners whom the Safe has removed since: they count for nothing. */
    formerConfirmations: z.array(formerConfirmation),
    /** Claims of owners: what their pages showed them when they proposed or confirmed it. */
    reports: z.array(reviewReport),
  }),
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'MESSAGE_NOT_FOUND'],
})

export const proposeMessage = endpoint({
  name: 'proposeMessage',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/messages',
  summary: 'Proposes a message, signed by the proposing owner. Proposing the same again changes nothing',
  params: safeParams,
  body: z.object({
    content,
    /** Compared with the hash that the server computes. */
    safeMessageHash: hash,
    signature: hex,
    /** The signature was made elsewhere: it is of any owner, and an owner brings it. */
    isImported: z.optional(z.boolean()),
    origin: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
    /** The proposer's claim of what their page showed. */
    reviewed: z.optional(reviewed),
  }),
  reply: safeMessage,
  session: 'required',
  scope: 'propose',
  errors: [
    'SAFE_NOT_ALLOWED',
    'NOT_A_SAFE',
    'SAFE_NOT_DEPLOYED',
    'NOT_AN_OWNER',
    'SAFE_NOT_FOUND',
    'NOT_A_MEMBER',
    'NOT_OWNER_OR_DELEGATE',
    'FIELD_MALFORMED',
    'MESSAGE_HASH_MISMATCH',
    'TOO_MANY_MESSAGES',
    'POLICY_RESTRICTS',
    ...signatureErrors,
    'ACCOUNT_MISMATCH',
    ...chainErrors,
  ],
})

export const confirmMessage = endpoint({
  name: 'confirmMessage',
  method: 'POST',
  path: '/api/chains/{chainId}/messages/{safeMessageHash}/confirmations',
  summary: "Adds an owner's confirmation of a message. Sending the same again changes nothing",
  params: messageParams,
  body: z
    .object({
      signature: hex,
      /** The signature was made elsewhere: it need not be of the account that is signed in. */
      isImported: z.optional(z.boolean()),
      /** The signed-in owner's claim of what their page showed. */
      reviewed: z.optional(reviewed),
    })
    .check(ownReport),
  reply: safeMessage,
  session: 'required',
  scope: 'confirm',
  errors: [
    'MESSAGE_NOT_FOUND',
    'NOT_AN_OWNER',
    'NOT_OWNER_OR_DELEGATE',
    'MESSAGE_HASH_MISMATCH',
    'POLICY_RESTRICTS',
    ...signatureErrors,
    'ACCOUNT_MISMATCH',
    ...chainErrors,
  ],
})

export const deleteMessage = endpoint({
  name: 'deleteMessage',
  method: 'DELETE',
  path: '/api/chains/{chainId}/messages/{safeMessageHash}',
  summary: 'Deletes a message that has not enough confirmations, by its proposer',
  params: messageParams,
  session: 'required',
  scope: 'propose',
  errors: ['CHAIN_NOT_CONFIGURED', 'MESSAGE_NOT_FOUND', 'NOT_PROPOSER', 'MESSAGE_FULLY_SIGNED'],
})

export const listSignInRequests = endpoint({
  name: 'listSignInRequests',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/sign-ins',
  summary: 'Sign-ins as a Safe that wait for its owners to sign them here, for its owners, the newest first',
  params: safeParams,
  query: z.object({
    /** The one with this nonce alone. */
    nonce: z.optional(z.string().check(z.regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits'))),
  }),
  reply: z.object({
    requests: z.array(
      z.object({
        message: z.string(),
        expiresAt: time,
        /** The message of the Safe that it is since an owner signed it; null: none has. */
        safeMessageHash: z.nullable(hash),
      }),
    ),
    /** Whether more wait than are listed. */
    hasMore: z.boolean(),
  }),
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER', 'NOT_AN_OWNER'],
})

export const refuseSignIn = endpoint({
  name: 'refuseSignIn',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/sign-ins/{nonce}',
  summary: 'Refuses a sign-in as a Safe, by any of its owners, until it is used: nobody can complete it afterwards',
  params: z.extend(safeParams, { nonce: z.string().check(z.regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits')) }),
  session: 'required',
  scope: 'session',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER', 'NOT_AN_OWNER', 'SIGN_IN_REQUEST_NOT_FOUND'],
})
