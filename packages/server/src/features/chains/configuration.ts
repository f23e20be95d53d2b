import type { getConfiguration, Reply } from '@countersign/contract'
import type { Ctx } from '../../context.ts'

/** Reads the public part of the configuration. RPC URLs are left out: they may hold keys. */
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
