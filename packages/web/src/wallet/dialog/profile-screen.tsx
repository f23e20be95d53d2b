import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hexToBigInt, isHex } from 'viem'
import { chainRequest } from '../../api/chain-client.ts'
import { useChain } from '../../api/configuration.ts'
import { Address } from '../../ui/address.tsx'
import { ShortAmount } from '../../ui/amount/amount.tsx'
import { Avatar } from '../../ui/avatar/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Time } from '../../ui/text/time.tsx'
import { TextAnchor } from '../../ui/text-link.tsx'
import { disconnectWallet, useConnection } from '../connectors/connection.ts'
import type { Connector } from '../connectors/connector.ts'
import type { Sender } from '../session/sent-transactions.ts'
import { useSession } from '../session/session.ts'
import { withProvider } from '../session/signer.ts'
import { text } from '../text.ts'
import { showScreen } from './dialog-state.ts'
import { RecentTransactions } from './recent-transactions.tsx'
import { SessionList } from './session-list.tsx'
import { SignOutButton } from './sign-out-button.tsx'

const BALANCE_MS = 15_000

/** The account: what it has, what it sent from here, and the ways out. */
export function ProfileScreen() {
  const { address, connector, chainId } = useConnection()
  const chain = useChain(chainId ?? 0)
  const { session, error: sessionError, retry } = useSession()
  const [error, setError] = useState<unknown>()
  if (sessionError) return <Problem error={sessionError} onRetry={retry} />
  if (!address || !connector || !chainId || !session) return <Loading label={text('wallet.require.loading')} />

  const sender = { chainId, account: address }
  return (
    <div className="grid gap-6">
      <div className="flex items-start gap-4">
        <Avatar address={address} size={44} />
        <div className="grid min-w-0 gap-1">
          <Address address={address} hasAvatar={false} />
          {chain?.explorerUrl && (
            <ExternalLink href={`${chain.explorerUrl}/address/${address}`}>
              {text('wallet.profile.explorer')}
            </ExternalLink>
          )}
        </div>
      </div>
      <Facts>
        <Fact label={text('wallet.profile.balance')}>
          <Balance sender={sender} />
        </Fact>
        <Fact label={text('wallet.profile.network')}>
          <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            {chain?.name}
            <Button isCompact onClick={() => showScreen('network')}>
              {text('wallet.network.title')}
            </Button>
          </span>
        </Fact>
        <Fact label={text('wallet.profile.wallet')}>{connector.name}</Fact>
        <Fact label={text('wallet.profile.signedIn')}>
          <Time value={session.expiresAt} />
        </Fact>
      </Facts>
      {error !== undefined && <Problem error={error} />}
      <div className="grid gap-2 sm:grid-cols-2">
        <SignOutButton />
        <Button onClick={() => disconnectWallet()}>{text('wallet.profile.disconnect')}</Button>
        <ChangeAccount connector={connector} onError={setError} />
      </div>
      <RecentTransactions key={`${chainId} ${address}`} sender={sender} />
      <SessionList />
      <p>
        {/* The dialog stands outside the router. */}
        <TextAnchor href="/tokens" look="action">
          {text('wallet.profile.tokens')}
        </TextAnchor>
      </p>
    </div>
  )
}

/** Shows the account's balance of the chain's own coin, as the node says. */
function Balance({ sender: { chainId, account } }: { sender: Sender }) {
  const chain = useChain(chainId)
  const { data, isError, refetch, isFetching } = useQuery({
    queryKey: ['native-balance', chainId, account],
    queryFn: async () => {
      const answer = await chainRequest(chainId)({ method: 'eth_getBalance', params: [account, 'latest'] })
      return isHex(answer) ? hexToBigInt(answer).toString() : null
    },
    refetchInterval: BALANCE_MS,
  })
  if (!chain) return null
  if (data != null) return <ShortAmount value={BigInt(data)} {...chain.nativeCurrency} />
  if (!isError && data === undefined)
    return <span className="text-ink-soft">{text('wallet.profile.balance.reading')}</span>
  return (
    <span className="flex flex-wrap items-center justify-between gap-2 text-warning">
      {text('wallet.profile.balance.unreadable')}
      <Button
        isCompact
        busy={isFetching ? text('wallet.profile.balance.reading') : undefined}
        onClick={() => void refetch()}
      >
        {text('problem.retry')}
      </Button>
    </span>
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
