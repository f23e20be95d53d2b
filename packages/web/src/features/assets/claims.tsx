import { showUntrusted } from '../../text/untrusted.ts'
import { text } from './text.ts'

/** Shows a contract's own name. It may claim anything, so it never stands where a name stands. */
export function Claims({ claims: { name, symbol } }: { claims: { name: string | null; symbol: string | null } }) {
  const shownName = name ? showUntrusted(name, 60) : ''
  const shownSymbol = symbol ? showUntrusted(symbol, 20) : ''
  return (
    <p className="max-w-full text-small text-ink-soft wrap-anywhere">
      {shownName && shownSymbol
        ? text('assets.claims', { name: shownName, symbol: shownSymbol })
        : shownName || shownSymbol
          ? text('assets.claims.one', { name: shownName || shownSymbol })
          : text('assets.claims.none')}
    </p>
  )
}
