import type { getConfiguration, Reply } from '@countersign/contract'
import type { Ctx } from '../../context.ts'

/** What a browser may know of this installation. The RPC URLs are not in it: they may hold keys. */
export async function readConfiguration(ctx: Ctx): Promise<Reply<typeof getConfiguration>> {
  return {
    version: ctx.version,
    publicUrl: ctx.publicUrl.origin,
    safeHosts: [...ctx.safeHosts],
    hasCoinbase: ctx.hasCoinbase,
    walletConnect: ctx.walletConnect,
    chains: [...ctx.chains.values()].map(({ settings, status }) => ({
      chainId: settings.chainId,
      name: settings.name,
      nativeCurrency: settings.nativeCurrency ?? { name: 'Ether', symbol: 'ETH', decimals: 18 },
      publicRpcUrl: settings.publicRpcUrl ?? null,
      explorerUrl: settings.explorerUrl ?? null,
      isDevnet: settings.isDevnet,
      index: settings.index,
      status,
      tokens: (settings.tokens ?? []).map((token) => ({ ...token, name: token.name ?? token.symbol })),
    })),
  }
}
