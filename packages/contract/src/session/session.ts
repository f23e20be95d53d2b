import * as z from 'zod/mini'
import { chainErrors } from '../errors/errors.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, chainId, chainIdParam, hash, storedHex, time } from '../wire/primitives.ts'

/** Account that is signed in in this browser. */
export const session = z.object({
  address,
  chainId,
  /** Its key is the account on every chain; a contract is proven on this chain alone. */
  provenBy: z.enum(['key', 'contract']),
  createdAt: time,
  /** The absolute end; an idle session ends earlier. */
  expiresAt: time,
})
export type Session = z.infer<typeof session>

/** How a session came to its end, other than by signing out. */
export const sessionEnd = z.object({
  /**
   * `owners-changed`: the owners of the Safe, or another setting that decides about its signatures, have changed.
   * `suspended`: a reading shows such a change, but it is not certain yet; the session continues if a later reading contradicts it.
   * `not-allowed`: the operator does not allow this account.
   */
  reason: z.enum(['expired', 'revoked', 'revoked-by-owner', 'owners-changed', 'suspended', 'not-allowed']),
  at: time,
})
export type SessionEnd = z.infer<typeof sessionEnd>

export const getSession = endpoint({
  name: 'getSession',
  method: 'GET',
  path: '/api/session',
  summary: 'The session of this browser, or null; `ended` when it had one that has come to its end',
  reply: z.object({ session: z.nullable(session), ended: z.optional(sessionEnd) }),
  session: 'none',
  errors: [],
})

/**
 * Where the page stands that signs in: in the frame of a Safe interface it has cookies of its own, and only a Safe host
 * that the operator allows may be around it.
 */
const isFramed = z.optional(z.boolean())

/**
 * Line of each sign-in that says what it is for. A page takes no sign-in at this site that has another. No word in it that a
 * review takes for an order: owners of a Safe review it like any text.
 */
export const SIGN_IN_STATEMENT = 'Sign in to Countersign. This costs nothing and moves nothing.'

export const prepareSignIn = endpoint({
  name: 'prepareSignIn',
  method: 'POST',
  path: '/api/session/message',
  summary: 'Stage 1 of signing in: the server writes the EIP-4361 message that the account is asked to sign',
  body: z.object({
    address,
    chainId,
    /** For a contract account whose owners sign one after the other: the message lives a day, and is given again. */
    waitsForOwners: z.optional(z.boolean()),
    isFramed,
  }),
  reply: z.object({ message: z.string(), expiresAt: time }),
  session: 'none',
  errors: ['NOT_A_CONTRACT_ACCOUNT', 'NOT_A_SAFE', 'FRAME_NOT_ALLOWED', ...chainErrors],
})

/** A Safe's answer when its owners still have to sign. Either hash may be all that it said, or neither. */
export const ownersPending = z.object({ messageHash: z.nullable(hash), safeTxHash: z.nullable(hash) })
export type OwnersPending = z.infer<typeof ownersPending>

/** Signatures of a sign-in that owners have made on this server. */
const collected = z.object({
  confirmations: z.int(),
  threshold: z.int(),
  /** Joined, as soon as enough owners have signed. */
  signature: z.nullable(storedHex),
})

export const getWaitingSignIn = endpoint({
  name: 'getWaitingSignIn',
  method: 'GET',
  path: '/api/session/waiting',
  summary:
    'The sign-in for which this browser waits for the owners of a contract account, or null; and what they have signed here',
  query: z.object({ address, chainId: chainIdParam, isFramed: z.optional(z.enum(['true', 'false'])) }),
  reply: z.object({
    waiting: z.nullable(
      z.object({ message: z.string(), expiresAt: time, pending: ownersPending, collected: z.nullable(collected) }),
    ),
    /** Time at which an owner refused this browser's sign-in. Left out if no owner did, or if the browser waits for a new one. */
    refused: z.optional(z.object({ nonce: z.string(), at: time })),
  }),
  session: 'none',
  errors: ['FRAME_NOT_ALLOWED'],
})

