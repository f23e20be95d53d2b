/**
 * A token amount as exact decimal text: `1250000000n` with 6 decimals is `1,250`. Nothing is ever rounded away.
 * Groups by comma, fraction after a point, in every language: a signed figure must not change its look with the locale.
 */
export function formatAmount(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(?:\d{3})+$)/g, ',')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${value < 0n ? '−' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * Reads what a person typed as an amount: `1250.5` or `1,250.5`.
 *
 * @returns the value in the smallest unit, or why it is none
 */
export function parseAmount(
  typed: string,
  decimals: number,
): { value: bigint } | { problem: 'empty' | 'not-a-number' | 'too-many-decimals' | 'too-large' } {
  const trimmed = typed.trim()
  if (trimmed === '') return { problem: 'empty' }
  const match = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d*))?$|^\.(\d+)$/.exec(trimmed)
  if (!match) return { problem: 'not-a-number' }
  const whole = (match[1] ?? '0').replaceAll(',', '')
  const fraction = (match[2] ?? match[3] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) return { problem: 'too-many-decimals' }
  const value = BigInt(whole + fraction.padEnd(decimals, '0'))
  return value < 1n << 256n ? { value } : { problem: 'too-large' }
}
