import { type TextKey, text } from '../text/text.ts'
import { Address } from '../ui/address.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Tag } from '../ui/tag.tsx'
import { AttemptView } from './attempt-view.tsx'
import { useConnectFlow } from './connect-flow.ts'
import { useWallets } from './connectors.ts'
import { showScreen } from './dialog-state.ts'
import { useAccountState } from './session.ts'
import { SignOutButton } from './sign-out-button.tsx'
import { WalletIcon } from './wallet-icon.tsx'
import type { Wallet } from './wallets.ts'

const groups: { group: Wallet['group']; title: TextKey }[] = [
  { group: 'installed', title: 'wallet.connect.installed' },
  { group: 'demo', title: 'wallet.connect.demo' },
  { group: 'other', title: 'wallet.connect.other' },
]

export function ConnectScreen() {
  const { wallets, lastWalletId } = useWallets()
  const { flow, attempt } = useConnectFlow()
  // What was not installed may have announced itself since.
  const isHereNow = attempt?.status === 'missing' && wallets.some((one) => isReadyNow(one, attempt.wallet))

  if (attempt && !isHereNow) return <AttemptView attempt={attempt} flow={flow} wallets={wallets} />
  return (
    <div className="grid gap-6">
      <SessionWithoutWallet />
      <p className="text-ink-soft">{text('wallet.connect.about')}</p>
      {groups.map(({ group, title }) => {
        const members = wallets.filter((wallet) => wallet.group === group).sort(readyFirst)
        if (members.length === 0) return null
        return (
          <section key={group} aria-label={text(title)}>
            <h3 className="label mb-1">{text(title)}</h3>
            <ul className="border-t border-rule">
              {members.map((wallet) => (
                <li key={wallet.id} className="border-b border-rule">
                  <WalletEntry
                    wallet={wallet}
                    isRecent={wallet.id === lastWalletId}
                    onPick={() => void flow.pick(wallet)}
                  />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      <p className="flex flex-wrap items-center gap-x-3 text-small text-ink-soft">
        {text('wallet.connect.none')}
        <Button variant="quiet" isCompact onClick={() => showScreen('get')}>
          {text('wallet.get.title')}
        </Button>
      </p>
    </div>
  )
}

/** What leads nowhere here comes last; otherwise the order stays. */
function readyFirst(one: Wallet, other: Wallet): number {
  return Number(one.presence !== 'ready') - Number(other.presence !== 'ready')
}

function isReadyNow(listed: Wallet, missing: Wallet): boolean {
  return (
    listed.presence === 'ready' &&
    (listed.id === missing.id || (missing.rdns !== undefined && listed.rdns === missing.rdns))
  )
}

function WalletEntry({ wallet, isRecent, onPick }: { wallet: Wallet; isRecent: boolean; onPick: () => void }) {
  return (
    <button
      type="button"
      data-wallet={wallet.id}
      data-presence={wallet.presence}
      onClick={onPick}
      className="flex min-h-14 w-full items-center gap-3 px-1 py-2.5 text-left hover:bg-accent-wash"
    >
      <WalletIcon name={wallet.name} icon={wallet.icon} isFaint={wallet.presence !== 'ready'} />
      <span className="min-w-0 flex-1">
        <span className="block font-semibold wrap-anywhere">{wallet.name}</span>
        {wallet.group === 'demo' && (
          <span className="block text-small text-ink-soft">{text('wallet.connect.demo.about')}</span>
        )}
        {wallet.presence === 'ready' && wallet.waiting && (
          <span className="block text-small text-ink-soft">{text(wallet.waiting.title)}</span>
        )}
        {wallet.presence === 'not-installed' && (
          <span className="block text-small text-ink-faint">{text('wallet.connect.notInstalled')}</span>
        )}
        {wallet.presence === 'not-available' && (
          <span className="block text-small text-ink-faint">
            {text('wallet.notAvailable', { wallet: wallet.name })}
          </span>
        )}
        {wallet.warning && (
          <span className="block text-small text-warning wrap-anywhere">
            {text(`wallet.connect.warning.${wallet.warning.kind}`, { rdns: wallet.warning.rdns })}
          </span>
        )}
      </span>
      {isRecent && <Tag>{text('wallet.connect.recent')}</Tag>}
    </button>
  )
}

function SessionWithoutWallet() {
  const state = useAccountState()
  if (state.status !== 'session-without-wallet') return null
  return (
    <Notice
      title={text('wallet.connect.sessionOnly')}
      hint={text('wallet.connect.sessionOnly.hint')}
      actions={<SignOutButton />}
    >
      <Address address={state.session.address} />
    </Notice>
  )
}
