import { type callNode as endpoint, fail, type Input, rpcMethods } from '@countersign/contract'
import type { SignedInCtx } from '../../context.ts'
import { boundBody, joinAnswers, needsHead } from '../../proxy/bound-body.ts'
import { type Chain, chainOf, unavailable } from '../../rpc/clients.ts'

const allowed: ReadonlySet<string> = new Set(rpcMethods)
/** Time that a slow node takes for a million gas. A node that does not notice a cancelled call continues with it. */
const MILLISECONDS_PER_COST = 4
const MAX_REST_MS = 6_000

/**
 * Passes reads and signed transactions on to the chain's node. One method that is not allowed refuses the whole batch. Calls that
 * are too much for a node are answered here.
 *
 * @param pay is called with the cost of the calls before the node is asked
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

/** Returns the newest block that is followed or reported. Null if no node reports one. */
async function readHead(chain: Chain): Promise<number | null> {
  if (chain.newest() === null) await chain.request({ method: 'eth_blockNumber' }).catch(() => null)
  return chain.newest()
}
