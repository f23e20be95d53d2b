import type { Price } from '@countersign/contract'
import { serverNow } from '../../device/server-time.ts'
import { formatAge, locale } from '../../text/locale.ts'
import { needTexts, text } from '../../text/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'

needTexts('worth')

/** Writes hundredths of a currency by the reader's customs; as less than one where something is worth less. */
export function formatValue(hundredths: bigint, currency: string): string {
  const format = new Intl.NumberFormat(locale.formats, { style: 'currency', currency })
  const write = (value: bigint) => format.format(Number(value) / 100)
  return hundredths === 0n
    ? text('worth.less', { value: write(1n) })
    : text('worth.about', { value: write(hundredths) })
}

/** Says who says so, and how long ago. */
export function sourceOf({ source, at }: Price): string {
  const isContract = source.kind === 'feed' || source.kind === 'pool'
  const name = isContract ? `${source.name.slice(0, 6)}…${source.name.slice(-4)}` : showUntrusted(source.name, 80)
  return text('worth.by', {
    source: text(`worth.by.${source.kind}`, { name }),
    age: formatAge(new Date(at), serverNow()),
  })
}
