import * as z from 'zod/mini'
import { safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, time } from '../wire/primitives.ts'
import { tokenScopes } from '../wire/token-scopes.ts'

const memberErrors = ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND', 'NOT_A_MEMBER', 'NOT_AN_OWNER'] as const

/** A session or an API token by which somebody acts as a Safe. */
export const safeAccess = z.object({
  id: z.string(),
  /** Null of a session. */
  token: z.nullable(z.object({ name: z.string(), scopes: z.array(z.enum(tokenScopes)) })),
  /** The browser of the sign-in, also of the one that made the token. Names from short lists; null: none of them. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** The network address of the sign-in. */
  clientAddress: z.nullable(z.string()),
  isFramed: z.boolean(),
  /** Owners whose signatures the sign-in had, as far as they are known. */
  signers: z.array(address),
  createdAt: time,
  /** Null: a token that was never used. */
  lastUsedAt: z.nullable(time),
  expiresAt: z.nullable(time),
  /** Since when the chain shows other owners than those who signed; null: it does not. */
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
