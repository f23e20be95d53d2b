import type { Chain } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import { custom, defineChain, type Chain as ViemChain } from 'viem'
import { createConfig, createStorage } from 'wagmi'
import { chainRequest } from '../api/chain-client.ts'
import { guardedStorage } from './guarded-storage.ts'

export type WalletConfig = ReturnType<typeof createWalletConfig>

/** No connector is configured: wallets announce themselves, and the others are loaded when somebody picks them. */
export function createWalletConfig(chains: Chain[]) {
  const [first, ...rest] = chains.map(toViemChain)
  if (!first) throw new CountersignError('CONFIGURATION_INVALID', 'No chain is configured.')
  const config = createConfig({
    chains: [first, ...rest],
    connectors: [],
    // Announcements are read by `announced-wallets.ts`: wagmi's reader believes names and pictures as they come.
    multiInjectedProviderDiscovery: false,
    storage: createStorage({ storage: guardedStorage }),
    transports: Object.fromEntries(
      chains.map(({ chainId }) => [chainId, custom({ request: chainRequest(chainId) }, { retryCount: 0 })]),
    ),
  })
  // wagmi brings back what was connected last time as if it still were; `reconnectLastWallet` asks the wallet.
  config.setState((state) => ({ ...state, connections: new Map(), current: null }))
  return config
}

function toViemChain({ chainId, name, nativeCurrency, publicRpcUrl, explorerUrl }: Chain): ViemChain {
  return defineChain({
    id: chainId,
    name,
    nativeCurrency,
    // Only what may be given to wallets; the page itself asks through the server.
    rpcUrls: { default: { http: publicRpcUrl ? [publicRpcUrl] : [] } },
    ...(explorerUrl ? { blockExplorers: { default: { name: explorerUrl, url: explorerUrl } } } : {}),
  })
}
