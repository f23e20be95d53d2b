import { BackButton } from '../../ui/back-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { text } from '../text.ts'
import { showScreen } from './dialog-state.ts'

/** Wallets that run in a browser and hold their own key. Where they come from is for their makers to say. */
const offers = [
  { name: 'MetaMask', url: 'https://metamask.io/download', about: 'wallet.get.metaMask' },
  { name: 'Rabby', url: 'https://rabby.io', about: 'wallet.get.rabby' },
  { name: 'Frame', url: 'https://frame.sh', about: 'wallet.get.frame' },
  { name: 'Coinbase Wallet', url: 'https://www.coinbase.com/wallet/downloads', about: 'wallet.get.coinbase' },
] as const

const facts = ['wallet.get.what.key', 'wallet.get.what.sign', 'wallet.get.what.login'] as const

/** For a person without a wallet. Nothing is fetched for it: the links lead away only when they are followed. */
export function GetScreen() {
  return (
    <div className="grid gap-6">
      <section aria-labelledby="what-a-wallet-is">
        <h3 id="what-a-wallet-is" className="mb-2 font-semibold">
          {text('wallet.get.what')}
        </h3>
        <ul className="grid list-disc gap-1 pl-5 text-ink-soft marker:text-ink-faint">
          {facts.map((key) => (
            <li key={key}>{text(key)}</li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="which-wallet">
        <h3 id="which-wallet" className="mb-1 font-semibold">
          {text('wallet.get.which')}
        </h3>
        <p className="mb-3 text-ink-soft">{text('wallet.get.which.sentence')}</p>
        <ul className="border-t border-rule">
          {offers.map(({ name, url, about }) => (
            <li key={name} className="flex flex-wrap items-baseline gap-x-4 border-b border-rule py-2.5">
              <span className="min-w-0 flex-1 basis-40">
                <span className="block font-semibold">{name}</span>
                <span className="block text-small text-ink-soft">{text(about)}</span>
              </span>
              <ExternalLink href={url} label={text('wallet.get.visit', { wallet: name })}>
                {new URL(url).host.replace(/^www\./, '')}
              </ExternalLink>
            </li>
          ))}
        </ul>
        <p className="mt-3 text-small text-ink-soft">{text('wallet.get.after')}</p>
      </section>
      <div className="flex flex-wrap justify-between gap-2">
        <BackButton onClick={() => showScreen()}>{text('wallet.connect.back')}</BackButton>
        <Button onClick={() => location.reload()}>{text('app.crash.retry')}</Button>
      </div>
    </div>
  )
}