export const keepWaitingSignIn = endpoint({
  name: 'keepWaitingSignIn',
  method: 'POST',
  path: '/api/session/waiting',
  summary:
    'Keeps that this browser waits for owners to sign a message it asked for; or, with null, that it no longer does, which ends the message',
  body: z.object({ message: z.string().check(z.maxLength(4096)), pending: z.nullable(ownersPending), isFramed }),
  session: 'none',
  errors: ['SIWE_NONCE_UNKNOWN', 'SIWE_NONCE_USED', 'SIWE_REFUSED', 'SIWE_NONCE_FOREIGN', 'FRAME_NOT_ALLOWED'],
})

export const signIn = endpoint({
  name: 'signIn',
  method: 'POST',
  path: '/api/session',
  summary:
    'Stage 3 of signing in: the signed message becomes a session. The nonce is consumed, whatever the outcome, unless the message waits for owners',
  body: z.object({
    message: z.string().check(z.maxLength(4096)),
    /** Hex. What is none is refused by name, and uses the message up like any other wrong signature. */
    signature: z.string(),
    isFramed,
  }),
  reply: z.object({ session }),
  session: 'none',
  errors: [
    'SIWE_NONCE_UNKNOWN',
    'SIWE_NONCE_USED',
    'SIWE_REFUSED',
    'SIWE_NONCE_FOREIGN',
    'SIWE_MESSAGE_MALFORMED',
    'SIWE_MESSAGE_MISMATCH',
    'SIWE_DOMAIN_MISMATCH',
    'SIWE_ADDRESS_MISMATCH',
    'SIWE_URI_MISMATCH',
    'SIWE_CHAIN_MISMATCH',
    'SIWE_EXPIRED',
    'SIWE_NOT_YET_VALID',
    'SIGNATURE_MALFORMED',
    'SIWE_SIGNATURE_INVALID',
    'SIWE_SIGNATURE_NOT_CHECKED',
    'ACCOUNT_NOT_ALLOWED',
    'CHAIN_NOT_CONFIGURED',
    'FRAME_NOT_ALLOWED',
  ],
})

export const signOut = endpoint({
  name: 'signOut',
  method: 'DELETE',
  path: '/api/session',
  summary: 'Ends the session of this browser',
  session: 'none',
  errors: [],
})

/** One of the sessions of an account: enough to know whether it was oneself. */
export const sessionEntry = z.object({
  id: z.string(),
  chainId,
  /** Names from short lists, found in what the browser says of itself; null: none of them. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** The network address that it was opened from. */
  clientAddress: z.nullable(z.string()),
  /** Whether it lives in the frame of a Safe interface. */
  isFramed: z.boolean(),
  createdAt: time,
  /** To within five minutes. */
  lastSeenAt: time,
  expiresAt: time,
  /** The one that asks. */
  isCurrent: z.boolean(),
})
export type SessionEntry = z.infer<typeof sessionEntry>

export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/api/sessions',
  scope: 'session',
  summary: 'The sessions of the signed-in account, this one first, then the last used',
  reply: z.object({ sessions: z.array(sessionEntry) }),
  session: 'required',
  anyChain: true,
  errors: [],
})

export const revokeSession = endpoint({
  name: 'revokeSession',
  method: 'DELETE',
  path: '/api/sessions/{id}',
  summary: 'Ends one session of the signed-in account, and its live streams',
  params: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{24}$/, 'must be 24 hex digits')) }),
  session: 'required',
  anyChain: true,
  errors: ['SESSION_NOT_FOUND'],
})

export const revokeOtherSessions = endpoint({
  name: 'revokeOtherSessions',
  method: 'DELETE',
  path: '/api/sessions',
  summary: 'Ends every session of the signed-in account but this one',
  reply: z.object({ ended: z.int() }),
  session: 'required',
  anyChain: true,
  errors: [],
})
