import type { Configuration } from '../../api/configuration.ts'
import { fail } from '../../text/fail.ts'
import { type TextKey, withTexts } from '../../text/text.ts'
import { LINKED_SAFE_ID, SAFE_WALLET_ID } from '../safe/frame.ts'
import { type AnnouncedWallet, readInjected } from './announced-wallets.ts'
import { type Connector, injectedConnector } from './connector.ts'
import { DEVNET_CHAIN_ID } from './demo/devnet-chain.ts'
import { tameProvider } from './tame-provider.ts'
import type { WaitingView } from './waiting-view.ts'

export const INJECTED_WALLET_ID = 'injected'

/** A wallet that somebody can pick, as data. What it needs is loaded when it is picked, never before. */
export type Wallet = {
  id: string
  name: string
  /** A data: picture; without one its first letter is shown. */
  icon?: string | undefined
  /** EIP-6963 name: an announced wallet of this name takes the entry's place. */
  rdns?: string | undefined
  /** Claims of an announced wallet. */
  announced?: { uuid: string; name: string }
  /** Number of programs that announce the same `rdns`. If there are several, at most one is genuine. */
  claimants?: number
  /** Where its makers offer it. */
  installUrl?: string
  /** A screen of its own while the wallet is waited for: a QR code, say. */
  waiting?: { title: TextKey; load: () => Promise<{ WaitingView: WaitingView }> }
  load: () => Promise<Connector>
} & Place

/** Where a wallet stands in the dialog (`from-entry`: in no list, the entry of another one leads to it), and whether picking it can lead anywhere. */
export type Place = { group: 'installed' | 'demo' | 'other' | 'from-entry' } & (
  | { presence: 'ready' | 'not-installed' }
  /** `reason`: one sentence on why, and what to do. */
  | { presence: 'not-available'; reason: TextKey }
)

/** The operator's settings about wallets. */
export type WalletSettings = Pick<Configuration, 'chains' | 'safeHosts' | 'hasCoinbase' | 'walletConnect'>

export type Situation = {
  configuration: WalletSettings
  /** This page is shown inside another. */
  isFramed: boolean
  announced: readonly AnnouncedWallet[]
  /** Something sits at window.ethereum that did not announce itself. */
  hasInjected: boolean
}

type FixedWallet = Omit<Wallet, keyof Place | 'announced' | 'claimants' | 'presence' | 'reason' | 'load'> & {
  load: (configuration: WalletSettings) => Promise<Connector>
  /** Null: not offered at all. */
  place: (situation: Situation) => Place | null
}

const fixedWallets: FixedWallet[] = [
  {
    id: INJECTED_WALLET_ID,
    name: 'Browser wallet',
    place: ({ hasInjected, announced }) => {
      if (hasInjected) return { group: announced.length === 0 ? 'installed' : 'other', presence: 'ready' }
      return announced.length === 0 ? { group: 'other', presence: 'not-installed' } : null
    },
    load: async () =>
      injectedConnector({
        id: INJECTED_WALLET_ID,
        name: 'Browser wallet',
        hasOwnNode: true,
        // Looked for each time: it may be gone by then.
        provider: () => {
          const injectedNow = readInjected()
          return injectedNow && tameProvider(injectedNow, 'Browser wallet')
        },
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
      throw fail('WALLET_NOT_INSTALLED', { wallet: 'MetaMask' })
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
    load: async ({ safeHosts }) => (await import('../safe/safe-connector.ts')).safeConnector(safeHosts),
  },
  {
    id: LINKED_SAFE_ID,
    name: 'Safe',
    // In a frame the interface around it knows the Safe and its owners.
    place: ({ isFramed }) => (isFramed ? null : { group: 'from-entry', presence: 'ready' }),
    waiting: { title: 'wallet.link.title', load: () => import('../safe/linked-safe-form.tsx') },
    load: async () => (await import('../safe/linked-safe-connector.ts')).linkedSafeConnector(),
  },
  {
    id: 'demo',
    name: 'Demo wallet',
    place: ({ configuration: { chains } }) =>
      chains.some(({ chainId, isDevnet }) => isDevnet && chainId === DEVNET_CHAIN_ID)
        ? { group: 'demo', presence: 'ready' }
        : null,
    load: async () => (await withTexts(() => import('./demo/demo-connector.ts'))).demoConnector(),
  },
  {
    id: 'walletConnect',
    name: 'WalletConnect',
    place: ({ configuration: { walletConnect } }) =>
      walletConnect
        ? { group: 'other', presence: 'ready' }
        : { group: 'other', presence: 'not-available', reason: 'walletConnect.unset' },
    waiting: { title: 'walletConnect.scan.title', load: () => import('../dialog/scan-screen.tsx') },
    load: async ({ walletConnect: settings, chains }) => {
      if (!settings) throw fail('WALLET_NOT_AVAILABLE', { reason: 'no-project' })
      return (await import('./walletconnect/connector.ts')).walletConnect(settings, chains)
    },
  },
]

/** Everything that can be picked now: wallets that announced themselves (EIP-6963), then the fixed entries. */
export function listWallets(situation: Situation): Wallet[] {
  const { announced } = situation
  return [
    ...announced.map((wallet) => toWallet(wallet, announced)),
    ...fixedWallets
      .filter(({ rdns }) => !announced.some((other) => other.rdns === rdns))
      .flatMap(({ place, load, ...wallet }): Wallet[] => {
        const placed = place(situation)
        return placed ? [{ ...wallet, ...placed, load: () => load(situation.configuration) }] : []
      }),
  ]
}

function toWallet(wallet: AnnouncedWallet, announced: readonly AnnouncedWallet[]): Wallet {
  const { id, uuid, name, icon, rdns, provider } = wallet
  const known = fixedWallets.find((wallet) => wallet.rdns === rdns)
  const shownName = known?.name ?? name
  return {
    id,
    name: shownName,
    icon,
    rdns,
    announced: { uuid, name },
    claimants: countClaimants(rdns, announced),
    group: 'installed',
    presence: 'ready',
    load: async () => {
      const tame = tameProvider(provider, shownName)
      return injectedConnector({ id, name: shownName, provider: () => tame, hasOwnNode: true })
    },
  }
}

/** Counts programs with one name, including those over the limit. */
function countClaimants(rdns: string, announced: readonly AnnouncedWallet[]): number {
  const same = announced.filter((wallet) => wallet.rdns === rdns)
  return same.reduce((sum, { leftOut }) => sum + (leftOut?.count ?? 0), same.length)
}

/** Whether several programs claim to be this wallet. */
export function isContested({ claimants = 1 }: Pick<Wallet, 'claimants'>): boolean {
  return claimants > 1
}

/** The names of the entries that are there without an announcement; the others' makers announce them. */
export const fixedNames = fixedWallets.flatMap(({ name, rdns }) => (rdns ? [] : [name]))

export function isFixedWallet(id: string): boolean {
  return fixedWallets.some((wallet) => wallet.id === id)
}
