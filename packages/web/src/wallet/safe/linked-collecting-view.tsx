import { useSyncExternalStore } from 'react'
import { signInCode, signInLink } from '../../api/sign-in-link.ts'
import { CopyButton } from '../../ui/copy/copy-button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Details } from '../../ui/section.tsx'
import type { Collecting, SignInTarget } from '../session/sign-in-machine.ts'
import { text } from '../text.ts'
import { TimeLeft, Trouble } from './collecting-view.tsx'
import { readCollected, subscribeToCollected } from './linked-safe.ts'

/** The wait for owners who sign by a link: the link, the code that both sides compare, how many have signed. */
export function LinkedCollectingView({
  prepared: { message, expiresAt },
  account,
  chainId,
}: Collecting & SignInTarget) {
  const collected = useSyncExternalStore(subscribeToCollected, readCollected)
  const link = signInLink({ chainId, safeAddress: account, message })
  return (
    <div className="grid gap-4">
      <div>
        <Loading label={text('wallet.link.waiting')} />
        <p className="text-ink-soft">{text('wallet.link.waiting.sentence')}</p>
      </div>
      <p role="status" data-collected={collected?.confirmations ?? 0} className="font-semibold">
        {collected
          ? text('wallet.link.count', { count: collected.confirmations, threshold: collected.threshold })
          : text('wallet.link.count.none')}
      </p>
      <Facts>
        <Fact label={text('wallet.link.code')} hint={text('wallet.link.code.hint')}>
          <span className="figures" data-sign-in-code>
            {signInCode(message)}
          </span>
        </Fact>
        <Fact label={text('wallet.link.link')}>
          <CopyButton value={link} label={text('wallet.link.copy')} words={text('wallet.link.copy')} />
          <Details summary={text('wallet.link.whole')} hasRule={false}>
            <span data-sign-in-link className="figures text-small wrap-anywhere">
              {link}
            </span>
          </Details>
        </Fact>
      </Facts>
      <TimeLeft expiresAt={expiresAt} />
      <Trouble isEnough={collected?.signature != null} />
    </div>
  )
}
