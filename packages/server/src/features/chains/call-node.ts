import { type callNode as endpoint, fail, type Input, rpcMethods } from '@countersign/contract'
import type { SignedInCtx } from '../../context.ts'
import { boundBody, joinAnswers, needsHead } from '../../proxy/bound-body.ts'
import { type Chain, chainOf, unavailable } from '../../rpc/clients.ts'

const allowed: ReadonlySet<string> = new Set(rpcMethods)
/** A node that does not hear that a call is given up goes on with it: so long for a million of gas, where it is slow. */
const MILLISECONDS_PER_COST = 4
const MAX_REST_MS = 6_000

/**
 * Passes reads, and what a wallet has signed, on to the chain's node. One method out of place refuses all of a batch; what
 * would be too much for a node is answered here.
 *
 * @param pay told what the calls cost, before the node is asked
 */
export async function callNode(
  ctx: SignedInCtx,
  { chainId, body }: Input<typeof endpoint>,
  pay: (cost: number) => void,
): Promise<string> {
  const chain = chainOf(ctx.chains, chainId)
  const calls = [body].flat()
  const refused = calls.find(({ method }) => !allowed.has(method))
  if (refused) throw fail('RPC_METHOD_NOT_ALLOWED', { method: refused.method })
  if (chain.status === 'wrong-chain') throw unavailable(chain.settings, chain.status)
  const { parts, answers, cost } = boundBody(calls, needsHead(calls) ? await readHead(chain) : null)
  pay(cost)
  const texts = await Promise.all(
    parts.map((part) => {
      const restMilliseconds = Math.min(part.cost * MILLISECONDS_PER_COST, MAX_REST_MS)
      return chain.forward(Array.isArray(body) ? part.calls : part.calls[0], { restMilliseconds })
    }),
  )
  return joinAnswers([...texts, ...answers], Array.isArray(body))
}

/** Followed or asked for; null where no node says. */
async function readHead(chain: Chain): Promise<number | null> {
  if (chain.newest() === null) await chain.request({ method: 'eth_blockNumber' }).catch(() => null)
  return chain.newest()
}
