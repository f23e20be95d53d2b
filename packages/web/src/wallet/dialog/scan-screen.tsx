import { useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ButtonAnchor } from '../../ui/button-link.tsx'
import { copyText } from '../../ui/copy/copy-text.ts'
import { QrCode } from '../../ui/copy/qr-code.tsx'
import { Loading } from '../../ui/loading.tsx'
import type { WaitingView as View } from '../connectors/waiting-view.ts'
import { isPhone } from '../connectors/walletconnect/deep-link.ts'
import { type Code, stopPairing, usePairingCode } from '../connectors/walletconnect/pairing.ts'
import { text } from '../text.ts'

/** MetaMask's own address for links: it opens the app, or says where to get it. */
const METAMASK = 'https://metamask.app.link/wc?uri='

/** Scan with phone: the code, its link, how long it lasts. Leaving the screen gives the pairing up. */
export const WaitingView: View = ({ onBack }) => {
  const code = usePairingCode()
  useEffect(
    () => () => {
      if (stopPairing()) onBack()
    },
    [onBack],
  )
  return (
    <div className="grid gap-4">
      {code ? <CodeToScan code={code} /> : <Loading label={text('walletConnect.scan.preparing')} />}
    </div>
  )
}

function CodeToScan({ code: { uri, expiresAt, number } }: { code: Code }) {
  return (
    <>
      {isPhone() && (
        <p className="flex flex-wrap gap-2">
          <ButtonAnchor variant="primary" href={uri}>
            {text('walletConnect.scan.open')}
          </ButtonAnchor>
          <ButtonAnchor href={`${METAMASK}${encodeURIComponent(uri)}`} rel="noreferrer">
            {text('walletConnect.scan.openMetaMask')}
          </ButtonAnchor>
        </p>
      )}
      <p className="text-ink-soft">{text('walletConnect.scan.hint')}</p>
      <div data-scan-code={number}>
        <QrCode value={uri} label={text('walletConnect.scan.picture')} />
      </div>
      <p role="status" className="text-small text-ink-soft empty:hidden">
        {number > 1 && text('walletConnect.scan.renewed')}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <CopyLink uri={uri} />
        <Countdown until={expiresAt} />
      </div>
    </>
  )
}

function CopyLink({ uri }: { uri: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  // Another link is not the one that was copied.
  const [copiedUri, setCopiedUri] = useState(uri)
  if (copiedUri !== uri) {
    setCopiedUri(uri)
    setOutcome(undefined)
  }
  const copy = (host: HTMLElement) =>
    void copyText(uri, host).then((isCopied) => setOutcome(isCopied ? 'copied' : 'failed'))
  return (
    <>
      <Button onClick={(event) => copy(event.currentTarget.closest('dialog') ?? document.body)}>
        {text('walletConnect.scan.copy')}
      </Button>
      <p role="status" className="text-small text-ink-soft empty:hidden">
        {outcome === 'copied' && text('walletConnect.scan.copied')}
        {outcome === 'failed' && text('walletConnect.scan.copyFailed')}
      </p>
      {outcome === 'failed' && <p className="figures w-full text-small wrap-anywhere">{uri}</p>}
    </>
  )
}

/** Not read out: it changes every second. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <p role="timer" aria-live="off" className="figures text-small text-ink-soft">
      {text('walletConnect.scan.expires', { time })}
    </p>
  )
}
