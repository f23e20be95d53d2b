import * as z from 'zod/mini'
import { memberErrors } from '../errors/errors.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, hash, storedHex } from '../wire/primitives.ts'
import { page, safeParams, storedSafeTx } from './transactions.ts'

/** Something that accounts have signed, and may still count. The browser verifies all of it. */
export const signedThing = z.object({
  /** `hash`: approved or signed on the chain, and nobody here knows what it is the hash of. */
  kind: z.enum(['transaction', 'message', 'hash']),
  hash,
  /** For a transaction alone. */
  safeTx: z.nullable(storedSafeTx),
  /** For a message alone: JSON as it came. */
  content: z.nullable(z.string()),
  /** Its proposer deleted it here. Its signatures live on. */
  isDeleted: z.boolean(),
  /** A transaction of the Safe signed this hash, as the history tells. */
  isSignedOnChain: z.boolean(),
  /** One or more of each account, whether it is an owner now or not; approvals on the chain among them. */
  signatures: z.array(z.object({ owner: address, signature: storedHex })),
})
export type SignedThing = z.output<typeof signedThing>

export const listSignatures = endpoint({
  name: 'listSignatures',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/signatures',
  summary:
    'Signatures that may still count: of transactions whose nonce is not used, deleted ones too, by nonce; hashes approved on the chain; messages, newest first',
  params: safeParams,
  query: page,
  reply: z.object({ signed: z.array(signedThing), nextCursor: z.nullable(z.string()) }),
  session: 'required',
  errors: memberErrors,
})
