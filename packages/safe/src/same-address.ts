/**
 * Whether two addresses are one, however they are written. Cheap: no checksum is computed.
 *
 * @example
 * isSameAddress(owner, account)
 */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase()
}

/**
 * Whether this is the zero address, which stands for none.
 *
 * @example
 * isZeroAddress('0x0000000000000000000000000000000000000000') // true
 */
export function isZeroAddress(address: string): boolean {
  return /^0x0{40}$/.test(address)
}
