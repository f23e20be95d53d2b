import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { address, chainId, hexUpTo, time } from './primitives.ts'

/** Who this browser is signed in as. */
export const session = z.object({
  address,
  chainId,
  createdAt: time,
  /** The absolute end; an idle session ends earlier. */
  expiresAt: time,
})
export type Session = z.infer<typeof session>

export const getSession = endpoint({
  name: 'getSession',
  method: 'GET',
  path: '/api/session',
  summary: 'The session of this browser, or null',
  reply: z.object({ session: session.nullable() }),
  session: 'none',
  errors: ['DATABASE_UNAVAILABLE'],
})

export const prepareSignIn = endpoint({
  name: 'prepareSignIn',
  method: 'POST',
  path: '/api/session/message',
  summary: 'Stage 1 of signing in: the server writes the EIP-4361 message that the account is asked to sign',
  body: z.object({
    address,
    chainId,
    /** Of a contract account whose owners sign one after the other: the message then lives a day instead of minutes. */
    waitsForOwners: z.boolean().optional(),
  }),
  reply: z.object({ message: z.string(), expiresAt: time }),
  session: 'none',
  errors: ['CHAIN_NOT_CONFIGURED', 'CHAIN_UNREACHABLE', 'NOT_A_CONTRACT_ACCOUNT', 'RATE_LIMITED'],
})

export const signIn = endpoint({
  name: 'signIn',
  method: 'POST',
  path: '/api/session',
  summary:
    'Stage 3 of signing in: the signed message becomes a session. The nonce is consumed, whatever the outcome, unless the message waits for owners',
  body: z.object({
    message: z.string().max(4096),
    /** Contract accounts sign with more than 65 bytes. */
    signature: hexUpTo(16_384),
  }),
  reply: z.object({ session }),
  session: 'none',
  errors: [
    'SIWE_NONCE_UNKNOWN',
    'SIWE_MESSAGE_MISMATCH',
    'SIWE_EXPIRED',
    'SIWE_SIGNATURE_INVALID',
    'SIWE_SIGNATURE_NOT_CHECKED',
    'RATE_LIMITED',
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
