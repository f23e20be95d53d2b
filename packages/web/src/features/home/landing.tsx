import { VerdictMark } from '../../safe/words/verdict-mark.tsx'
import { text } from './landing-text.ts'

/** The screen of a hardware wallet for the transaction of the picture: words of two hashes. */
const shown = [
  ['landing.wallet.domain', '1505 93E9 A9E8 F725 1744 D7BF 6FBF 3895'],
  ['landing.wallet.message', 'BB33 CEDF 05AC 1C55 1FB4 1FBD D744 504B'],
] as const

/** The picture of the first page: one transaction as a wallet shows it, and as the review does. Drawn, not a screenshot. */
export function ReviewPicture() {
  return (
    <figure role="img" aria-label={text('landing.picture')} className="grid gap-4 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <div aria-hidden="true">
        <p className="label mb-2">{text('landing.wallet')}</p>
        <div className="grid gap-2.5 rounded-sheet border border-rule-strong bg-sunk p-3">
          <p className="label">{text('landing.wallet.title')}</p>
          {shown.map(([label, hash]) => (
            <p key={label} className="text-small leading-[1.125rem]">
              {text(label)}
              <span className="figures mt-0.5 block text-[0.75rem] text-ink-soft">{hash}</span>
            </p>
          ))}
        </div>
      </div>
      <div aria-hidden="true">
        <p className="label mb-2">{text('landing.review')}</p>
        <div className="overflow-clip rounded-sheet border border-rule-strong bg-raised">
          <p className="flex items-center gap-3 bg-stop px-4 py-3 text-lead font-semibold text-on-stop">
            <VerdictMark of="do-not-sign" />
            {text('landing.verdict')}
          </p>
          <p className="border-b border-rule px-4 py-3 text-lead font-semibold text-danger">{text('landing.effect')}</p>
          <div className="grid gap-2.5 border-b border-rule px-4 py-3">
            {(['landing.finding.1', 'landing.finding.2'] as const).map((key) => (
              <p key={key} className="text-small">
                <strong className="block font-semibold">{text(key)}</strong>
                {text(`${key}.sentence`)}
              </p>
            ))}
          </div>
          <p className="flex flex-wrap justify-between gap-x-4 px-4 py-3 text-small">
            <span className="text-ink-soft">{text('landing.after')}</span>
            <span className="font-semibold text-danger">{text('landing.after.value')}</span>
          </p>
        </div>
      </div>
    </figure>
  )
}

const stops = ['landing.stops.1', 'landing.stops.2', 'landing.stops.3', 'landing.stops.4'] as const

/** Attacks that the product stops, below the picture. */
export function StoppedAttacks() {
  return (
    <section aria-labelledby="stops" className="mt-12">
      <h2 id="stops" className="mb-4 text-title font-semibold tracking-tight">
        {text('landing.stops')}
      </h2>
      <dl className="grid gap-x-10 gap-y-5 border-t border-rule pt-5 sm:grid-cols-2">
        {stops.map((key) => (
          <div key={key}>
            <dt className="font-semibold">{text(key)}</dt>
            <dd className="mt-0.5 max-w-prose text-ink-soft">{text(`${key}.sentence`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
