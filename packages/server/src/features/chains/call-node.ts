import { type callNode as endpoint, fail, type Input, rpcMethods } from '@countersign/contract'
import type { SignedInCtx } from '../../context.ts'
import { chainOf, unavailable } from '../../rpc/clients.ts'

const allowed: ReadonlySet<string> = new Set(rpcMethods)

/** Passes reads, and what a wallet has signed, on to the chain's node. One method out of place refuses all of a batch. */
export async function callNode(ctx: SignedInCtx, { chainId, body }: Input<typeof endpoint>): Promise<string> {
  const chain = chainOf(ctx.chains, chainId)
  const refused = [body].flat().find(({ method }) => !allowed.has(method))
  if (refused) throw fail('RPC_METHOD_NOT_ALLOWED', { method: refused.method })
  if (chain.status === 'wrong-chain') throw unavailable(chain.settings, chain.status)
  return chain.forward(body)
}
