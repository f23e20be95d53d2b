import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { address, hash, hex, time, uint256 } from './primitives.ts'
import { multisigTransaction, page, safeParams } from './transactions.ts'

/** What can change in the Safe itself. */
export const settingKinds = [
  'owner-added',
  'owner-removed',
  'threshold-changed',
  'module-enabled',
  'module-disabled',
  'guard-changed',
  'module-guard-changed',
  'fallback-handler-changed',
  'singleton-changed',
] as const

/** What can happen to a Safe on the chain. */
export const entryKinds = [
  'created',
  'executed',
  'module-executed',
  'hash-approved',
  'message-signed',
  ...settingKinds,
  'transfer-in',
  'transfer-out',
  'unexplained-in',
  'unexplained-out',
  'unexplained-nonce',
] as const
export type EntryKind = (typeof entryKinds)[number]

/** One thing that happened to a Safe. What does not belong to its kind is null. */
export const historyEntry = z.object({
  /** Block, log and part: where on the chain it is told. Unique in one Safe. */
  id: z.string(),
  kind: z.enum(entryKinds),
  blockNumber: z.number().int(),
  /** Of what nothing explains: it happened after this block, and up to `blockNumber`. */
  afterBlock: z.number().int().nullable(),
  blockTime: time,
  transactionHash: hash.nullable(),
  /** Of an execution, or of the hash that an owner approved; of a signed message, its hash. */
  safeTxHash: hash.nullable(),
  isSuccessful: z.boolean().nullable(),
  /** The owner, module, guard, handler or singleton that it is about; who sent the transaction that created the Safe. */
  subject: address.nullable(),
  /** Of a creation: the official factory, or null when it was none. */
  factory: address.nullable(),
  /** Of a creation: the singleton, as that factory tells; those before 1.3.0 do not. */
  singleton: address.nullable(),
  threshold: z.number().int().nullable(),
  tokenKind: z.enum(['native', 'erc20', 'erc721', 'erc1155']).nullable(),
  /** Null for the native coin. */
  token: address.nullable(),
  tokenId: uint256.nullable(),
  /** Who sent, who received, or whom a module called. */
  counterparty: address.nullable(),
  /** In the token's smallest unit. */
  amount: uint256.nullable(),
  /** What a module executed. */
  data: hex.nullable(),
  operation: z.literal([0, 1]).nullable(),
  /** Of an execution: what was executed. */
  transaction: multisigTransaction.nullable(),
})
export type HistoryEntry = z.output<typeof historyEntry>

const filters = z.object({
  /** Some kinds, with commas between them. */
  kinds: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(entryKinds)).max(entryKinds.length))
    .optional(),
  /** A token's address, or `native`. */
  token: z.union([z.literal('native'), address]).optional(),
  counterparty: address.optional(),
  /** Not before this time. */
  since: time.optional(),
  /** Before this time. */
  until: time.optional(),
  /** At least so much, in the token's smallest unit. */
  minAmount: uint256.optional(),
  /** At most so much, in the token's smallest unit. */
  maxAmount: uint256.optional(),
  /** Of the transaction that was executed. */
  nonce: uint256.optional(),
})

export const listHistory = endpoint({
  name: 'listHistory',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/history',
  summary: 'What happened to the Safe on the chain, newest first. Claims and proposers are for owners',
  params: safeParams,
  query: page.extend(filters.shape),
  reply: z.object({ entries: z.array(historyEntry), nextCursor: z.string().nullable() }),
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND'],
})

/** `GET`, text/csv: the same entries, a line each, amounts in the token's unit where it is known. */
export const exportHistory = endpoint({
  name: 'exportHistory',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/history.csv',
  summary: 'The history as CSV, newest first, with the same filters',
  params: safeParams,
  query: filters,
  media: 'text/csv',
  session: 'required',
  errors: ['CHAIN_NOT_CONFIGURED', 'SAFE_NOT_FOUND'],
})
