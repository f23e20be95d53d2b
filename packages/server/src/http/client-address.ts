import type { IncomingMessage } from 'node:http'

/** The address of the connection, or what a trusted proxy says stood before it. */
export function clientAddress(incoming: IncomingMessage | undefined, trusted: readonly string[]): string {
  const direct = incoming?.socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'
  if (!trusted.includes(direct)) return direct
  const lines = incoming?.headers['x-forwarded-for'] ?? ''
  const forwarded = [lines]
    .flat()
    .join(',')
    .split(',')
    .map((text) => text.trim())
  return forwarded.findLast((address) => address !== '' && !trusted.includes(address)) ?? direct
}
