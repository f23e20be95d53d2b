import * as z from 'zod/mini'
import { endpoint } from '../wire/endpoint.ts'
import { chainId, time } from '../wire/primitives.ts'

const blockNumber = z.int().check(z.minimum(0))

/** Work that goes from block to block: how many are left, of how many. */
const blocks = { blocksLeft: blockNumber, blocksTotal: blockNumber }

/**
 * Kinds of what a node may refuse: logs of many blocks, of many results, of no named contract, of many named contracts, or by many
 * values of a topic; long answers; large batches; many requests in a second; old state; and what it does not offer at all.
 */
export const nodeLimitKinds = [
  'log-range',
  'log-results',
  'log-address',
  'log-addresses',
  'log-topics',
  'answer-size',
  'batch',
  'rate',
  'archive',
  'traces',
  'proofs',
  'overrides',
  'simulation',
] as const
export type NodeLimitKind = (typeof nodeLimitKinds)[number]

const nodeLimit = z.object({
  kind: z.enum(nodeLimitKinds),
  /** The most that it takes: blocks, results, addresses, values of a topic, requests of a batch or in a second, blocks of old state. Null: it does not say. */
  value: z.nullable(z.int().check(z.minimum(0))),
  /** Words of its refusal: anybody's text. */
  words: z.string(),
  learnedAt: time,
})
export type NodeLimit = z.infer<typeof nodeLimit>

/** How far a chain is followed, and what keeps it from going on. Nodes are named by host alone: their URLs may hold keys. */
export const chainStatus = z.object({
  chainId,
  /** Whether the node answered, and for the right chain, when this process last asked. */
  node: z.enum(['ok', 'unreachable', 'wrong-chain']),
  /** Which Safes are followed: those that somebody here added, or all that were created on the chain. */
  index: z.enum(['tracked', 'whole-chain']),
  /** The last block that was read. Null: nothing yet. */
  cursor: z.nullable(z.object({ blockNumber, /** Null where it is not known. */ time: z.nullable(time) })),
  /** The newest block of the node, and when it was asked for it. Null: it never answered. */
  head: z.nullable(z.object({ blockNumber, time, readAt: time })),
  /**
   * From cursor to head. Seconds: between the times that the two blocks carry; where one is not known, by how often the chain has
   * a block, and null where that is not known either.
   */
  lag: z.nullable(z.object({ blocks: blockNumber, seconds: z.nullable(z.int().check(z.minimum(0))) })),
  /** Safes whose older history is still being read, the newest first. The blocks are those of the one with most to read. */
  backfill: z.nullable(
    z.object({
      safes: z.int().check(z.positive()),
      ...blocks,
      /** As measured lately; null before anything was read. */
      blocksPerSecond: z.nullable(z.number().check(z.minimum(0))),
    }),
  ),
  /**
   * From the first to the last block whose transfers were read of named tokens alone, as no node answers queries that name
   * no contract. Transfers of other tokens are missing there. Null: nowhere.
   */
  ofNamedTokens: z.nullable(z.object({ from: blockNumber, to: blockNumber })),
  /** Blocks before the cursor that are still searched for Safes, on a chain that is read as a whole. */
  discovery: z.nullable(z.object(blocks)),
  /** Since when nothing is read any more: it was reorganised deeper than is undone, and waits to be rebuilt. */
  stoppedAt: z.nullable(time),
  /** Nodes that say different things about a block. Neither is believed, and nothing is read until they agree. */
  disagreement: z.nullable(z.object({ since: time, blockNumber, hosts: z.array(z.string()).check(z.minLength(2)) })),
  /** Error of the last attempt to read, and the time since which each has failed. Null after a success. */
  failure: z.nullable(z.object({ code: z.string(), since: time })),
  /** Nodes in the order in which they are asked, and what each was seen to refuse in the last hours. */
  nodes: z.array(z.object({ name: z.string(), limits: z.array(nodeLimit) })),
})
export type ChainStatus = z.infer<typeof chainStatus>

export const listChainStatus = endpoint({
  name: 'listChainStatus',
  method: 'GET',
  path: '/api/chains',
  summary: 'How far each chain is followed: the last block that was read, the lag, what is left, what went wrong',
  reply: z.object({ chains: z.array(chainStatus) }),
  session: 'required',
  anyChain: true,
  errors: [],
})
