import * as z from 'zod/mini'
import { endpoint } from '../wire/endpoint.ts'
import { chainId, line, time } from '../wire/primitives.ts'
import { type TokenScope, tokenScopes } from '../wire/token-scopes.ts'

/** Facts about a token. The token itself is shown once, when it is made. */
export const apiToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  /** Where the account was verified that made it; of a contract account it holds on this chain alone. */
  chainId,
  createdAt: time,
  /** Null: until it is revoked. */
  expiresAt: z.nullable(time),
  /** To within a minute; null: never. */
  lastUsedAt: z.nullable(time),
  /** The network address that it was last used from. */
  lastUsedFrom: z.nullable(z.string()),
})
export type ApiToken = z.infer<typeof apiToken>

export const listApiTokens = endpoint({
  name: 'listApiTokens',
  method: 'GET',
  path: '/api/tokens',
  summary: 'The API tokens of the signed-in account, the newest first; expired ones for thirty days more',
  reply: z.object({ tokens: z.array(apiToken) }),
  session: 'required',
  anyChain: true,
  scope: 'session',
  errors: [],
})

export const createApiToken = endpoint({
  name: 'createApiToken',
  method: 'POST',
  path: '/api/tokens',
  summary: 'Makes an API token of the signed-in account. The reply is the only place where it is shown',
  body: z.object({
    name: line(50),
    scopes: z.pipe(
      z
        .array(z.enum(tokenScopes))
        .check(z.minLength(1, 'must name at least one scope'), z.maxLength(tokenScopes.length)),
      z.transform((scopes: TokenScope[]) => tokenScopes.filter((scope) => scopes.includes(scope))),
    ),
    /** Null: until it is revoked; of a contract account, for thirty days. */
    expiresAt: z.nullable(time),
  }),
  reply: z.object({ token: z.string(), apiToken }),
  session: 'required',
  anyChain: true,
  scope: 'session',
  errors: ['TOO_MANY'],
})

export const revokeApiToken = endpoint({
  name: 'revokeApiToken',
  method: 'DELETE',
  path: '/api/tokens/{id}',
  summary: 'Ends one API token of the signed-in account, and its live streams',
  params: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{24}$/, 'must be 24 hex digits')) }),
  session: 'required',
  anyChain: true,
  scope: 'session',
  errors: ['TOKEN_NOT_FOUND'],
})
