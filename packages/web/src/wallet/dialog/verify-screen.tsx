import { CountersignError } from '@countersign/safe'
import { useState } from 'react'
import type { Hex } from 'viem'
import { useChain } from '../../api/configuration.ts'
import type { TextKey } from '../../text/text.ts'
import { Address } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Problem } from '../../ui/problem.tsx'
import { disconnectWallet, useConnection } from '../connectors/connection.ts'
import type { Connector } from '../connectors/connector.ts'
import { CollectingView } from '../safe/collecting-view.tsx'
import { isFramed, LINKED_SAFE_ID } from '../safe/frame.ts'
import { canKeepCookies, FrameWithoutCookies } from '../safe/frame-without-cookies.tsx'
import { LinkedCollectingView } from '../safe/linked-collecting-view.tsx'
import { useSession } from '../session/session.ts'
import type { SignInStage, SignInState } from '../session/sign-in-machine.ts'
import { useSignIn } from '../session/use-sign-in.ts'
import { text } from '../text.ts'
import { SessionEndedNotice } from './ended-notices.tsx'
import { ChangeAccount } from './profile-screen.tsx'
import { SignOutButton } from './sign-out-button.tsx'

const stages = ['preparing', 'waiting', 'verifying'] as const satisfies SignInStage[]
const stageErrors = {
  preparing: 'wallet.verify.error.preparing',
  waiting: 'wallet.verify.error.waiting',
  verifying: 'wallet.verify.error.verifying',
} as const satisfies Record<SignInStage, TextKey>

export function VerifyScreen() {
  const { address, chainId, connector } = useConnection()
  if (!address || !chainId || !connector) return null
  // Another account, chain or wallet is another attempt: the key makes React drop the old one.
  return (
    <Verification
      key={`${connector.id} ${address} ${chainId}`}
      connector={connector}
      account={address}
      chainId={chainId}
    />
  )
}

function Verification({ connector, account, chainId }: { connector: Connector; account: Hex; chainId: number }) {
  const { ended } = useSession()
  const { flow, state } = useSignIn(connector, account, chainId)
  const [error, setError] = useState<unknown>()
  const [isInVain] = useState(() => isFramed() && !canKeepCookies())
  const isLinked = connector.id === LINKED_SAFE_ID
  const message = 'prepared' in state ? state.prepared.message : undefined

  return (
    <div className="grid gap-5">
      {ended && <SessionEndedNotice end={ended.end} />}
      <OtherSession account={account} />
      <div>
        {/* The wait says it once more, and what to do. */}
        {!(isLinked && state.status === 'collecting') && (
          <p className="mb-3 text-ink-soft">{text(isLinked ? 'wallet.link.what' : 'wallet.verify.about')}</p>
        )}
        <Address address={account} />
      </div>
      {isInVain && <FrameWithoutCookies />}
      <Stages state={state} />
      {state.status === 'collecting' &&
        (isLinked ? <LinkedCollectingView {...state} {...state.target} /> : <CollectingView {...state} />)}
      <div aria-live="polite" className="empty:hidden">
        <WalletAnswer connector={connector} state={state} />
      </div>
      {state.status === 'failed' && <Failure state={state} onRetry={flow.retry} />}
      {message !== undefined && (
        <details className="border-y border-rule">
          <summary className="min-h-11 py-2.5 text-small font-semibold">{text('wallet.verify.message')}</summary>
          <pre className="figures pb-3 text-small whitespace-pre-wrap wrap-anywhere" data-sign-in-message>
            {message}
          </pre>
        </details>
      )}
      {error !== undefined && <Problem error={error} />}
      <div className="grid gap-2">
        <SignInButtons flow={flow} state={state} isLinked={isLinked} isInVain={isInVain} />
        <ChangeAccount connector={connector} onError={setError} />
        <Button variant="quiet" isWide onClick={() => disconnectWallet()}>
          {text('wallet.profile.disconnect')}
        </Button>
      </div>
    </div>
  )
}

/** Says that the wallet is asked, or why it did not sign. */
function WalletAnswer({ connector: { name: wallet, asksIn }, state }: { connector: Connector; state: SignInState }) {
  if (state.status === 'waiting')
    return <p className="text-ink-soft">{text(`wallet.connect.waiting.${asksIn}`, { wallet })}</p>
  if (state.status !== 'ready' || !state.turnedDown) return null
  return state.turnedDown === 'busy' ? (
    <Notice title={text('wallet.connect.busy', { wallet })}>{text('wallet.connect.busy.sentence')}</Notice>
  ) : (
    <Notice title={text('wallet.verify.rejected')}>{text('wallet.verify.rejected.sentence', { wallet })}</Notice>
  )
}

