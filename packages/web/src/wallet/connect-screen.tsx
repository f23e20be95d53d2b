import { useEffect, useRef, useState } from 'react'
import { type TextKey, text } from '../text/text.ts'
import { Address } from '../ui/address.tsx'
import { Button } from '../ui/button.tsx'
import { Loading } from '../ui/loading.tsx'
import { Notice } from '../ui/notice.tsx'
import { Problem } from '../ui/problem.tsx'
import { Tag } from '../ui/tag.tsx'
import { connectWallet, loadConnector, useWallets } from './connectors.ts'
import { useAccountState, useSession } from './session.ts'
import { toWalletError } from './wallet-errors.ts'
import type { Wallet } from './wallets.ts'

type Attempt =
  | { status: 'opening' | 'waiting' | 'not-installed'; wallet: Wallet }
  | { status: 'failed'; wallet: Wallet; error: ReturnType<typeof toWalletError> }

const groups: { group: Wallet['group']; title: TextKey }[] = [
  { group: 'installed', title: 'wallet.connect.installed' },
  { group: 'demo', title: 'wallet.connect.demo' },
  { group: 'other', title: 'wallet.connect.other' },
]

export function ConnectScreen() {
  const { wallets, lastWalletId, config } = useWallets()
  const [attempt, setAttempt] = useState<Attempt>()
  const latest = useRef(0)
  useEffect(() => () => void latest.current++, [])

  const pick = async (wallet: Wallet) => {
    const id = ++latest.current
    const show = (next: Attempt) => {
      if (latest.current === id) setAttempt(next)
    }
    if (!wallet.isInstalled) return show({ status: 'not-installed', wallet })
    show({ status: 'opening', wallet })
    try {
      const connector = await loadConnector(config, wallet)
      if (latest.current !== id) return
      show({ status: 'waiting', wallet })
      await connectWallet(config, connector)
    } catch (error) {
      show({ status: 'failed', wallet, error: toWalletError(error, wallet.name) })
    }
  }
  const goBack = () => {
    latest.current++
    setAttempt(undefined)
  }

  if (attempt) return <AttemptView attempt={attempt} onRetry={() => void pick(attempt.wallet)} onBack={goBack} />
  return (
    <div className="grid gap-6">
      <SessionWithoutWallet />
      <p className="text-ink-soft">{text('wallet.connect.about')}</p>
      {groups.map(({ group, title }) => {
        const members = wallets.filter((wallet) => wallet.group === group)
        if (members.length === 0) return null
        return (
          <section key={group} aria-label={text(title)}>
            <h3 className="label mb-1">{text(title)}</h3>
            <ul className="border-t border-rule">
              {members.map((wallet) => (
                <li key={wallet.id} className="border-b border-rule">
                  <button
                    type="button"
                    data-wallet={wallet.id}
                    onClick={() => void pick(wallet)}
                    className="flex min-h-14 w-full items-center gap-3 py-2.5 text-left hover:bg-accent-wash"
                  >
                    <WalletIcon wallet={wallet} />
                    <span className="min-w-0 flex-1">
                      <span className="block font-semibold wrap-anywhere">{wallet.name}</span>
                      {group === 'demo' && (
                        <span className="block text-small text-ink-soft">{text('wallet.connect.demo.about')}</span>
                      )}
                    </span>
                    {wallet.id === lastWalletId && <Tag>{text('wallet.connect.recent')}</Tag>}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

/** Pictures come from announcements: only data: ones are shown, so that no announcement can call elsewhere. */
function WalletIcon({ wallet }: { wallet: Wallet }) {
  if (wallet.icon?.startsWith('data:image/')) return <img src={wallet.icon} alt="" className="size-8 rounded-control" />
  return (
    <span aria-hidden className="grid size-8 place-items-center rounded-control bg-accent font-semibold text-on-accent">
      {wallet.name.slice(0, 1)}
    </span>
  )
}

function AttemptView({ attempt, onRetry, onBack }: { attempt: Attempt; onRetry: () => void; onBack: () => void }) {
  const wallet = attempt.wallet.name
  const back = (
    <Button variant="quiet" onClick={onBack}>
      {text('wallet.connect.back')}
    </Button>
  )
  const retryAndBack = (
    <>
      <Button onClick={onRetry}>{text('problem.retry')}</Button>
      {back}
    </>
  )
  switch (attempt.status) {
    case 'opening':
      return <Loading label={text('wallet.connect.opening', { wallet })} />
    case 'waiting':
      return (
        <div className="grid justify-items-start gap-3">
          <Loading label={text('wallet.connect.waiting', { wallet })} />
          <p className="text-ink-soft">{text('wallet.connect.waiting.hint')}</p>
          {back}
        </div>
      )
    case 'not-installed':
      return (
        <Notice isAnnounced title={text('wallet.notInstalled', { wallet })} actions={back}>
          {text('wallet.notInstalled.sentence')}
        </Notice>
      )
    case 'failed':
      switch (attempt.error.code) {
        case 'WALLET_REJECTED':
          return (
            <Notice isAnnounced title={text('wallet.connect.rejected')} actions={retryAndBack}>
              {text('wallet.connect.rejected.sentence', { wallet })}
            </Notice>
          )
        case 'WALLET_BUSY':
          return (
            <Notice isAnnounced title={text('wallet.connect.busy', { wallet })} actions={retryAndBack}>
              {text('wallet.connect.busy.sentence')}
            </Notice>
          )
        default:
          return (
            <div className="grid gap-3">
              <p className="font-semibold">{text('wallet.oops')}</p>
              <Problem error={attempt.error} onRetry={onRetry} actions={back} />
            </div>
          )
      }
  }
}

function SessionWithoutWallet() {
  const state = useAccountState()
  const { signOut } = useSession()
  if (state.status !== 'session-without-wallet') return null
  return (
    <Notice
      title={text('wallet.connect.sessionOnly')}
      hint={text('wallet.connect.sessionOnly.hint')}
      actions={<Button onClick={() => void signOut()}>{text('wallet.profile.signOut')}</Button>}
    >
      <Address address={state.session.address} />
    </Notice>
  )
}
