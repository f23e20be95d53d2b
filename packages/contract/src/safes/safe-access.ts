import * as z from 'zod/mini'
import { safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, time } from '../wire/primitives.ts'
import { tokenScopes } from '../wire/token-scopes.ts'

const memberErrors = ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER', 'NOT_AN_OWNER'] as const

/** A session or an API token that acts as a Safe. */
export const safeAccess = z.object({
  id: z.string(),
  /** Null for a session. */
  token: z.nullable(z.object({ name: z.string(), scopes: z.array(z.enum(tokenScopes)) })),
  /** Browser of the sign-in, or of the sign-in that created the token. Names come from short lists. Null if not on a list. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** The network address of the sign-in. */
  clientAddress: z.nullable(z.string()),
  isFramed: z.boolean(),
  /** Owners who signed the sign-in, as far as known. */
  signers: z.array(address),
  createdAt: time,
  /** Null for a token that was never used. */
  lastUsedAt: z.nullable(time),
  expiresAt: z.nullable(time),
  /** Time since which the owners on the chain differ from those who signed. Null if they are the same. */
  suspendedSince: z.nullable(time),
})
export type SafeAccess = z.infer<typeof safeAccess>

export const listSafeAccess = endpoint({
  name: 'listSafeAccess',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/access',
  summary: 'The sessions and API tokens of a Safe that signed in, for its owners, the newest first',
  params: safeParams,
  reply: z.object({ access: z.array(safeAccess) }),
  session: 'required',
  scope: 'session',
  errors: [...memberErrors],
})

export const endSafeAccess = endpoint({
  name: 'endSafeAccess',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/access/{id}',
  summary: 'Ends a session or an API token of a Safe, and its live streams, by any of its owners',
  params: z.extend(safeParams, { id: z.string().check(z.regex(/^[0-9a-f]{24}$/, 'must be 24 hex digits')) }),
  session: 'required',
  scope: 'session',
  errors: [...memberErrors, 'SESSION_NOT_FOUND'],
})
