/** Names of the machine itself. */
const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/

/**
 * The machine behind a URL, as far as the URL tells: two ports of one host are the same machine, and no two sources.
 *
 * @example
 * machineOf('https://node.example:8546/key') // 'node.example'
 */
export function machineOf(url: string): string {
  const host = new URL(url).hostname.replace(/\.+$/, '')
  return loopback.test(host) ? 'localhost' : host
}
