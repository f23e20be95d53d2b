/** Fault of an amount that a person typed. */
export type AmountProblem = 'empty' | 'separator' | 'not-a-number' | 'too-many-decimals' | 'zero' | 'too-large'
export type ParsedAmount = { ok: true; value: bigint } | { ok: false; problem: AmountProblem }

const MAX_UINT256 = (1n << 256n) - 1n

/**
 * Reads an amount exactly: no rounding, no exponent, no thousands separator, because `1,250` is 1250 to one person
 * and 1.25 to another.
 */
export function parseAmount(typed: string, decimals: number): ParsedAmount {
  const text = typed.trim()
  if (text === '') return { ok: false, problem: 'empty' }
  if (/^[0-9][0-9.,'’_\s]*$/.test(text) && /[,'’_\s]/.test(text)) return { ok: false, problem: 'separator' }
  const match = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text)
  if (!match?.[1]) return { ok: false, problem: 'not-a-number' }
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) return { ok: false, problem: 'too-many-decimals' }
  // Longer than 2^256 could be even with no decimals: not worth turning into a bigint.
  if (match[1].replace(/^0+/, '').length > 78) return { ok: false, problem: 'too-large' }
  const value = BigInt(match[1] + fraction.padEnd(decimals, '0'))
  if (value > MAX_UINT256) return { ok: false, problem: 'too-large' }
  if (value === 0n) return { ok: false, problem: 'zero' }
  return { ok: true, value }
}

/** Reads a Safe nonce that a person typed; null when it is no whole number below 2^53. */
export function parseNonce(typed: string): bigint | null {
  const text = typed.trim()
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text)) return null
  const nonce = BigInt(text)
  return nonce <= BigInt(Number.MAX_SAFE_INTEGER) ? nonce : null
}
