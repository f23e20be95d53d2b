import { numberToHex } from 'viem'
import { fail } from '../../text/fail.ts'
import { type Connector, injectedConnector } from '../connectors/connector.ts'
import { SAFE_WALLET_ID } from './frame.ts'
import { openSafeApp, type SafeAccount } from './safe-app.ts'

/** The Safe around this page as a wallet: it has an account and a chain, and signs nothing but messages. */
export function safeConnector(hosts: readonly string[]): Connector {
  const provider = createSafeProvider(() => openSafeApp(hosts).readAccount())
  return injectedConnector({
    id: SAFE_WALLET_ID,
    name: 'Safe',
    provider: () => provider,
    asksIn: 'safe',
    offersAccounts: false,
  })
}

/** EIP-1193 as far as a Safe has an answer. Everything else is refused in words, at once. */
export function createSafeProvider(readAccount: () => Promise<SafeAccount>) {
  return {
    request: async ({ method }: { method: string }): Promise<unknown> => {
      switch (method) {
        case 'eth_accounts':
        case 'eth_requestAccounts':
          return [(await readAccount()).address]
        case 'eth_chainId':
          return numberToHex((await readAccount()).chainId)
        case 'wallet_requestPermissions':
        case 'wallet_revokePermissions':
          throw Object.assign(new Error(method), { code: 4200 })
        case 'wallet_switchEthereumChain':
        case 'wallet_addEthereumChain':
          throw fail('CHAIN_SWITCH_UNSUPPORTED', { reason: 'safe' })
        default:
          throw fail('WALLET_IS_SAFE')
      }
    },
    // A Safe interface loads its apps anew when another Safe is chosen.
    on: () => {},
    removeListener: () => {},
  }
}
