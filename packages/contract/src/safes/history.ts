import * as z from 'zod/mini'
import { multisigTransaction, page, safeParams } from '../signing/transactions.ts'
import { endpoint } from '../wire/endpoint.ts'
import { address, hash, storedHex, time, uint256 } from '../wire/primitives.ts'

/** Changes of the Safe itself. */
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

/** Kinds of events that the history of a Safe has. */
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
  blockNumber: z.int(),
  /** Lower bound of an unexplained change: it happened after this block, and up to `blockNumber`. */
  afterBlock: z.nullable(z.int()),
  blockTime: time,
  transactionHash: z.nullable(hash),
  /** Hash of an execution, or of an owner's approval; of a signed message, its hash. */
  safeTxHash: z.nullable(hash),
  isSuccessful: z.nullable(z.boolean()),
  /** The owner, module, guard, handler or singleton that it is about; who sent the transaction that created the Safe. */
  subject: z.nullable(address),
  /** Official factory of a creation, or null for any other. */
  factory: z.nullable(address),
  /** Singleton of a creation, as that factory names it; factories before 1.3.0 name none. */
  singleton: z.nullable(address),
  threshold: z.nullable(z.int()),
  tokenKind: z.nullable(z.enum(['native', 'erc20', 'erc721', 'erc1155'])),
  /** Null for the native coin. */
  token: z.nullable(address),
  tokenId: z.nullable(uint256),
  /** Sender, receiver, or the account that a module called. */
  counterparty: z.nullable(address),
  /** In the token's smallest unit. */
  amount: z.nullable(uint256),
  /** Call data that a module executed. */
  data: z.nullable(storedHex),
  operation: z.nullable(z.literal([0, 1])),
  /** Executed transaction of an execution. */
  transaction: z.nullable(multisigTransaction),
})
export type HistoryEntry = z.output<typeof historyEntry>

const filters = z.object({
  /** Some kinds, with commas between them. */
  kinds: z.optional(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text: string) => text.split(',')),
      ),
      z.array(z.enum(entryKinds)).check(z.maxLength(entryKinds.length)),
    ),
  ),
  /** A token's address, or `native`. */
  token: z.optional(z.union([z.literal('native'), address])),
  counterparty: z.optional(address),
  /** Not before this time. */
  since: z.optional(time),
  /** Before this time. */
  until: z.optional(time),
  /** At least so much, in the token's smallest unit. */
  minAmount: z.optional(uint256),
  /** At most so much, in the token's smallest unit. */
  maxAmount: z.optional(uint256),
  /** Nonce of the executed transaction. */
  nonce: z.optional(uint256),
})

export const listHistory = endpoint({
  name: 'listHistory',
  method: 'GET',
  path: '/api/chains/{chainId}/safes/{safeAddress}/history',
  summary: 'What happened to the Safe on the chain, newest first. Claims and proposers are for owners',
  params: safeParams,
  query: z.extend(page, filters.shape),
  reply: z.object({ entries: z.array(historyEntry), nextCursor: z.nullable(z.string()) }),
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
