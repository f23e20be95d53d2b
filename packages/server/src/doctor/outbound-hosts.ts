import type { OutboundHost } from '@countersign/contract'
import type { Environment } from '../config/environment.ts'
import { outboundHostsOf } from '../outbound.ts'
import { type Finding, good } from './finding.ts'

/** Lists each host that this configuration lets the server, or the browsers of its users, connect to, and why. */
export function listOutboundHosts(environment: Environment): Finding[] {
  const frames = environment.safeHosts.map((origin) => `none; ${new URL(origin).host} may show the page in a frame`)
  const { tokenLists, prices } = environment
  const urls = { listUrls: urlsOf(tokenLists), priceUrls: urlsOf(prices?.sources ?? []) }
  return [...outboundHostsOf({ ...environment, ...urls }).map(sentenceOf), ...frames].map((sentence) =>
    good('Outbound', sentence),
  )
}

function urlsOf(named: readonly ({ kind: 'url'; url: URL } | { kind: 'file' })[]): URL[] {
  return named.flatMap((one) => (one.kind === 'url' ? [one.url] : []))
}

function sentenceOf({ host, purpose, chain }: OutboundHost): string {
  switch (purpose) {
    case 'node':
      return `${host}, by the server: node of ${chain}`
    case 'transaction-service':
      return `${host}, by the server: Transaction Service that queues of ${chain} are brought from, when asked`
    case 'token-list':
      return `${host}, by the server: token lists that the configuration names, every so many hours`
    case 'prices':
      return `${host}, by the server: prices, every so many minutes`
    case 'wallet-connect':
      return `${host}, by browsers: WalletConnect, for who chooses it`
    case 'coinbase':
      return "Coinbase's hosts, by browsers: its wallet, for who chooses it"
    case 'webhooks':
      return 'hosts of webhooks, by the server: those that teams name, public addresses by https'
  }
}
