import type { Chain } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { useEffect, useRef, useState } from 'react'
import { useChains } from '../../api/configuration.ts'
import { BackButton } from '../../ui/back-button.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Tag } from '../../ui/tag.tsx'
import { disconnectWallet, useConnection } from '../connectors/connection.ts'
import { isSafeWallet } from '../safe/frame.ts'
import { useSigner } from '../session/signer.ts'
import { text } from '../text.ts'
import { showScreen, useWalletDialog } from './dialog-state.ts'

type Switching = { chain: Chain } & ({ status: 'waiting' } | { status: 'failed'; error: unknown })

/** The chains that are configured here, the wallet's own marked. A chain that the wallet lacks is added to it. */
export function NetworkScreen() {
  const { connector, chainId } = useConnection()
  const chains = useChains()
  const { wanted } = useWalletDialog()
  const { switching, switchTo, leave } = useSwitching()
  const wallet = connector?.name ?? ''
  const isWrong = !chains.some((chain) => chain.chainId === chainId)

  return (
    <div className="grid gap-5">
      {isWrong ? (
        <Notice tone="warning" isAnnounced title={text('wallet.network.sentence')}>
          {text('wallet.network.cause', { wallet, chainId: chainId ?? 0 })}
        </Notice>
      ) : (
        <p className="text-ink-soft">{text('wallet.network.about', { wallet })}</p>
      )}
      {switching?.status === 'failed' && <SwitchProblem switching={switching} wallet={wallet} onRetry={switchTo} />}
      <ul className="border-t border-rule">
        {chains.map((chain) => {
          const isCurrent = chain.chainId === chainId
          const isSwitching = switching?.status === 'waiting' && switching.chain.chainId === chain.chainId
          return (
            <li
              key={chain.chainId}
              aria-current={isCurrent || undefined}
              data-chain={chain.chainId}
              className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-rule px-1 py-2"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-semibold wrap-anywhere">{chain.name}</span>
                <span className="figures block text-small text-ink-faint">
                  {text('wallet.network.chainId', { chainId: chain.chainId })}
                </span>
              </span>
              {isCurrent ? (
                <Tag tone="good">{text('wallet.network.current')}</Tag>
              ) : (
                <Button
                  isCompact
                  aria-label={text('wallet.network.switch', { chain: chain.name })}
                  disabled={switching?.status === 'waiting' && !isSwitching}
                  busy={isSwitching ? text('wallet.network.switching') : undefined}
                  onClick={() => switchTo(chain)}
                >
                  {text('wallet.network.switchShort')}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {switching?.status === 'waiting' && (
        <div>
          <Loading label={text('wallet.connect.waiting', { wallet })} />
          <p className="mb-2 text-ink-soft">{text('wallet.network.waiting.hint', { wallet })}</p>
          <Button isCompact onClick={leave}>
            {text('wallet.network.leave')}
          </Button>
        </div>
      )}
      {!isWrong && wanted === 'network' && (
        <BackButton onClick={() => showScreen()}>{text('wallet.network.back')}</BackButton>
      )}
      {isWrong && (
        <Button isWide onClick={() => disconnectWallet()}>
          {text('wallet.profile.disconnect')}
        </Button>
      )}
    </div>
  )
}

/** One switch at a time. One that was left may still be answered in the wallet; then the chain is simply another. */
function useSwitching() {
  const signer = useSigner()
  const [switching, setSwitching] = useState<Switching>()
  const latest = useRef(0)
  useEffect(() => () => void latest.current++, [])

  const switchTo = (chain: Chain) => {
    const id = ++latest.current
    const show = (next: Switching | undefined) => {
      if (latest.current === id) setSwitching(next)
    }
    show({ chain, status: 'waiting' })
    signer?.switchChain(chain.chainId).then(
      () => {
        if (latest.current === id) showScreen()
      },
      (error: unknown) => show({ chain, status: 'failed', error }),
    )
  }
  const leave = () => {
    latest.current++
    setSwitching(undefined)
  }
  return { switching, switchTo, leave }
}

function SwitchProblem({
  switching: { chain, error },
  wallet,
  onRetry,
}: {
  switching: Extract<Switching, { status: 'failed' }>
  wallet: string
  onRetry: (chain: Chain) => void
}) {
  const { connector } = useConnection()
  const code = error instanceof CountersignError ? error.code : undefined
  const retry = <Button onClick={() => onRetry(chain)}>{text('problem.retry')}</Button>
  switch (code) {
    case 'WALLET_REJECTED':
      return (
        <Notice isAnnounced title={text('wallet.connect.rejected')} actions={retry}>
          {text('wallet.network.rejected', { wallet, chain: chain.name })}
        </Notice>
      )
    case 'WALLET_BUSY':
      return (
        <Notice isAnnounced title={text('wallet.connect.busy', { wallet })} actions={retry}>
          {text('wallet.connect.busy.sentence')}
        </Notice>
      )
    case 'CHAIN_SWITCH_UNSUPPORTED':
      return isSafeWallet(connector?.id) ? (
        <Notice tone="warning" isAnnounced title={text('wallet.network.unsupported', { wallet })}>
          {text('wallet.safe.cannotSwitch')}
        </Notice>
      ) : (
        <Notice tone="warning" isAnnounced title={text('wallet.network.unsupported', { wallet })}>
          {text('wallet.network.unsupported.sentence', { wallet, chain: chain.name })}
        </Notice>
      )
    case 'CHAIN_NOT_IN_WALLET':
      return (
        <>
          <Notice
            tone="warning"
            isAnnounced
            title={text('wallet.network.unknown', { wallet, chain: chain.name })}
            actions={retry}
          >
            {text('wallet.network.unknown.sentence')}
          </Notice>
          <ManualChainValues chain={chain} />
        </>
      )
    default:
      return <Problem error={error} title={text('wallet.oops')} onRetry={() => onRetry(chain)} />
  }
}

/**
 * Shows the values that a person types into a wallet to add the chain. The operator's own RPC URL is left out: it may
 * hold a key.
 */
function ManualChainValues({ chain }: { chain: Chain }) {
  const { name, chainId, nativeCurrency, publicRpcUrl, explorerUrl } = chain
  const values = [
    ['wallet.network.field.name', name],
    ['wallet.network.field.chainId', String(chainId)],
    ['wallet.network.field.symbol', nativeCurrency.symbol],
    ['wallet.network.field.rpcUrl', publicRpcUrl],
    ['wallet.network.field.explorer', explorerUrl],
  ] as const
  return (
    <Facts>
      {values.map(([key, value]) =>
        value === null && key !== 'wallet.network.field.rpcUrl' ? null : (
          <Fact key={key} label={text(key)}>
            {value === null ? (
              text('wallet.network.field.rpcUrl.own')
            ) : (
              <span className="inline-flex flex-wrap items-baseline gap-x-2">
                <span className="figures text-small">{value}</span>
                <CopyButton value={value} label={text('wallet.network.copy', { name: text(key) })} />
              </span>
            )}
          </Fact>
        ),
      )}
    </Facts>
  )
}
