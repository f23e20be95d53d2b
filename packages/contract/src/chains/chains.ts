import * as z from 'zod/mini'
import { chainErrors } from '../errors/errors.ts'
import { endpoint } from '../wire/endpoint.ts'
import { blockNumberParam, chainIdParam, hash } from '../wire/primitives.ts'

/**
 * Methods of a node that the page may call through the server: reading, and sending a transaction that a wallet has
 * signed.
 */
export const rpcMethods = [
  'debug_getRawHeader',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'eth_simulateV1',
] as const

const rpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string()]),
  method: z.string().check(z.maxLength(64)),
  params: z.optional(z.array(z.unknown()).check(z.maxLength(8))),
})

export const callNode = endpoint({
  name: 'callNode',
  method: 'POST',
  path: '/api/chains/{chainId}/rpc',
  summary: "JSON-RPC to the node of a chain: one request, or a batch of up to 100. Answers are the node's, not ours",
  params: z.object({ chainId: chainIdParam }),
  body: z.union([rpcRequest, z.array(rpcRequest).check(z.minLength(1), z.maxLength(100))]),
  reply: z.unknown(),
  session: 'required',
  scope: 'read',
  anyChain: true,
  errors: ['RPC_METHOD_NOT_ALLOWED', 'RPC_ERROR', ...chainErrors, 'REQUEST_TOO_LARGE'],
})

export const readBlockHashes = endpoint({
  name: 'readBlockHashes',
  method: 'GET',
  path: '/api/chains/{chainId}/block-hashes/{blockNumber}',
  summary: 'What each node of a chain says is the hash of a block, by itself: the page compares them',
  params: z.object({ chainId: chainIdParam, blockNumber: blockNumberParam }),
  reply: z.object({
    nodes: z.array(
      z.object({
        /** Name for people: its host, numbered where two URLs have one. */
        name: z.string(),
        /** Nodes of one host do not vouch for each other. */
        host: z.string(),
        /** Null: it did not answer, or does not have the block. */
        hash: z.nullable(hash),
        /** Seconds since 1970 of the newest block that it has. Null: it did not say, or one of the future. */
        newestTime: z.nullable(z.int().check(z.nonnegative())),
      }),
    ),
  }),
  session: 'required',
  scope: 'read',
  anyChain: true,
  errors: chainErrors,
})
