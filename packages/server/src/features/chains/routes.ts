import {
  callNode as callNodeEndpoint,
  examineInstallation,
  findListedTokens,
  findPrices,
  getConfiguration,
  type Input,
  listChainStatus,
  listOutboundHosts,
  listPriceSources,
  listTokenLists,
  readBlockHashes as readBlockHashesEndpoint,
  reloadConfiguration as reloadEndpoint,
} from '@countersign/contract'
import type { SignedInCtx } from '../../context.ts'
import { mount, mountPublic, type Router } from '../../http/endpoint.ts'
import { outboundHostsOf } from '../../outbound.ts'
import { chainOf } from '../../rpc/clients.ts'
import { costOfBlockHashes, readBlockHashes } from './block-hashes.ts'
import { callNode } from './call-node.ts'
import { readConfiguration } from './configuration.ts'
import { readFindings } from './read-findings.ts'
import { mayReload, reloadConfiguration } from './reload.ts'
import { readChainStatus } from './status.ts'

export function chainRoutes(router: Router): void {
  mountPublic(router, getConfiguration, readConfiguration)
  mount(router, listChainStatus, async (ctx) => ({ chains: await readChainStatus(ctx) }))
  mount(router, listOutboundHosts, async (ctx) => ({
    hosts: outboundHostsOf({
      ...ctx,
      chains: [...ctx.chains.values()].map(({ settings }) => settings),
      listUrls: ctx.tokenLists.urls,
      priceUrls: ctx.prices.urls,
    }),
    mayReload: mayReload(ctx) && ctx.reload !== null,
  }))
  mount(router, reloadEndpoint, reloadConfiguration)
  mount(router, examineInstallation, readFindings, 'node')
  mount(router, listTokenLists, async ({ tokenLists }) => ({ lists: tokenLists.describe() }))
  mount(router, listPriceSources, async ({ prices }) => ({ sources: await prices.describe() }), 'node')
  mount(
    router,
    findPrices,
    async ({ prices }, { chainId, tokens }) => ({ prices: await prices.find(chainId, tokens) }),
    'node',
  )
  mount(router, findListedTokens, async ({ chains, tokenLists }, { chainId, ...question }) => {
    chainOf(chains, chainId)
    return { revision: tokenLists.revisionOf(chainId) ?? '', tokens: tokenLists.find(chainId, question) }
  })
  const answer = async (ctx: SignedInCtx, input: Input<typeof callNodeEndpoint>) => {
    // One is taken for the request itself.
    const more = [input.body].flat().length - 1
    router.admission.take('node', ctx.viewer.tokenHash, more)
    router.admission.take('account', ctx.viewer.address, more)
    const pay = (cost: number) => router.admission.take('nodeWork', ctx.viewer.address, cost)
    // The node's answer as it is: nothing of ours reads it.
    return new Response(await callNode(ctx, input, pay), {
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    })
  }
  mount(router, callNodeEndpoint, answer, 'node')
  const answerHashes = async (ctx: SignedInCtx, input: Input<typeof readBlockHashesEndpoint>) => {
    router.admission.take('nodeWork', ctx.viewer.address, costOfBlockHashes(ctx, input))
    return readBlockHashes(ctx, input)
  }
  mount(router, readBlockHashesEndpoint, answerHashes, 'node')
}
