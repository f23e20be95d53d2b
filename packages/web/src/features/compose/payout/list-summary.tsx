import { locale } from '../../../text/locale.ts'
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
export function ListTotals({
  summary,
  file,
  missing,
}: {
  summary: ListSummary
  file: Blob
  missing: readonly string[]
}) {
  const { count, totals, items, repeated, unknown, ignored } = summary
  return (
    <Notice isAnnounced>
      <FileName file={file} />
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
      {ignored.length > 0 && (
        <p className="text-warning" data-ignored={ignored.length}>
          {text('compose.list.ignored', {
            count: ignored.length,
            names: listOf(ignored.slice(0, SHOWN).map((name) => showUntrusted(name, 40))),
          })}
        </p>
      )}
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

/** `1, 2 and 7` in the reader's language. */
function listOf(values: readonly string[]): string {
  return new Intl.ListFormat(locale.formats, { type: 'conjunction' }).format(values)
}

function someLines(lines: readonly number[]): string {
  const shown = lines.slice(0, SHOWN).map(String)
  return lines.length > SHOWN ? `${shown.join(', ')} …` : listOf(shown)
}

/** Shows the name of a chosen file. A pasted list has none. */
function FileName({ file }: { file: Blob }) {
  return file instanceof File ? (
    <p className="wrap-anywhere">{text('compose.list.file', { name: showUntrusted(file.name, 80) })}</p>
  ) : null
}

/** Lines that are wrong, each with what to do. */
export function ListFaults({ summary: { faults, faultCount }, file }: { summary: ListSummary; file: Blob }) {
  const lines = faults.map(({ line }) => line)
  return (
    <div className="grid gap-1 text-small text-danger" role="alert">
      <FileName file={file} />
      <p className="font-semibold">{text('compose.list.faults', { count: faultCount })}</p>
      {faultCount > 1 && <p>{text('compose.list.faults.lines', { count: lines.length, lines: someLines(lines) })}</p>}
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
