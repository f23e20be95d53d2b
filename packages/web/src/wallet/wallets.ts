import type { Chain } from '@countersign/contract'
import type { Connector, CreateConnectorFn } from 'wagmi'
import { DEVNET_CHAIN_ID } from './demo/devnet-chain.ts'

/** A wallet that somebody can pick, as data. What it needs is loaded when it is picked, never before. */
export type Wallet = {
  id: string
  name: string
  /** data: or same-origin address of a picture. */
  icon?: string | undefined
  /** EIP-6963 name: an announced wallet of this name takes the entry's place. */
  rdns?: string
  group: 'installed' | 'demo' | 'other'
  /** False: picking it says that it is not installed. */
  isInstalled: boolean
  load: () => Promise<Connector | CreateConnectorFn>
}

const fixedWallets: { wallet: Wallet; isOffered: (situation: Situation) => boolean }[] = [
  {
    wallet: {
      id: 'injected',
      name: 'Browser wallet',
      group: 'other',
      isInstalled: false,
      load: async () => (await import('wagmi/connectors/injected')).injected(),
    },
    // A wallet that announces itself also sits at window.ethereum; it must not appear twice.
    isOffered: ({ announced }) => announced.length === 0,
  },
  {
    wallet: {
      id: 'demo',
      name: 'Demo wallet',
      group: 'demo',
      isInstalled: true,
      load: async () => (await import('./demo/demo-connector.ts')).demoConnector(),
    },
    isOffered: ({ chains }) => chains.some(({ chainId, isDevnet }) => isDevnet && chainId === DEVNET_CHAIN_ID),
  },
]

type Situation = { chains: Chain[]; announced: Connector[]; hasInjected: boolean }

/** Everything that can be picked now: wallets that announced themselves (EIP-6963), then the fixed entries. */
export function listWallets(situation: Situation): Wallet[] {
  const announced = situation.announced.map(
    (connector): Wallet => ({
      id: connector.id,
      name: connector.name,
      icon: connector.icon?.trim(),
      group: 'installed',
      isInstalled: true,
      load: async () => connector,
    }),
  )
  const fixed = fixedWallets
    .filter(({ wallet, isOffered }) => isOffered(situation) && !announced.some(({ id }) => id === wallet.rdns))
    .map(
      ({ wallet }): Wallet =>
        wallet.id === 'injected' && situation.hasInjected
          ? { ...wallet, group: 'installed', isInstalled: true }
          : wallet,
    )
  return [...announced, ...fixed]
}

export function isFixedWallet(id: string): boolean {
  return fixedWallets.some(({ wallet }) => wallet.id === id)
}
