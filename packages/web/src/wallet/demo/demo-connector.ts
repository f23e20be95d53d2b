import type { EIP1193Provider } from 'viem'
import type { CreateConnectorFn } from 'wagmi'
import { injected } from 'wagmi/connectors/injected'
import { chainRequest } from '../../api/chain-client.ts'
import { guardedStorage } from '../guarded-storage.ts'
import { askForAccount, askForApproval } from './demo-prompts.tsx'
import { createDemoProvider } from './demo-provider.ts'
import { DEVNET_CHAIN_ID } from './devnet-chain.ts'

/** The Demo wallet as wagmi sees it: an injected wallet whose provider is our own. */
export function demoConnector(): CreateConnectorFn {
  const provider = createDemoProvider({
    chainId: DEVNET_CHAIN_ID,
    prompts: { chooseAccount: askForAccount, approve: askForApproval },
    node: chainRequest(DEVNET_CHAIN_ID),
    storage: guardedStorage,
  })
  return injected({ target: { id: 'demo', name: 'Demo wallet', provider: provider as unknown as EIP1193Provider } })
}
