import type { readBlockHashes as endpoint, Input, Reply } from '@countersign/contract'
import type { SignedInCtx } from '../../context.ts'
import { chainOf } from '../../rpc/clients.ts'

/** Blocks that a node is asked for: the named block, at most twice, and the newest one. */
const BLOCKS_OF_NODE = 3

/** Returns the cost of the request for nodes, in the unit of `boundCall`. */
export function costOfBlockHashes(ctx: SignedInCtx, { chainId }: Input<typeof endpoint>): number {
  return BLOCKS_OF_NODE * chainOf(ctx.chains, chainId).settings.rpcUrls.length
}

/** Asks each node of a chain for the hash of a block. Nothing is merged: who vouches for what is for the page to see. */
export async function readBlockHashes(
  ctx: SignedInCtx,
  { chainId, blockNumber }: Input<typeof endpoint>,
): Promise<Reply<typeof endpoint>> {
  return { nodes: await chainOf(ctx.chains, chainId).readBlockHashes(blockNumber) }
}
