import * as z from 'zod/mini'
import { memberErrors } from '../errors/errors.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, hash, time } from '../wire/primitives.ts'
import { pageByBytes, safeParams } from './transactions.ts'

/** Characters of a proof pack that the server keeps; a payment has about 150,000. */
export const MAX_ATTACHED_PACK = 800_000

const packText = z
  .string()
  .check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(MAX_ATTACHED_PACK),
    z.regex(/^[\u0020-\u007e\u00a0-\ud7ff\ue000-\uffff]*\n?$/, 'must be JSON in one line'),
  )

/** A proof pack as the list names it. Nobody but the page that opens it has checked it. */
export const attachedPack = z.object({
  id: z.string(),
  author: address,
  /** keccak256 of the file, by the word of the server. */
  packHash: hash,
  bytes: z.int(),
  attachedAt: time,
})
export type AttachedPack = z.output<typeof attachedPack>

const packParams = z.extend(safeParams, { safeTxHash: hash })
const packIdParams = z.extend(packParams, { id: z.string().check(z.regex(/^[1-9][0-9]{0,17}$/)) })

export const listPacks = endpoint({
  name: 'listPacks',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/transactions/{safeTxHash}/packs',
  summary: 'Proof packs that members attached to a transaction, oldest first, without their content',
  params: packParams,
  query: pageByBytes,
  reply: z.object({ packs: z.array(attachedPack), nextCursor: z.nullable(z.string()) }),
  session: 'required',
  errors: memberErrors,
})

export const getPack = endpoint({
  name: 'getPack',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/transactions/{safeTxHash}/packs/{id}',
  summary: 'One attached proof pack, as its author sent it. The server has not checked it',
  params: packIdParams,
  reply: z.object({ author: address, text: z.string() }),
  session: 'required',
  errors: [...memberErrors, 'TRANSACTION_NOT_FOUND'],
})

export const removePack = endpoint({
  name: 'removePack',
  method: 'DELETE',
  path: '/api/chains/{chainId}/safes/{safeAddress}/transactions/{safeTxHash}/packs/{id}',
  summary: 'Removes an attached proof pack: an owner any, a proposer their own. Removing it again changes nothing',
  params: packIdParams,
  session: 'required',
  scope: 'propose',
  errors: [...memberErrors, 'NOT_OWNER_OR_DELEGATE', 'NOT_AN_OWNER'],
})

export const attachPack = endpoint({
  name: 'attachPack',
  method: 'POST',
  path: '/api/chains/{chainId}/safes/{safeAddress}/transactions/{safeTxHash}/packs',
  summary: 'Attaches a proof pack to a proposal. The same again, by the same account, changes nothing',
  params: packParams,
  body: z.object({ text: packText }),
  reply: attachedPack,
  session: 'required',
  scope: 'propose',
  errors: [
    ...memberErrors,
    'NOT_OWNER_OR_DELEGATE',
    'TRANSACTION_NOT_FOUND',
    'TRANSACTION_ALREADY_EXECUTED',
    'NONCE_ALREADY_EXECUTED',
    'TOO_MANY',
  ],
})
