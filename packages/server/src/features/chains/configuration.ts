import type { Chain, getConfiguration, Reply } from '@countersign/contract'
import type { ChainSettings } from '../../config/chains.ts'
import type { Ctx } from '../../context.ts'
import { machineOf } from '../../rpc/machine-of.ts'

/** Registry of ENS: mainnet, Sepolia and Holesky have it at one address (ENS documentation, Deployments). */
const ensRegistry = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'
const ETHEREUM = 1
const ensChains: readonly number[] = [ETHEREUM, 11_155_111, 17_000]

/** Reads the public part of the configuration. RPC URLs are left out: they may hold keys. */
export async function readConfiguration(ctx: Ctx): Promise<Reply<typeof getConfiguration>> {
  return {
    version: ctx.version,
    publicUrl: ctx.publicUrl.origin,
    safeHosts: [...ctx.safeHosts],
    hasCoinbase: ctx.hasCoinbase,
    walletConnect: ctx.walletConnect,
    currency: ctx.prices.currency,
    chains: [...ctx.chains.values()].map(({ settings, status }) => ({
      chainId: settings.chainId,
      name: settings.name,
      nativeCurrency: settings.nativeCurrency ?? { name: 'Ether', symbol: 'ETH', decimals: 18 },
      publicRpcUrl: settings.publicRpcUrl ?? null,
      explorerUrl: settings.explorerUrl ?? null,
      isDevnet: settings.isDevnet,
      index: settings.index,
      proof: proofOf(settings),
      status,
      nameRegistry: nameRegistryOf(settings, ctx.chains),
      bringFrom: settings.bringFrom ? new URL(settings.bringFrom.url).host : null,
      listRevision: ctx.tokenLists.revisionOf(settings.chainId),
      tokens: (settings.tokens ?? []).map((token) => ({ ...token, name: token.name ?? token.symbol })),
    })),
  }
}

/** Finds the registry of a chain: its own, else that of Ethereum where that chain is configured. `null` is none at all. */
export function nameRegistryOf(
  { chainId, nameRegistry }: Pick<ChainSettings, 'chainId' | 'nameRegistry'>,
  chains: ReadonlyMap<number, { settings: Pick<ChainSettings, 'chainId' | 'nameRegistry'> }>,
): Chain['nameRegistry'] {
  if (nameRegistry === null) return null
  const address = nameRegistry ?? (ensChains.includes(chainId) ? ensRegistry : undefined)
  if (address !== undefined) return { chainId, address }
  const ethereum = chains.get(ETHEREUM)
  return ethereum && chainId !== ETHEREUM ? nameRegistryOf(ethereum.settings, chains) : null
}

/** A wallet that was given the chain here asks the public node: where that is the operator's own, it says nothing new. */
function proofOf({ proof, publicRpcUrl, rpcUrls }: ChainSettings): Chain['proof'] {
  const { sources = 2, wallet = true, maxBlocksBehind = 25 } = proof ?? {}
  const isOwnNode = publicRpcUrl !== undefined && rpcUrls.map(machineOf).includes(machineOf(publicRpcUrl))
  return { sources, wallet: wallet && !isOwnNode, maxBlocksBehind }
}
