import type { Chain, getConfiguration, Reply } from '@countersign/contract'

/** The chain of the devnet, as its server tells of it. */
export const devnet: Chain = {
  chainId: 31_337,
  name: 'Devnet',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  publicRpcUrl: null,
  explorerUrl: null,
  isDevnet: true,
  index: 'tracked',
  status: 'ok',
  proof: { sources: 1, wallet: true, maxBlocksBehind: 30 },
  bringFrom: null,
  nameRegistry: null,
  listRevision: null,
  tokens: [],
}

export const configuration: Reply<typeof getConfiguration> = {
  version: '0.1.0',
  publicUrl: 'http://localhost:4100',
  safeHosts: [],
  hasCoinbase: true,
  chains: [devnet],
  walletConnect: null,
  currency: null,
}
