import { type ReactNode, useEffect, useState } from 'react'
import type { TextKey } from '../../text/text.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Tag } from '../../ui/tag.tsx'
import { arrange, type Claimants, cutToShown } from '../connectors/arrange.ts'
import { useWallets } from '../connectors/connectors.ts'
import { type WalletWarning, walletWarnings } from '../connectors/wallet-warnings.ts'
import type { Wallet } from '../connectors/wallets.ts'
import { useAccountState } from '../session/session.ts'
import { text } from '../text.ts'
import { AttemptView } from './attempt-view.tsx'
import { useConnectFlow } from './connect-flow.ts'
import { showScreen } from './dialog-state.ts'
import { ConnectionEndedNotice } from './ended-notices.tsx'
import { prefetchNext } from './prefetch-next.ts'
import { SignOutButton } from './sign-out-button.tsx'
import { WalletIcon } from './wallet-icon.tsx'
import { WarningLine } from './warning-line.tsx'

const groups: { group: Wallet['group']; title: TextKey }[] = [
  { group: 'installed', title: 'wallet.connect.installed' },
  { group: 'demo', title: 'wallet.connect.demo' },
  { group: 'other', title: 'wallet.connect.other' },
]

export function ConnectScreen() {
  const { wallets, lastWalletId } = useWallets()
  const { flow, attempt } = useConnectFlow()
  useEffect(() => {
    // A file that fails now is fetched again when it is needed.
    prefetchNext().catch(() => {})
  }, [])
  // A wallet that was not installed may have announced itself since.
  const isHereNow = attempt?.status === 'missing' && wallets.some((wallet) => isReadyNow(wallet, attempt.wallet))

  const warnings = walletWarnings(wallets)
  if (attempt && !isHereNow)
    return <AttemptView attempt={attempt} warning={warnings.get(attempt.wallet.id)} flow={flow} wallets={wallets} />
  return (
    <div className="grid gap-6">
      <ConnectionEndedNotice />
      <SessionWithoutWallet />
      <p className="text-ink-soft">{text('wallet.connect.about')}</p>
      {groups.map(({ group, title }) => (
        <WalletGroup
          key={group}
          title={text(title)}
          members={wallets.filter((wallet) => wallet.group === group)}
          warnings={warnings}
          recentId={lastWalletId}
          onPick={(wallet) => void flow.pick(wallet)}
        />
      ))}
      <p className="flex flex-wrap items-center gap-x-3 text-small text-ink-soft">
        {text('wallet.connect.none')}
        <Button variant="quiet" isCompact onClick={() => showScreen('get')}>
          {text('wallet.get.title')}
        </Button>
      </p>
    </div>
  )
}

function WalletGroup({
  title,
  members,
  warnings,
  recentId,
  onPick,
}: {
  title: string
  members: Wallet[]
  warnings: Map<string, WalletWarning>
  recentId: string | null
  onPick: (wallet: Wallet) => void
}) {
  const [isWhole, setIsWhole] = useState(false)
  if (members.length === 0) return null
  const arranged = arrange(members, warnings, recentId)
  const { rows, contested, hidden } = isWhole ? { ...arranged, hidden: 0 } : cutToShown(arranged)
  const entryOf = (wallet: Wallet, place?: string) => (
    <li key={wallet.id} className="border-b border-rule">
      <WalletEntry
        wallet={wallet}
        place={place}
        warning={place === undefined ? warnings.get(wallet.id) : undefined}
        // The id of a program among several under one name depends on the order in which they came.
        isRecent={place === undefined && wallet.id === recentId}
        onPick={() => onPick(wallet)}
      />
    </li>
  )
  return (
    <section aria-label={title}>
      <h3 className="label mb-1">{title}</h3>
      <ul className="border-t border-rule">
        {rows.map((wallet) => entryOf(wallet))}
        {contested.map((claimants) => (
          <ContestedEntry key={claimants[0].rdns} claimants={claimants} entryOf={entryOf} />
        ))}
      </ul>
      {hidden > 0 && (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 text-small text-ink-soft">
          {text('wallet.connect.hidden')}
          <Button variant="quiet" isCompact onClick={() => setIsWhole(true)}>
            {text('wallet.connect.more', { count: hidden })}
          </Button>
        </p>
      )}
    </section>
  )
}

/** Shows all programs that claim to be one wallet in one row that opens. It cannot tell the genuine one from the others. */
function ContestedEntry({
  claimants,
  entryOf,
}: {
  claimants: Claimants
  entryOf: (wallet: Wallet, place: string) => ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  const [{ name, rdns = '', claimants: count = claimants.length }] = claimants
  return (
    <>
      <li className="flex items-center gap-3 border-b border-rule px-1 py-2.5" data-contested={rdns}>
        <WalletIcon isFaint />
        <span className="min-w-0 flex-1">
          <span className="block font-semibold wrap-anywhere">{name}</span>
          <WarningLine warning={{ kind: 'contested', rdns, count }} />
          <Button variant="quiet" isCompact aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {text('wallet.connect.contested.show', { count })}
          </Button>
        </span>
      </li>
      {isOpen &&
        claimants.map((wallet, index) =>
          entryOf(wallet, text('wallet.connect.contested.one', { number: index + 1, count })),
        )}
    </>
  )
}

function isReadyNow(listed: Wallet, missing: Wallet): boolean {
  return (
    listed.presence === 'ready' &&
    (listed.id === missing.id || (missing.rdns !== undefined && listed.rdns === missing.rdns))
  )
}

function WalletEntry({
  wallet,
  place,
  warning,
  isRecent,
  onPick,
}: {
  wallet: Wallet
  /** Which of several programs under one name it is. */
  place: string | undefined
  warning: WalletWarning | undefined
  isRecent: boolean
  onPick: () => void
}) {
  return (
    <button
      type="button"
      data-wallet={wallet.id}
      data-presence={wallet.presence}
      onClick={onPick}
      className="flex min-h-14 w-full items-center gap-3 px-1 py-2.5 text-left hover:bg-accent-wash"
    >
      <WalletIcon icon={wallet.icon} isFaint={wallet.presence !== 'ready'} />
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
        {place !== undefined && <span className="block text-small text-ink-soft">{place}</span>}
        {warning && <WarningLine warning={warning} />}
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
