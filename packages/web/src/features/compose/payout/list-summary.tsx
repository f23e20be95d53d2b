import { showUntrusted } from '../../../text/untrusted.ts'
import { formatAmount } from '../../../ui/amount/format-amount.ts'
import { Notice } from '../../../ui/notice.tsx'
import type { Asset } from '../read-entry.ts'
import { text } from '../text.ts'
import { faultSentence } from './fault-sentence.ts'
import type { ListSummary } from './payout-messages.ts'

/** Lines that are named one by one. */
const SHOWN = 20

/** The sums that a list would pay, and what to look at in it. */
export function ListTotals({ summary, missing }: { summary: ListSummary; missing: readonly string[] }) {
  const { count, totals, items, repeated, unknown } = summary
  return (
    <Notice isAnnounced>
      <p>{text('compose.list.payments', { count })}</p>
      <ul>
        {totals.map(({ asset, amount }) => (
          <li key={asset.address} className="tabular-nums">
            {withUnit(amount, asset)}
          </li>
        ))}
        {items > 0 && <li>{text('compose.list.items', { count: items })}</li>}
      </ul>
      {missing.map((sentence) => (
        <p key={sentence} className="font-semibold text-warning">
          {sentence}
        </p>
      ))}
      {repeated.length > 0 && (
        <p className="font-semibold text-warning">{text('compose.list.repeated', { lines: someLines(repeated) })}</p>
      )}
      {unknown.length > 0 && (
        <p className="text-warning">
          {text('compose.list.unknown', { count: unknown.length, lines: someLines(unknown) })}
        </p>
      )}
    </Notice>
  )
}

function someLines(lines: readonly number[]): string {
  return lines.slice(0, SHOWN).join(', ') + (lines.length > SHOWN ? ' …' : '')
}

/** Lines that are wrong, each with what to do. */
export function ListFaults({ summary: { faults, faultCount } }: { summary: ListSummary }) {
  return (
    <div className="grid gap-1 text-small text-danger" role="alert">
      <p className="font-semibold">{text('compose.list.faults', { count: faultCount })}</p>
      <ul aria-label={text('compose.list.faults.label')} className="grid max-h-96 gap-1 overflow-y-auto">
        {faults.map((fault) => (
          <li key={fault.line} className="wrap-anywhere">
            {text('compose.list.fault', { line: fault.line, sentence: faultSentence(fault) })}
          </li>
        ))}
        {faultCount > faults.length && <li>{text('compose.list.more', { count: faultCount - faults.length })}</li>}
      </ul>
    </div>
  )
}

export function withUnit(amount: bigint, { decimals, symbol }: Asset): string {
  return text('compose.list.total', { amount: formatAmount(amount, decimals), symbol: showUntrusted(symbol, 20) })
}
