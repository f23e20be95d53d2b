import type { readBlockHashes as endpoint, Input, Reply } from '@countersign/contract'
import type { SignedInCtx } from '../../context.ts'
import { chainOf } from '../../rpc/clients.ts'

/** Asks each node of a chain for the hash of a block. Nothing is merged: who vouches for what is for the page to see. */
export async function readBlockHashes(
  ctx: SignedInCtx,
  { chainId, blockNumber }: Input<typeof endpoint>,
): Promise<Reply<typeof endpoint>> {
  return { nodes: await chainOf(ctx.chains, chainId).readBlockHashes(blockNumber) }
}
