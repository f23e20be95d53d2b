import { prepareSignIn, signIn } from '@countersign/contract'
import { CountersignError } from '@countersign/safe-core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Hex, isHex, stringToHex } from 'viem'
import type { Connector } from 'wagmi'
import { api } from '../api/client.ts'
import { useConfiguration } from '../api/configuration.ts'
import { queryKeys } from '../api/query-keys.ts'
import { text } from '../text/text.ts'
import { answered } from './answered.ts'
import { closeWalletDialog } from './dialog-state.ts'
import { isFramed, SAFE_WALLET_ID } from './safe/frame.ts'
import { safeSignInSteps } from './safe/safe-sign-in.ts'
import { beginSession } from './session.ts'
import { createSignInFlow, type SignInSteps } from './sign-in-machine.ts'
import { withProvider } from './signer.ts'

/** Signing in as the account of a wallet: the flow, and where it stands. */
export function useSignIn(connector: Connector, account: Hex, chainId: number) {
  const queryClient = useQueryClient()
  const { safeHosts } = useConfiguration()
  const [flow] = useState(() => {
    const verify = verifier(queryClient)
    return createSignInFlow(
      connector.id === SAFE_WALLET_ID ? safeSignInSteps(safeHosts, verify) : walletSteps(connector, verify),
    )
  })
  useEffect(() => {
    flow.start({ connectorUid: connector.uid, account, chainId })
    return flow.stop
  }, [flow, connector.uid, account, chainId])
  const state = useSyncExternalStore(flow.subscribe, flow.getState)
  return { flow, state }
}

/** Sends what was signed; the session that comes of it is this page's. */
export function verifier(queryClient: QueryClient): SignInSteps['verify'] {
  return async (input, signal) => {
    try {
      const { session } = await answered(signal, (limited) => api(signIn, { ...input, isFramed: isFramed() }, limited))
      // Also when nobody waits for it any more: the server has opened it, and this browser is who it says now.
      beginSession(queryClient, session)
      if (!signal.aborted) closeWalletDialog()
    } catch (error) {
      // Given up here, and perhaps done there.
      if (signal.aborted) void queryClient.invalidateQueries({ queryKey: queryKeys.session })
      throw error
    }
  }
}

function walletSteps(connector: Connector, verify: SignInSteps['verify']): SignInSteps {
  return {
    prepare: ({ account, chainId }, signal) =>
      answered(signal, (limited) => api(prepareSignIn, { address: account, chainId, isFramed: isFramed() }, limited)),
    sign: (target, message) =>
      withProvider(connector, async (provider) => {
        const signature = await provider.request({
          method: 'personal_sign',
          params: [stringToHex(message), target.account],
        })
        if (isHex(signature)) return signature
        throw new CountersignError(
          'WALLET_FAILED',
          text('wallet.error.failed', { wallet: connector.name, answer: String(signature) }),
        )
      }),
    verify,
    recall: () => null,
    collect: async () => {},
    forget: () => {},
    now: Date.now,
  }
}
