import { prepareSignIn } from '@countersign/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Hex, isHex, stringToHex } from 'viem'
import { answered } from '../../api/answered.ts'
import { api } from '../../api/client.ts'
import { useConfiguration } from '../../api/configuration.ts'
import { serverNow } from '../../device/server-time.ts'
import type { Connector } from '../connectors/connector.ts'
import { unsigned } from '../connectors/tame-provider.ts'
import { isFramed, isSafeWallet } from '../safe/frame.ts'
import { safeSignInSteps } from '../safe/safe-sign-in.ts'
import { createSignInFlow, type SignInSteps } from './sign-in-machine.ts'
import { withProvider } from './signer.ts'
import { verifier } from './verify-once.ts'

/** Signing in as the account of a wallet: the flow, and where it stands. */
export function useSignIn(connector: Connector, account: Hex, chainId: number) {
  const queryClient = useQueryClient()
  const { safeHosts } = useConfiguration()
  const [flow] = useState(() => {
    const verify = verifier(queryClient)
    return createSignInFlow(
      isSafeWallet(connector.id)
        ? safeSignInSteps({ connectorId: connector.id, account, chainId }, safeHosts, verify)
        : walletSteps(connector, verify),
    )
  })
  useEffect(() => {
    flow.start({ connectorId: connector.id, account, chainId })
    return flow.stop
  }, [flow, connector.id, account, chainId])
  const state = useSyncExternalStore(flow.subscribe, flow.getState)
  return { flow, state }
}

function walletSteps(connector: Connector, verify: SignInSteps['verify']): SignInSteps {
  return {
    prepare: async ({ account, chainId }, signal) => {
      const asked = { address: account, chainId, isFramed: isFramed() }
      return { prepared: await answered(signal, (limited) => api(prepareSignIn, asked, limited)) }
    },
    sign: (target, message) =>
      withProvider(connector, async (provider) => {
        const signature = await provider.request({
          method: 'personal_sign',
          params: [stringToHex(message), target.account],
        })
        if (isHex(signature)) return signature
        throw unsigned(connector.name)
      }),
    verify,
    collect: async () => {},
    forget: async () => {},
    now: serverNow,
  }
}
