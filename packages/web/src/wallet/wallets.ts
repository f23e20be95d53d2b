import { CountersignError } from '@countersign/safe-core'
import type { Connector, CreateConnectorFn } from 'wagmi'
import { injected } from 'wagmi/connectors/injected'
import type { Configuration } from '../api/configuration.ts'
import { type TextKey, text } from '../text/text.ts'
import type { AnnouncedWallet } from './announced-wallets.ts'
import { DEVNET_CHAIN_ID } from './demo/devnet-chain.ts'
import { SAFE_WALLET_ID } from './safe/frame.ts'
import type { WaitingView } from './waiting-view.ts'

/** A wallet that somebody can pick, as data. What it needs is loaded when it is picked, never before. */
export type Wallet = {
  id: string
  name: string
  /** A data: picture; without one its first letter is shown. */
  icon?: string | undefined
  /** EIP-6963 name: an announced wallet of this name takes the entry's place. */
  rdns?: string | undefined
  /** What an announced wallet calls itself by, where its name alone could mislead. */
  warning?: { kind: 'contested' | 'sameName'; rdns: string }
  /** Where its makers offer it. */
  installUrl?: string
  /** A screen of its own while the wallet is waited for: a QR code, say. */
  waiting?: { title: TextKey; load: () => Promise<{ WaitingView: WaitingView }> }
  load: () => Promise<Connector | CreateConnectorFn>
} & Place

/** Where a wallet stands in the dialog, and whether picking it can lead anywhere. */
export type Place = { group: 'installed' | 'demo' | 'other' } & (
  | { presence: 'ready' | 'not-installed' }
  /** `reason`: one sentence on why, and what to do. */
  | { presence: 'not-available'; reason: TextKey }
)

/** What the operator configured about wallets. */
export type WalletSettings = Pick<Configuration, 'chains' | 'safeHosts' | 'hasCoinbase' | 'walletConnect'>

export type Situation = {
  configuration: WalletSettings
  /** This page is shown inside another. */
  isFramed: boolean
  announced: readonly AnnouncedWallet[]
  /** Something sits at window.ethereum that did not announce itself. */
  hasInjected: boolean
}

type FixedWallet = Omit<Wallet, keyof Place | 'warning' | 'presence' | 'reason' | 'load'> & {
  load: (configuration: WalletSettings) => Promise<CreateConnectorFn>
  /** Null: not offered at all. */
  place: (situation: Situation) => Place | null
}

const fixedWallets: FixedWallet[] = [
  {
    id: 'injected',
    name: 'Browser wallet',
    place: ({ hasInjected, announced }) => {
      if (hasInjected) return { group: announced.length === 0 ? 'installed' : 'other', presence: 'ready' }
      return announced.length === 0 ? { group: 'other', presence: 'not-installed' } : null
    },
    load: async () =>
      injected({
        target: { id: 'injected', name: 'Browser wallet', provider: (page) => page?.ethereum },
      }),
  },
  {
    id: 'metaMask',
    name: 'MetaMask',
    rdns: 'io.metamask',
    installUrl: 'https://metamask.io/download',
    place: () => ({ group: 'other', presence: 'not-installed' }),
    // Its extension announces itself and so takes this entry's place; its SDK phones home and is not used.
    load: async () => {
      throw new CountersignError('WALLET_NOT_INSTALLED', text('wallet.notInstalled', { wallet: 'MetaMask' }))
    },
  },
  {
    id: 'coinbase',
    name: 'Coinbase Wallet',
    rdns: 'com.coinbase.wallet',
    installUrl: 'https://www.coinbase.com/wallet/downloads',
    // Without its extension it opens a window elsewhere, so the operator decides.
    place: ({ configuration: { hasCoinbase } }) => ({
      group: 'other',
      presence: hasCoinbase ? 'ready' : 'not-installed',
    }),
    load: async ({ chains }) => (await import('./coinbase-connector.ts')).coinbaseConnector(chains),
  },
  {
    id: SAFE_WALLET_ID,
    name: 'Safe',
    place: ({ configuration: { safeHosts }, isFramed }) => {
      if (isFramed && safeHosts.length > 0) return { group: 'installed', presence: 'ready' }
      const reason = safeHosts.length > 0 ? 'wallet.safe.outside' : 'wallet.safe.off'
      return { group: 'other', presence: 'not-available', reason }
    },
    load: async ({ safeHosts }) => (await import('./safe/safe-connector.ts')).safeConnector(safeHosts),
  },
  {
    id: 'demo',
    name: 'Demo wallet',
    place: ({ configuration: { chains } }) =>
      chains.some(({ chainId, isDevnet }) => isDevnet && chainId === DEVNET_CHAIN_ID)
        ? { group: 'demo', presence: 'ready' }
        : null,
    load: async () => (await import('./demo/demo-connector.ts')).demoConnector(),
  },
  {
    id: 'walletConnect',
    name: 'WalletConnect',
    place: ({ configuration: { walletConnect } }) =>
      walletConnect
        ? { group: 'other', presence: 'ready' }
        : { group: 'other', presence: 'not-available', reason: 'walletConnect.unset' },
    waiting: { title: 'walletConnect.scan.title', load: () => import('./scan-screen.tsx') },
    load: async ({ walletConnect: settings }) => {
      if (!settings) throw new CountersignError('WALLET_NOT_AVAILABLE', text('walletConnect.unset'))
      return (await import('./walletconnect/connector.ts')).walletConnect(settings)
    },
  },
]

/** Everything that can be picked now: wallets that announced themselves (EIP-6963), then the fixed entries. */
export function listWallets(situation: Situation): Wallet[] {
  const { announced } = situation
  return [
    ...announced.map((one) => toWallet(one, announced)),
    ...fixedWallets
      .filter(({ rdns }) => !announced.some((one) => one.rdns === rdns))
      .flatMap(({ place, load, ...wallet }): Wallet[] => {
        const placed = place(situation)
        return placed ? [{ ...wallet, ...placed, load: () => load(situation.configuration) }] : []
      }),
  ]
}

function toWallet(wallet: AnnouncedWallet, announced: readonly AnnouncedWallet[]): Wallet {
  const { id, name, icon, rdns, provider } = wallet
  const known = fixedWallets.find((one) => one.rdns === rdns)
  const warning = wallet.isContested
    ? ({ kind: 'contested', rdns } as const)
    : isNameTaken(wallet, announced)
      ? ({ kind: 'sameName', rdns } as const)
      : undefined
  return {
    id,
    name: known?.name ?? name,
    icon,
    rdns,
    group: 'installed',
    presence: 'ready',
    ...(warning ? { warning } : {}),
    load: async () => injected({ target: { id, name, provider } }),
  }
}

/** The name belongs to another entry of the list: then it proves nothing, and its `rdns` is shown too. */
function isNameTaken({ name, rdns, provider }: AnnouncedWallet, announced: readonly AnnouncedWallet[]): boolean {
  const own = comparable(name)
  return (
    announced.some((one) => one.provider !== provider && comparable(one.name) === own) ||
    fixedWallets.some((one) => one.rdns !== rdns && comparable(one.name) === own)
  )
}

function comparable(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s/g, '')
}

export function isFixedWallet(id: string): boolean {
  return fixedWallets.some((wallet) => wallet.id === id)
}
