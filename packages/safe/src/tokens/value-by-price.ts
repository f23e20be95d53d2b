const PRICE_DECIMALS = 18

/** More than this, in whole units of a currency, nothing is worth: the price or the amount is wrong. */
const MAX_VALUE = 10n ** 15n

/**
 * Reads a price: a decimal above zero with up to 18 digits behind the point, as units of 10^-18; null for anything else.
 *
 * @example
 * parsePrice('3412.55') // 3412550000000000000000n
 */
export function parsePrice(text: string): bigint | null {
  const [, whole = '', fraction = ''] = /^(\d{1,13})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === '') return null
  const price = BigInt(whole + fraction.padEnd(PRICE_DECIMALS, '0'))
  return price > 0n ? price : null
}

/**
 * Multiplies an amount with the price of one whole unit, in hundredths of the currency, rounded down.
 *
 * @param amount in the smallest unit
 * @param decimals of the asset
 * @returns null where the price is none, or the result is more than anything is worth
 * @example
 * valueByPrice(1_500_000n, 6, '0.99') // 148n
 */
export function valueByPrice(amount: bigint, decimals: number, price: string): bigint | null {
  const one = parsePrice(price)
  if (one === null || amount < 0n || decimals < 0 || decimals > 77) return null
  const value = (amount * one * 100n) / 10n ** BigInt(decimals + PRICE_DECIMALS)
  return value <= MAX_VALUE * 100n ? value : null
}
