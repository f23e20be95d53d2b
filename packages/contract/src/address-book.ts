import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { memberErrors } from './errors.ts'
import { address, line, time } from './primitives.ts'
import { safeParams } from './transactions.ts'

/** The team's name for an address. A claim of its author, shown beside the address and never instead of it. */
export const namedAddress = z.object({ address, name: line(60), author: address, updatedAt: time })
export type NamedAddress = z.output<typeof namedAddress>

const writeErrors = [...memberErrors, 'NOT_OWNER_OR_DELEGATE'] as const

export const listNames = endpoint({
  name: 'listNames',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/names',
  summary: "The team's address book, by name",
  params: safeParams,
  reply: z.object({ names: z.array(namedAddress) }),
  session: 'required',
  errors: memberErrors,
})

export const nameAddress = endpoint({
  name: 'nameAddress',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/names',
  summary: 'Names an address for the team. Naming it again replaces the name',
  params: safeParams,
  body: z.object({ address, name: line(60) }),
  reply: namedAddress,
  session: 'required',
  scope: 'propose',
  errors: [...writeErrors, 'TOO_MANY'],
})

export const removeName = endpoint({
  name: 'removeName',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/names/{address}',
  summary: 'Removes a name from the address book. Removing it again changes nothing',
  params: z.extend(safeParams, { address }),
  session: 'required',
  scope: 'propose',
  errors: writeErrors,
})

/** An ABI that somebody of the team gave for a contract: a claim, ranked below what is built in. */
export const givenAbi = z.object({
  contract: address,
  name: line(60),
  abi: z.string(),
  author: address,
  updatedAt: time,
})
export type GivenAbiEntry = z.output<typeof givenAbi>

export const listAbis = endpoint({
  name: 'listAbis',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/abis',
  summary: 'ABIs that the team gave for contracts',
  params: safeParams,
  reply: z.object({ abis: z.array(givenAbi) }),
  session: 'required',
  errors: memberErrors,
})

export const giveAbi = endpoint({
  name: 'giveAbi',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/abis',
  summary: 'Gives an ABI (JSON) for a contract. Giving it again replaces it',
  params: safeParams,
  body: z.object({ contract: address, name: line(60), abi: z.string().check(z.minLength(2), z.maxLength(131_072)) }),
  reply: givenAbi,
  session: 'required',
  scope: 'propose',
  errors: [...writeErrors, 'ABI_MALFORMED', 'TOO_MANY'],
})

export const removeAbi = endpoint({
  name: 'removeAbi',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/abis/{contract}',
  summary: 'Removes an ABI. Removing it again changes nothing',
  params: z.extend(safeParams, { contract: address }),
  session: 'required',
  scope: 'propose',
  errors: writeErrors,
})
