/**
 * Whether two addresses are one, however they are written. Cheap: no checksum is computed.
 *
 * @example
 * isSameAddress(owner, account)
 */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase()
}
