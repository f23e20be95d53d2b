import * as z from 'zod/mini'
import { listedToken } from '../chains/token-lists.ts'
import { page, safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, uint256 } from '../wire/primitives.ts'

/** A token, or one item of a collection, that the Safe may have: the balance is for the chain to say. */
export const movedToken = z.object({
  address,
  kind: z.enum(['erc20', 'erc721', 'erc1155']),
  /** Null for ERC-20. */
  tokenId: z.nullable(uint256),
})
export type MovedToken = z.output<typeof movedToken>

export const listTokens = endpoint({
  name: 'listTokens',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/tokens',
  summary:
    'Every ERC-20 that the Safe ever moved, and every item of a collection that came in and did not go out, in the order in which they first came. Balances and names are for the chain to say',
  params: safeParams,
  query: page,
  reply: z.object({ tokens: z.array(movedToken), nextCursor: z.nullable(z.string()) }),
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND'],
})

export const listMovedListed = endpoint({
  name: 'listMovedListed',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/listed-tokens',
  summary: 'The ERC-20 tokens of lists that the Safe ever moved. Balances are for the chain to say',
  params: safeParams,
  reply: z.object({ tokens: z.array(listedToken) }),
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND'],
})
