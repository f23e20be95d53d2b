import type { Address } from 'viem'
import { parseAccounts } from './provider-values.ts'
import { codesOf } from './wallet-errors.ts'

/** EIP-1193, as `tame-provider.ts` gives it: requests answer what they claim to, or reject with an Error with a `code`. */
export type Provider = {
  request: (args: { method: string; params?: unknown }) => Promise<unknown>
  on: (event: string, listener: (value: unknown) => void) => void
  removeListener: (event: string, listener: (value: unknown) => void) => void
}

/** Answer of a wallet that is asked to connect. */
export type WalletAnswer = { accounts: readonly Address[]; chainId: number }

/** Change in a connected wallet. `disconnected`: it no longer shows an account. `ended`: the phone ended the connection. */
export type WalletChange = Partial<WalletAnswer> | 'disconnected' | 'ended'

/**
 * Where a wallet shows a request: in its extension, a window of its own, this page, the Safe interface around it, on a phone,
 * or to owners who open a link.
 */
export type RequestPlace = 'extension' | 'window' | 'page' | 'safe' | 'phone' | 'link'

/** A wallet that was picked, however it is reached. There is one for each id in a page. */
export type Connector = {
  readonly id: string
  /** Name shown to the person. For a paired phone, the name of its wallet. */
  readonly name: string
  /** Where the person finds its requests. */
  readonly asksIn: RequestPlace
  /** Whether it reads the chain from a node that is not one of this server's, and without asking the person. */
  readonly hasOwnNode?: boolean
  /** Asks the person for an account. */
  connect: () => Promise<WalletAnswer>
  /** Reads the wallet's accounts without asking the person; null when it shows none. */
  reconnect: () => Promise<WalletAnswer | null>
  /** Tells the wallet that it is no longer used. */
  disconnect: () => Promise<unknown>
  /** Undefined: the wallet is gone. */
  getProvider: () => Pick<Provider, 'request'> | undefined
  /** Tells of changes until the function that it answers is called. */
  listen: (listener: (change: WalletChange) => void) => () => void
}

const REJECTED = 4001
const BUSY = -32002
/** The wallet has lost its own connection to a chain and tries again. */
const RECONNECTING = 1013
/** Some wallets answer nothing yet while the page loads. */
const TRIES = 4
const TRY_MS = 100

type InjectedWallet = {
  id: string
  name: string
  /** Looked for at each use. */
  provider: () => Provider | undefined
  asksIn?: RequestPlace
  /** It reads the chain from a node of its own. */
  hasOwnNode?: boolean
  /** Connecting offers the person another account even where one was allowed before. */
  offersAccounts?: boolean
}

/** A wallet with a provider in this page. */
export function injectedConnector({
  id,
  name,
  provider,
  asksIn = 'extension',
  offersAccounts = true,
  hasOwnNode = false,
}: InjectedWallet): Connector {
  const found = (): Provider => {
    const there = provider()
    if (there) return there
    throw new Error(`${name} is gone`)
  }
  const readAnswer = async (accounts: readonly Address[]): Promise<WalletAnswer> => ({
    accounts,
    chainId: Number(await found().request({ method: 'eth_chainId' })),
  })
  const readShown = async () => parseAccounts(await found().request({ method: 'eth_accounts' })) ?? []

  return {
    id,
    name,
    asksIn,
    hasOwnNode,
    getProvider: provider,
    connect: async () => {
      const offered = offersAccounts && (await offerAccounts(found())) ? await readShown() : []
      if (offered.length > 0) return readAnswer(offered)
      return readAnswer(parseAccounts(await found().request({ method: 'eth_requestAccounts' })) ?? [])
    },
    reconnect: async () => {
      for (let tries = 1; ; tries++)
        try {
          const accounts = await readShown()
          return accounts.length > 0 ? await readAnswer(accounts) : null
        } catch (error) {
          if (tries === TRIES) throw error
          await new Promise((resolve) => setTimeout(resolve, TRY_MS))
        }
    },
    disconnect: async () => provider()?.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] }),
    listen: (listener) => {
      const there = provider()
      // An event during a request is newer than the answer.
      let told = 0
      const tellAccounts = (accounts: readonly Address[]) =>
        listener(accounts.length > 0 ? { accounts } : 'disconnected')
      const listeners = {
        accountsChanged: (value: unknown) => {
          told++
          tellAccounts(parseAccounts(value) ?? [])
        },
        chainChanged: (value: unknown) => listener({ chainId: Number(value) }),
        disconnect: async (error: unknown) => {
          const asked = ++told
          const accounts = codesOf(error).includes(RECONNECTING) ? await readShown().catch(() => []) : []
          if (told === asked) tellAccounts(accounts)
        },
      }
      for (const [event, tell] of Object.entries(listeners)) there?.on(event, tell)
      return () => {
        told++
        for (const [event, tell] of Object.entries(listeners)) there?.removeListener(event, tell)
      }
    },
  }
}

/** Whether the person has picked accounts. Not every wallet can ask for that. */
async function offerAccounts(provider: Provider): Promise<boolean> {
  try {
    const permissions = await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] })
    return Array.isArray(permissions) && (permissions[0]?.caveats?.[0]?.value?.length ?? 0) > 0
  } catch (error) {
    const [code] = codesOf(error)
    if (code === REJECTED || code === BUSY) throw error
    return false
  }
}
