import { useState } from 'react'
import { type Connector, useConfig, useConnection } from 'wagmi'
import { useChain } from '../api/configuration.ts'
import { text } from '../text/text.ts'
import { Address } from '../ui/address.tsx'
import { Button } from '../ui/button.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Problem } from '../ui/problem.tsx'
import { Time } from '../ui/time.tsx'
import { disconnectWallet } from './connectors.ts'
import { useSession } from './session.ts'
import { withProvider } from './signer.ts'
import type { WalletConfig } from './wallet-config.ts'

export function ProfileScreen() {
  const { address, connector, chainId } = useConnection()
  const config = useConfig() as WalletConfig
  const chain = useChain(chainId ?? 0)
  const { session, signOut } = useSession()
  const [isSigningOut, setIsSigningOut] = useState(false)
  const [error, setError] = useState<unknown>()
  if (!address || !connector) return null

  const leave = async () => {
    setIsSigningOut(true)
    setError(undefined)
    try {
      await signOut()
    } catch (cause) {
      setError(cause)
    } finally {
      setIsSigningOut(false)
    }
  }
  return (
    <div className="grid gap-5">
      <Facts>
        <Fact label={text('wallet.profile.account')}>
          <Address address={address} />
        </Fact>
        <Fact label={text('wallet.profile.wallet')}>{connector.name}</Fact>
        <Fact label={text('wallet.profile.network')}>{chain?.name}</Fact>
        {session && (
          <Fact label={text('wallet.profile.signedIn')}>
            <Time value={session.expiresAt} />
          </Fact>
        )}
      </Facts>
      {error !== undefined && <Problem error={error} />}
      <div className="grid gap-2 sm:grid-cols-2">
        {session && (
          <Button busy={isSigningOut ? text('wallet.profile.signingOut') : undefined} onClick={() => void leave()}>
            {text('wallet.profile.signOut')}
          </Button>
        )}
        <Button onClick={() => void disconnectWallet(config)}>{text('wallet.profile.disconnect')}</Button>
        <ChangeAccount connector={connector} onError={setError} />
      </div>
    </div>
  )
}

/** The Demo wallet has no window of its own in which to choose another account. */
export function ChangeAccount({ connector, onError }: { connector: Connector; onError: (error: unknown) => void }) {
  if (connector.id !== 'demo') return null
  return (
    <Button
      onClick={() => {
        withProvider(connector, (provider) =>
          provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] }),
        ).catch((error: { code?: unknown }) => {
          if (error.code !== 'WALLET_REJECTED') onError(error)
        })
      }}
    >
      {text('wallet.profile.changeAccount')}
    </Button>
  )
}
