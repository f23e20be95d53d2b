import * as z from 'zod/mini'
import { memberErrors } from '../errors/errors.ts'
import { page, pageByBytes, safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, hexUpTo, line, time } from '../wire/primitives.ts'

/** Names of one author that are signed: each page verifies them all before its first review. */
export const MAX_SIGNED_NAMES = 200

/** EIP-712, of the entry for the Safe; an owner that is a contract has one of its own kind. */
const signature = hexUpTo(16_384)

/**
 * Name that one account gives an address. A claim of its author, shown beside the address and never instead of it. An owner
 * who gives the name that another account gave before endorses it. Signed by an owner, it makes the address known where it
 * gets assets. The signature was verified when it arrived, and the browser verifies it again.
 */
export const namedAddress = z.object({
  address,
  name: line(60),
  author: address,
  signature: z.nullable(signature),
  updatedAt: time,
})
export type NamedAddress = z.output<typeof namedAddress>

export const namesPage = z.object({ names: z.array(namedAddress), nextCursor: z.nullable(z.string()) })

const writeErrors = [...memberErrors, 'NOT_OWNER_OR_DELEGATE'] as const

export const listNames = endpoint({
  name: 'listNames',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/names',
  summary: "The team's address book, by address: what each account calls it",
  params: safeParams,
  query: pageByBytes,
  reply: namesPage,
  session: 'required',
  errors: memberErrors,
})

export const nameAddress = endpoint({
  name: 'nameAddress',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/names',
  summary:
    "Writes down what the account calls an address, or endorses the name of another account by giving the same. Again: replaces that name, and nobody else's. The signature stays as long as the name",
  params: safeParams,
  body: z.object({ address, name: line(60), signature: z.optional(signature) }),
  reply: namedAddress,
  session: 'required',
  scope: 'propose',
  errors: [...writeErrors, 'SIGNATURE_INVALID', 'CHAIN_UNREACHABLE', 'TOO_MANY'],
})

export const removeName = endpoint({
  name: 'removeName',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/names/{address}/{author}',
  summary: "Removes one's own name of an address; an owner, anybody's. Removing it again changes nothing",
  params: z.extend(safeParams, { address, author: address }),
  session: 'required',
  scope: 'propose',
  errors: [...writeErrors, 'NOT_AN_OWNER'],
})

/**
 * An ABI that one account gave for a contract: a claim of its author, ranked below what is built in. One without a signature of
 * its author reads nothing. The signature was verified when it arrived, and the browser verifies it again.
 */
export const teamAbi = z.object({
  contract: address,
  name: line(60),
  abi: z.string(),
  author: address,
  signature: z.nullable(signature),
  updatedAt: time,
})
export type TeamAbiEntry = z.output<typeof teamAbi>

/** One page of `listAbis`. */
export const abisPage = z.object({ abis: z.array(teamAbi), nextCursor: z.nullable(z.string()) })

export const listAbis = endpoint({
  name: 'listAbis',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/abis',
  summary: 'ABIs that people of the team gave for contracts: those of who asks first, then by contract',
  params: safeParams,
  query: page,
  reply: abisPage,
  session: 'required',
  errors: memberErrors,
})

export const addAbi = endpoint({
  name: 'addAbi',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/abis',
  summary:
    "Gives an ABI (JSON) for a contract, with the signature by which it counts for owners. Again: replaces one's own, and nobody else's",
  params: safeParams,
  body: z.object({
    contract: address,
    name: line(60),
    abi: z.string().check(z.minLength(2), z.maxLength(131_072)),
    signature: z.optional(signature),
  }),
  reply: teamAbi,
  session: 'required',
  scope: 'propose',
  errors: [...writeErrors, 'ABI_MALFORMED', 'SIGNATURE_INVALID', 'CHAIN_UNREACHABLE', 'TOO_MANY'],
})

export const removeAbi = endpoint({
  name: 'removeAbi',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/abis/{contract}/{author}',
  summary: "Removes one's own ABI for a contract; an owner, anybody's. Removing it again changes nothing",
  params: z.extend(safeParams, { contract: address, author: address }),
  session: 'required',
  scope: 'propose',
  errors: [...writeErrors, 'NOT_AN_OWNER'],
})
