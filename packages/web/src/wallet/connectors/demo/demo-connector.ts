import { chainRequest } from '../../../api/chain-client.ts'
import { guardedStorage } from '../../../device/guarded-storage.ts'
import { type Connector, injectedConnector } from '../connector.ts'
import { askForAccount, askForApproval } from './demo-prompts.tsx'
import { createDemoProvider } from './demo-provider.ts'
import { DEVNET_CHAIN_ID } from './devnet-chain.ts'

/** The Demo wallet: an injected wallet whose provider is our own. */
export function demoConnector(): Connector {
  const provider = createDemoProvider({
    chainId: DEVNET_CHAIN_ID,
    prompts: { chooseAccount: askForAccount, approve: askForApproval },
    node: chainRequest(DEVNET_CHAIN_ID),
    storage: guardedStorage,
  })
  return injectedConnector({ id: 'demo', name: 'Demo wallet', provider: () => provider, asksIn: 'page' })
}
