import { decodeSafeEvent, type RpcRequest, safeAbi, safeEventTopics } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import { toBytes } from '../../db/columns.ts'
import { isRefusal } from '../../rpc/errors.ts'
import type { Log } from '../../rpc/logs.ts'
import { createAskAt } from '../../rpc/state-at.ts'
import { MAX_THRESHOLD } from './executions.ts'

/** Threshold of a Safe from a log on. */
export type ThresholdChange = Pick<Log, 'blockNumber' | 'logIndex' | 'transactionHash'> & { threshold: number }

/** Where an execution began: after these changes of its Safe, in the order of the chain. */
type Start = {
  address: Address
  blockNumber: number
  /** Hash of the block before, while another may take its place. */
  parentHash: Hex | null
  /** Hash of the block itself, likewise. */
  blockHash: Hex | null
  before: readonly Pick<ThresholdChange, 'blockNumber' | 'threshold'>[]
  /** Whether the threshold changed later in the same block. */
  isChangedLater: boolean
}

/** How many confirmations an execution needed, where its own log does not tell; null where nothing does. */
export type ReadThreshold = (start: Start) => Promise<number | null>

/** The changes that some logs tell, by the Safe that logged them. */
export function decodeThresholdChanges(logs: readonly Log[]): Map<Hex, ThresholdChange[]> {
  const found = new Map<Hex, ThresholdChange[]>()
  for (const log of logs) {
    const threshold = thresholdOf(log)
    if (threshold === null) continue
    const { blockNumber, logIndex, transactionHash } = log
    const change = { blockNumber, logIndex, transactionHash, threshold }
    const others = found.get(log.address)
    if (others) others.push(change)
    else found.set(log.address, [change])
  }
  return found
}

const thresholdTopics = new Set(safeEventTopics('ChangedThreshold', 'SafeSetup'))

function thresholdOf(log: Log): number | null {
  const [topic] = log.topics
  if (!topic || !thresholdTopics.has(topic)) return null
  const event = decodeSafeEvent(log)
  if (event?.name !== 'ChangedThreshold' && event?.name !== 'SafeSetup') return null
  return asThreshold(event.threshold)
}

function asThreshold(threshold: bigint): number | null {
  return threshold > 0n && threshold <= MAX_THRESHOLD ? Number(threshold) : null
}

/**
 * Reads the threshold that an execution began with: what the Safe logged before it in its block; else the state of the
 * block before; of nodes that forgot that state, what the history tells last.
 */
export function createThresholdReader({
  request,
  db,
  chainId,
  whenWritten = () => Promise.resolve(),
}: {
  request: RpcRequest
  db: Pick<Database, 'execute'>
  chainId: number
  /** The end of writing what the history lacks. */
  whenWritten?: () => Promise<void>
}): ReadThreshold {
  const askAt = createAskAt(request)
  const data = encodeFunctionData({ abi: safeAbi, functionName: 'getThreshold' })

  /** Null before the Safe was set up; undefined where the node forgot. */
  async function readState(
    to: Address,
    blockNumber: number,
    blockHash: Hex | null,
  ): Promise<number | null | undefined> {
    if (blockNumber < 0) return null
    const ask = (block: Hex | object) => request({ method: 'eth_call', params: [{ to, data }, block] })
    try {
      const answer = await askAt({ blockNumber, blockHash }, ask)
      return typeof answer === 'string' && answer.length === 66 ? asThreshold(BigInt(answer)) : null
    } catch (error) {
      if (isRefusal(error)) return undefined
      throw error
    }
  }

  async function readHistory(address: Address, blockNumber: number): Promise<number | null> {
    await whenWritten()
    const { rows } = await db.execute<{ threshold: number }>(sql`
      select threshold from history_entry where chain_id = ${chainId} and safe_address = ${toBytes(address)}
        and kind in ('created', 'threshold-changed') and threshold > 0 and block_number < ${blockNumber}
      order by block_number desc, log_index desc, part desc limit 1`)
    return rows[0]?.threshold ?? null
  }

  return async ({ address, blockNumber, parentHash, blockHash, before, isChangedLater }) => {
    const last = before.at(-1)
    if (last?.blockNumber === blockNumber) return last.threshold
    const state = await readState(address, blockNumber - 1, parentHash)
    if (state) return state
    if (state === undefined) return last?.threshold ?? (await readHistory(address, blockNumber))
    // Set up in this very block, by a release that does not say so.
    return isChangedLater ? null : ((await readState(address, blockNumber, blockHash)) ?? null)
  }
}
