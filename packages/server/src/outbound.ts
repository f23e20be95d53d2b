import type { OutboundHost, WalletConnectSettings } from '@countersign/contract'
import type { ChainSettings } from './config/chains.ts'

export type Contact =
  | { kind: 'node' | 'transaction-service' | 'token-list' | 'prices'; host: string }
  | { kind: 'webhooks' }

/** When this process last sent something, by host of a node or a service; those of webhooks, which anybody may name, are one. */
const contacts = new Map<string, number>()

const keyOf = (contact: Contact) => (contact.kind === 'webhooks' ? contact.kind : `${contact.kind} ${contact.host}`)

/** Keeps in mind that something is sent now. All places that send to other hosts call it. */
export function noteContact(contact: Contact): void {
  contacts.set(keyOf(contact), Date.now())
}

function lastContact(contact: Contact): string | null {
  const at = contacts.get(keyOf(contact))
  return at === undefined ? null : new Date(at).toISOString()
}

/** Lists each host that a configuration lets the server, or the browsers of its users, connect to. */
export function outboundHostsOf({
  chains,
  listUrls,
  priceUrls,
  walletConnect,
  hasCoinbase,
}: {
  /** URLs of token lists. */
  listUrls: readonly URL[]
  /** URLs of sources of prices. */
  priceUrls: readonly URL[]
  chains: readonly Pick<ChainSettings, 'name' | 'rpcUrls' | 'bringFrom'>[]
  walletConnect: WalletConnectSettings | null
  hasCoinbase: boolean
}): OutboundHost[] {
  const nodes = chains.flatMap(({ name, rpcUrls }) =>
    [...new Set(rpcUrls.map((url) => new URL(url).host))].map(
      (host): OutboundHost => ({
        host,
        purpose: 'node',
        chain: name,
        by: 'server',
        lastAt: lastContact({ kind: 'node', host }),
      }),
    ),
  )
  const services = chains.flatMap(({ name, bringFrom }): OutboundHost[] => {
    if (!bringFrom) return []
    const { host } = new URL(bringFrom.url)
    const lastAt = lastContact({ kind: 'transaction-service', host })
    return [{ host, purpose: 'transaction-service', chain: name, by: 'server', lastAt }]
  })
  const named = (kind: 'token-list' | 'prices', urls: readonly URL[]) =>
    [...new Set(urls.map(({ host }) => host))].map((host): OutboundHost => {
      const lastAt = lastContact({ kind, host })
      return { host, purpose: kind, chain: null, by: 'server', lastAt }
    })
  const ofBrowsers = { chain: null, by: 'browsers', lastAt: null } as const
  return [
    ...nodes,
    ...services,
    ...named('token-list', listUrls),
    ...named('prices', priceUrls),
    ...(walletConnect
      ? [{ host: new URL(walletConnect.relayUrl).host, purpose: 'wallet-connect' as const, ...ofBrowsers }]
      : []),
    ...(hasCoinbase ? [{ host: null, purpose: 'coinbase' as const, ...ofBrowsers }] : []),
    { host: null, purpose: 'webhooks', chain: null, by: 'server', lastAt: lastContact({ kind: 'webhooks' }) },
  ]
}
