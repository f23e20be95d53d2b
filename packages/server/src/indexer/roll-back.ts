import { fail } from '@countersign/contract'
import type { CountersignError } from '@countersign/safe'
import { eq } from 'drizzle-orm'
import { type Hex, zeroHash } from 'viem'
import { chainCursor } from '../db/schema.ts'
import { type Block, readBlocks } from '../rpc/logs.ts'
import { assertUnmoved, type FollowedChain } from './followed-chain.ts'
import { type Cursor, findHeaders, undoAbove, writeCursor } from './write/apply.ts'

/** Finds the newest block that is still on the chain and takes back what later ones said. */
export async function rollBack(followed: FollowedChain, cursor: Cursor, head: Block): Promise<void> {
  const { chain, chainId, db, log, lease, progress, isWhole } = followed
  const kept = await findHeaders(db, chainId)
  const numbers = [...kept.keys()].filter((number) => number <= head.number).toSorted((one, other) => other - one)
  const blocks = await readBlocks(chain.request, numbers)
  const fork = numbers.find((number) => blocks.get(number)?.hash === kept.get(number))
  // The devnet's chain is ours: when its file is gone, it begins again.
  if (fork === undefined && !chain.settings.isDevnet) return stopFollowing(followed, cursor, kept)
  const next = { blockNumber: fork ?? -1, blockHash: (fork !== undefined && kept.get(fork)) || zeroHash }
  await lease.write(async (tx, log) => {
    await assertUnmoved(followed, tx, cursor)
    await undoAbove(tx, log, chainId, next.blockNumber)
    await writeCursor(tx, chainId, { ...next, blockTime: null, isWhole })
  })
  progress.publish()
  log.warn({ chainId, from: cursor.blockNumber, to: next.blockNumber }, 'the chain was reorganised, rolled back')
}

/**
 * Stops for good, where no node has any of the blocks that were followed. One of several may be on another branch, or lie:
 * another has to say the same.
 */
async function stopFollowing(followed: FollowedChain, cursor: Cursor, kept: ReadonlyMap<number, Hex>): Promise<void> {
  const { chain, chainId, clock, log, lease, progress } = followed
  const { rpcUrls, agreement = 1, name } = chain.settings
  const { blockNumber } = cursor
  const { having, lacking } = await chain.findNodesWithBlocks(new Map([...kept, [blockNumber, cursor.blockHash]]))
  if (having.length > 0) throw strayNodesError({ having, lacking, blockNumber })
  const count = new Set(rpcUrls).size
  const needed = Math.min(count, Math.max(2, agreement))
  if (lacking.length < needed)
    throw fail('CHAIN_UNREACHABLE', { reason: 'reorganised', chainId, name, lacking: lacking.length, count, needed })
  log.error(
    { chainId, block: blockNumber },
    `reorganised too deep, no longer followed; start once with COUNTERSIGN_REBUILD=${chainId}:BLOCK to read it again from BLOCK on`,
  )
  await lease.write((tx) => tx.update(chainCursor).set({ stoppedAt: clock() }).where(eq(chainCursor.chainId, chainId)))
  progress.publish()
}

function strayNodesError({
  having,
  lacking,
  blockNumber,
}: {
  having: string[]
  lacking: string[]
  blockNumber: number
}): CountersignError {
  return fail('NODES_DISAGREE', { reason: 'blocks', hosts: [...lacking, ...having], lacking, having, blockNumber })
}