/** Signs, or starts over while the wallet or the owners of a Safe have not answered. A failure has its own button. */
function SignInButtons({
  flow,
  state,
  isLinked,
  isInVain,
}: Pick<ReturnType<typeof useSignIn>, 'flow' | 'state'> & {
  isLinked: boolean
  /** Whether the browser would not keep the session. */
  isInVain: boolean
}) {
  if (state.status === 'failed') return null
  if (state.status === 'collecting')
    return (
      <Button isWide onClick={flow.startOver}>
        {text('wallet.verify.collecting.cancel')}
      </Button>
    )
  return (
    <>
      {!isInVain && (
        <Button variant="primary" isWide busy={busyText(state)} onClick={flow.sign}>
          {text(isLinked ? 'wallet.link.ask' : 'wallet.verify.sign')}
        </Button>
      )}
      {state.status === 'waiting' && (
        <Button isWide onClick={flow.startOver}>
          {text('wallet.verify.startOver')}
        </Button>
      )}
    </>
  )
}

/** Somebody is signed in already: with another account than the wallet's, or with this contract on another chain. */
function OtherSession({ account }: { account: Hex }) {
  const { session } = useSession()
  const chain = useChain(session?.chainId ?? 0)
  if (!session) return null
  if (session.address === account)
    return (
      <Notice
        title={text('wallet.verify.otherChain', { chain: chain?.name ?? String(session.chainId) })}
        actions={<SignOutButton />}
      >
        {text('wallet.verify.otherChain.sentence')}
      </Notice>
    )
  return (
    <Notice
      tone="warning"
      title={text('wallet.banner.wrongAccount')}
      hint={text('wallet.banner.wrongAccount.hint')}
      actions={<SignOutButton />}
    >
      <p className="text-small text-ink-soft">{text('wallet.banner.wrongAccount.session')}</p>
      <Address address={session.address} />
    </Notice>
  )
}

function busyText({ status }: SignInState): string | undefined {
  switch (status) {
    case 'idle':
    case 'preparing':
      return text('wallet.verify.stage.preparing.now')
    case 'waiting':
      return text('wallet.verify.stage.waiting.now')
    case 'verifying':
    case 'signed-in':
      return text('wallet.verify.stage.verifying.now')
    default:
      return undefined
  }
}

type StageStatus = 'next' | 'now' | 'done' | 'failed'

/** Where each stage stands. While the wallet has not been asked, nothing waits for a signature. */
function stageStatuses(state: SignInState): Record<SignInStage, StageStatus> {
  switch (state.status) {
    case 'idle':
    case 'preparing':
      return { preparing: 'now', waiting: 'next', verifying: 'next' }
    case 'ready':
      return { preparing: 'done', waiting: 'next', verifying: 'next' }
    case 'waiting':
    case 'collecting':
      return { preparing: 'done', waiting: 'now', verifying: 'next' }
    case 'verifying':
      return { preparing: 'done', waiting: 'done', verifying: 'now' }
    case 'signed-in':
      return { preparing: 'done', waiting: 'done', verifying: 'done' }
    case 'failed': {
      const at = stages.indexOf(state.stage)
      const statusOf = (index: number) => (index < at ? 'done' : index === at ? 'failed' : 'next')
      return { preparing: statusOf(0), waiting: statusOf(1), verifying: statusOf(2) }
    }
  }
}

const looks = {
  next: 'text-ink-faint',
  now: 'font-semibold',
  done: 'text-ink-soft',
  failed: 'font-semibold text-danger',
} satisfies Record<StageStatus, string>

function Stages({ state }: { state: SignInState }) {
  const statuses = stageStatuses(state)
  const current = stages.find((stage) => statuses[stage] !== 'done')
  return (
    <ol data-sign-in-stage={state.status} className="border-t border-rule">
      {stages.map((stage, index) => {
        const status = statuses[stage]
        return (
          <li
            key={stage}
            aria-current={stage === current ? 'step' : undefined}
            className={`flex items-center gap-3 border-b border-rule py-2 text-small ${looks[status]}`}
          >
            <span aria-hidden className="figures w-4 text-center">
              {status === 'done' ? <Mark kind="tick" /> : status === 'failed' ? <Mark kind="cross" /> : index + 1}
            </span>
            <span className="flex-1">{text(`wallet.verify.stage.${stage}.${status}`)}</span>
            {status === 'now' && <span aria-hidden className="breathing size-2 rounded-full bg-accent" />}
          </li>
        )
      })}
    </ol>
  )
}

/** Only the chain could have told, and its node did not. */
const nodeAway = new Set(['SIWE_SIGNATURE_NOT_CHECKED', 'CHAIN_UNREACHABLE', 'CHAIN_ID_MISMATCH'])

/** The stage's message, with the cause and what to do about it. */
function Failure({ state, onRetry }: { state: Extract<SignInState, { status: 'failed' }>; onRetry: () => void }) {
  const chain = useChain(state.target.chainId)
  const code = state.error instanceof CountersignError ? state.error.code : undefined
  const isNodeAway = code !== undefined && nodeAway.has(code)
  return (
    <Problem
      error={state.error}
      title={text(code ? stageErrors[state.stage] : 'wallet.oops')}
      sentence={
        isNodeAway ? text('wallet.verify.nodeAway', { chain: chain?.name ?? String(state.target.chainId) }) : undefined
      }
      onRetry={onRetry}
      retryLabel={text('wallet.verify.retry')}
    />
  )
}
