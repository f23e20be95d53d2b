import { callNode as callNodeEndpoint, getConfiguration, type Input } from '@countersign/contract'
import type { SignedInCtx } from '../../context.ts'
import { mount, mountPublic, type Router } from '../../http/endpoint.ts'
import { callNode } from './call-node.ts'
import { readConfiguration } from './configuration.ts'

export function chainRoutes(router: Router): void {
  mountPublic(router, getConfiguration, readConfiguration)
  const answer = async (ctx: SignedInCtx, input: Input<typeof callNodeEndpoint>) => {
    // One is taken for the request itself.
    if (ctx.hasRateLimits) router.limits.node.take(ctx.viewer.tokenHash, [input.body].flat().length - 1)
    // The node's answer as it is: nothing of ours reads it.
    return new Response(await callNode(ctx, input), {
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
  }
  mount(router, callNodeEndpoint, answer, 'node')
}
