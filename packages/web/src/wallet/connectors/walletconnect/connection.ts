import type { Address } from 'viem'
import { cleanName } from '../../../text/untrusted.ts'
import { passesForPage } from '../looks.ts'
import { type Approval, type Namespaces, parseApproval } from './approval.ts'

/** A paired phone: which account it signs with, on which chain, and what it allows. */
export type Connection = {
  /** WalletConnect's name of the session. */
  topic: string
  account: Address
  chainId: number
  approval: Approval
  /** Name that the wallet on the phone reports. */
  walletName: string
}

type PhoneSession = { topic: string; namespaces: Namespaces; peer?: { metadata?: { name?: unknown } } }

export type PreferredConnection = {
  /** The phone says that it is there, approved or not. */
  chainId?: number | undefined
  /** Used if the phone still approves it. */
  preferredChainId?: number | undefined
  /** In order; the first that is approved is used. */
  accounts?: (Address | undefined)[]
}

/** @returns null when the phone approves no account at all */
export function readConnection(
  { topic, namespaces, peer }: PhoneSession,
  configured: readonly number[],
  { chainId: stated, preferredChainId, accounts: preferredAccounts = [] }: PreferredConnection,
): Connection | null {
  const approval = parseApproval(namespaces)
  const isApproved = (chainId: number | undefined) => approval.accounts.some((account) => account.chainId === chainId)
  const chainId =
    stated ??
    [preferredChainId, ...configured].find(isApproved) ??
    approval.accounts.map((account) => account.chainId)[0]
  if (chainId === undefined) return null
  const onChain = approval.accounts.filter((account) => account.chainId === chainId)
  const addresses = (onChain.length > 0 ? onChain : approval.accounts).map(({ address }) => address)
  const account =
    preferredAccounts.find((account) => account !== undefined && addresses.includes(account)) ?? addresses[0]
  return account ? { topic, account, chainId, approval, walletName: nameOf(peer?.metadata?.name) } : null
}

/** Returns the cleaned name of a wallet. A name that imitates this page becomes “WalletConnect”. */
function nameOf(said: unknown): string {
  const name = typeof said === 'string' ? cleanName(said) : ''
  return name && !passesForPage(name) ? name : 'WalletConnect'
}
