import { locale } from '../../text/locale.ts'

/**
 * A token amount as exact decimal text: `1250000000n` with 6 decimals is `1,250`. Nothing is ever rounded away.
 * The fraction is after a point in every language, as forms read it. Where a comma begins the fraction, groups are set
 * apart by a space: `1,250` would be one and a quarter there.
 */
export function formatAmount(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(?:\d{3})+$)/g, groupMark())
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${value < 0n ? '−' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

function groupMark(): string {
  return ['de', 'es', 'fr'].includes(locale.language) ? '\u202f' : ','
}

/**
 * Cuts an amount to four places, or to the first four digits when it is less than one. Never rounded up: nobody has
 * more than is shown. Null when there is nothing to cut.
 */
export function shortenAmount(value: bigint, decimals: number): string | null {
  const unit = 10n ** BigInt(decimals)
  const size = value < 0n ? -value : value
  const places = size >= unit ? 4 : decimals - size.toString().length + 4
  if (size === 0n || places >= decimals) return null
  const step = 10n ** BigInt(decimals - places)
  const short = (value / step) * step
  return short === value ? null : formatAmount(short, decimals)
}
