import type { Address, Hex } from 'viem'
import { safePath, sectionPath, transactionPath } from './owner.ts'

type Demo = { safeAddress: Address; harmless: Hex; malicious: Hex }

/** The path of every page of the product that somebody who is signed in can open, by its name. */
export function everyPath(chainId: number, { safeAddress, harmless, malicious }: Demo): Record<string, string> {
  const safe = safePath(chainId, safeAddress)
  return {
    'My Safes': '/',
    Home: safe,
    Queue: sectionPath(chainId, safeAddress, 'queue'),
    History: sectionPath(chainId, safeAddress, 'history'),
    Assets: sectionPath(chainId, safeAddress, 'assets'),
    Messages: sectionPath(chainId, safeAddress, 'messages'),
    'New message': `${safe}/messages/new`,
    'Address book': sectionPath(chainId, safeAddress, 'book'),
    Team: sectionPath(chainId, safeAddress, 'team'),
    Policy: `${safe}/team/policy`,
    Webhooks: `${safe}/team/webhooks`,
    Activity: sectionPath(chainId, safeAddress, 'activity'),
    Settings: sectionPath(chainId, safeAddress, 'settings'),
    Signatures: `${safe}/signatures`,
    'New transaction': `${safe}/new`,
    'Execute several': `${safe}/execute`,
    'Harmless transaction': transactionPath(chainId, safeAddress, harmless),
    'Malicious transaction': transactionPath(chainId, safeAddress, malicious),
    Account: '/account',
    Tokens: '/tokens',
    Chains: '/chains',
    'New Safe': '/create',
    Design: '/design',
    Nowhere: '/nowhere',
  }
}
