import { useChain } from '../../api/configuration.ts'
import { text } from '../../text/text.ts'
import { Avatar } from '../../ui/avatar/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { useConnection } from '../connectors/connection.ts'
import { useAccountState } from '../session/session.ts'
import { openWalletDialog } from './dialog-state.ts'

/** Opens the wallet dialog, and says where the person stands. */
export function ConnectButton() {
  const { status: connectionStatus } = useConnection()
  const state = useAccountState()
  const chain = useChain('chainId' in state ? state.chainId : 0)

  if (connectionStatus === 'reconnecting')
    return (
      <Button isCompact busy={text('wallet.button.reconnecting')}>
        {text('wallet.button.connect')}
      </Button>
    )
  if ('chainId' in state && !chain)
    return (
      <Button isCompact variant="danger" onClick={openWalletDialog}>
        {text('wallet.button.wrongNetwork')}
      </Button>
    )
  switch (state.status) {
    case 'verified':
    case 'session-without-wallet':
      return (
        <Button
          isCompact
          onClick={openWalletDialog}
          aria-label={text('wallet.button.profile', { account: state.session.address })}
        >
          <Avatar address={state.session.address} size={20} />
          {state.status === 'verified' ? (
            // On a phone the name of the Safe needs the room.
            <span className="max-[30rem]:hidden">
              <span className="figures hidden text-small whitespace-nowrap @min-[12rem]/head:inline">
                {state.account.slice(0, 6)}…{state.account.slice(-4)}
              </span>
            </span>
          ) : (
            text('wallet.button.connect')
          )}
        </Button>
      )
    case 'wrong-account':
      return (
        <Button isCompact onClick={openWalletDialog}>
          {text('wallet.button.wrongAccount')}
        </Button>
      )
    case 'connected-unverified':
      return (
        <Button isCompact variant="primary" onClick={openWalletDialog}>
          {text('wallet.button.verify')}
        </Button>
      )
    default:
      return (
        <Button isCompact variant="primary" onClick={openWalletDialog}>
          {/* A wallet that is there waits to be told who is signed in. */}
          {connectionStatus === 'disconnected' ? text('wallet.button.connect') : text('wallet.button.connecting')}
        </Button>
      )
  }
}
