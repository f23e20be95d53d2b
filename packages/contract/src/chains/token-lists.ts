import * as z from 'zod/mini'
import { endpoint } from '../wire/endpoint.ts'
import { address, chainId, chainIdParam, time } from '../wire/primitives.ts'

/** Most addresses, and most names, of one question. */
export const MAX_TOKENS_ASKED = 500
/** Most characters of such a name. */
export const MAX_TOKEN_NAME_ASKED = 200

export const listedToken = z.object({
  address,
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().check(z.minimum(0), z.maximum(255)),
  /** Names of the lists that have it, first the one whose word on its name counts. */
  lists: z.array(z.string()),
  /** It is on the list that the release ships. */
  isReleased: z.boolean(),
})
export type ListedToken = z.infer<typeof listedToken>

export const findListedTokens = endpoint({
  name: 'findListedTokens',
  method: 'POST',
  path: '/api/chains/{chainId}/listed-tokens',
  summary:
    'The tokens of lists that are at these addresses or have similar ones, and those whose symbols look like these names',
  params: z.object({ chainId: chainIdParam }),
  body: z.object({
    addresses: z.array(address).check(z.maxLength(MAX_TOKENS_ASKED)),
    names: z.array(z.string().check(z.maxLength(MAX_TOKEN_NAME_ASKED))).check(z.maxLength(MAX_TOKENS_ASKED)),
  }),
  reply: z.object({ revision: z.string(), tokens: z.array(listedToken) }),
  session: 'required',
  scope: 'read',
  anyChain: true,
  errors: ['CHAIN_NOT_CONFIGURED'],
})

/** Why an entry of a list is not used. `imitates`: its symbol or name looks like the symbol of a token that comes before it. */
export const refusalReasons = ['malformed', 'checksum', 'text', 'twice', 'differs', 'imitates'] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** Why the newest answer of a list was not taken. */
export const listFaults = ['unreachable', 'status', 'too-large', 'not-json', 'no-list', 'too-many'] as const
export type ListFault = (typeof listFaults)[number]

export const tokenListStatus = z.object({
  /** Name that the list gives itself, or that of its file; the host until it was first read. */
  name: z.string(),
  kind: z.enum(['release', 'file', 'url']),
  /** Address without what may be a key, or the file's name. Null for the list of the release. */
  source: z.nullable(z.string()),
  /** When the list says that it was made, and its version. */
  madeAt: z.nullable(time),
  version: z.nullable(z.string()),
  /** When its content was fetched or read; null: never. */
  fetchedAt: z.nullable(time),
  /** When its host last said that this is still its content. */
  confirmedAt: z.nullable(time),
  /** Hours between two questions to its host; null where nobody is asked. */
  everyHours: z.nullable(z.number()),
  /** Last try, where it failed: the content before it stays in use. */
  fault: z.nullable(z.object({ reason: z.enum(listFaults), detail: z.nullable(z.string()), at: time })),
  chains: z.array(z.object({ chainId, tokens: z.int() })),
  /** Entries for chains that are not configured. */
  otherChains: z.int(),
  refused: z.array(z.object({ reason: z.enum(refusalReasons), count: z.int(), examples: z.array(z.string()) })),
})
export type TokenListStatus = z.infer<typeof tokenListStatus>

export const listTokenLists = endpoint({
  name: 'listTokenLists',
  method: 'GET',
  path: '/api/token-lists',
  summary: 'The token lists that are in use: of the release, and those that the operator names',
  reply: z.object({ lists: z.array(tokenListStatus) }),
  session: 'required',
  anyChain: true,
  errors: [],
})
