/** Whether two addresses are one, however they are written. Cheap: no checksum is computed. */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase()
}
