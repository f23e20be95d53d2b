import { useEffect, useState, useSyncExternalStore } from 'react'
import { serverNow } from '../../device/server-time.ts'
import { formatDuration } from '../../text/locale.ts'
import { Hash } from '../../ui/address.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Loading } from '../../ui/loading.tsx'
import type { Collecting } from '../session/sign-in-machine.ts'
import { text } from '../text.ts'
import { collectTrouble, subscribeToCollectTrouble } from './safe-sign-in.ts'

/** Shows the wait while the owners of the Safe sign one after the other, and its end. */
export function CollectingView({ prepared: { expiresAt }, pending: { messageHash, safeTxHash } }: Collecting) {
  return (
    <div className="grid gap-4">
      <div>
        <Loading label={text('wallet.verify.collecting')} />
        <p className="text-ink-soft">
          {text(safeTxHash ? 'wallet.verify.collecting.onChain' : 'wallet.verify.collecting.sentence')}
        </p>
      </div>
      <TimeLeft expiresAt={expiresAt} />
      <Trouble />
      {(messageHash || safeTxHash) && (
        <Facts>
          {messageHash && (
            <Fact label={text('wallet.verify.collecting.messageHash')}>
              <Hash hash={messageHash} />
            </Fact>
          )}
          {safeTxHash && (
            <Fact label={text('wallet.verify.collecting.safeTxHash')}>
              <Hash hash={safeTxHash} />
            </Fact>
          )}
        </Facts>
      )}
    </div>
  )
}

/** Says why the last look at the signatures led to nothing. `isEnough`: it is known that enough owners have signed. */
export function Trouble({ isEnough = false }: { isEnough?: boolean }) {
  const trouble = useSyncExternalStore(subscribeToCollectTrouble, collectTrouble)
  return (
    trouble && (
      <p role="status" className="text-warning">
        {text(
          trouble.code !== 'SIWE_SIGNATURE_INVALID'
            ? 'wallet.verify.collecting.trouble'
            : isEnough
              ? 'wallet.link.refused'
              : 'wallet.verify.collecting.notYet',
        )}
      </p>
    )
  )
}

/** Not announced: a screen reader would hear it every minute. */
export function TimeLeft({ expiresAt }: { expiresAt: string }) {
  const [now, setNow] = useState(serverNow)
  const left = Date.parse(expiresAt) - now
  const isShort = left < 120_000
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), isShort ? 1_000 : 20_000)
    return () => clearInterval(timer)
  }, [isShort])
  return (
    <p className="tabular-nums" data-time-left={Math.max(0, Math.ceil(left / 1000))}>
      {text('wallet.verify.collecting.left', { duration: formatDuration(left) })}
    </p>
  )
}
