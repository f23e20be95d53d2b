import { Resolver } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type DeliveryFailure, fail } from '@countersign/contract'
import type { Allowed } from '../../networks.ts'
import { noteContact } from '../../outbound.ts'

const TIMEOUT_MS = 10_000
const RESOLVE_MS = 3_000
const MAX_HEADER_BYTES = 8_192
/** Bytes read of a receiver's answer, which is not kept. */
const MAX_ANSWER_BYTES = 16_384

/** How an attempt went. */
export type Outcome = { status: number | null; failure: DeliveryFailure | null; milliseconds: number }

/**
 * A URL as it may be kept. What its host resolves to is looked at when something is sent.
 *
 * @throws CountersignError `WEBHOOK_URL_REFUSED`
 */
export function parseReceiver(text: string, { isNamed, isAllowed }: Allowed): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !isWeb || url.username || url.password || url.hash || url.href.length > 500)
    throw fail('WEBHOOK_URL_REFUSED', { reason: 'url', url: text.slice(0, 500) })
  // The parser has brought 0x7f.1, 2130706433 and the like into their usual form.
  const host = hostOf(url)
  if (isIP(host) === 0) {
    if (url.protocol === 'https:') return url
    throw fail('WEBHOOK_URL_REFUSED', { reason: 'url', url: url.href })
  }
  if (isAllowed(host, url.protocol === 'https:') || isNamed(host)) return url
  throw fail('WEBHOOK_URL_REFUSED', { reason: 'address', host })
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/**
 * Sends one request. The host is resolved once, every address is checked, and the connection goes to one that was checked;
 * redirects are not followed, and the answer is not kept.
 *
 * @param dnsServers - instead of those of the system
 */
export async function send(
  { url, headers, body }: { url: URL; headers: Record<string, string>; body: string },
  { isAllowed }: Allowed,
  dnsServers?: readonly string[],
): Promise<Outcome> {
  const started = performance.now()
  const isEncrypted = url.protocol === 'https:'
  const end = (status: number | null, failure: DeliveryFailure | null): Outcome => ({
    status,
    failure,
    milliseconds: Math.round(performance.now() - started),
  })
  const check = (address: string) => isAllowed(address, isEncrypted)
  const host = hostOf(url)
  if (isIP(host) !== 0 && !check(host)) return end(null, 'address-refused')
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  noteContact({ kind: 'webhooks' })
  try {
    const status = await new Promise<number>((resolve, reject) => {
      const request = (isEncrypted ? requestHttps : requestHttp)(url, {
        method: 'POST',
        agent: false,
        signal,
        lookup: lookingUp(check, dnsServers),
        maxHeaderSize: MAX_HEADER_BYTES,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      })
      request.on('error', reject)
      request.on('response', (response) => {
        readToEnd(response, reject, () => resolve(response.statusCode ?? 0))
      })
      request.end(body)
    })
    return end(status, status >= 200 && status < 300 ? null : 'status')
  } catch (error) {
    return end(null, failureOf(error, signal))
  }
}

function readToEnd(response: IncomingMessage, reject: (error: Error) => void, done: () => void): void {
  let bytes = 0
  response.on('error', reject)
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= MAX_ANSWER_BYTES) return
    done()
    response.destroy()
  })
  response.on('end', done)
}

const REFUSED = 'ERR_ADDRESS_REFUSED'

/** Resolves by DNS alone, which keeps none of the threads busy that files and cryptography need. */
function lookingUp(check: (address: string) => boolean, dnsServers: readonly string[] | undefined): LookupFunction {
  return (hostname, options, callback) => {
    resolveAll(hostname, dnsServers).then(
      (found) => {
        if (found.length === 0 || !found.every(({ address }) => check(address)))
          return callback(Object.assign(new Error(`${hostname} is refused`), { code: REFUSED }), '', 0)
        const [first] = found
        if (options.all) callback(null, found)
        else callback(null, first?.address ?? '', first?.family ?? 0)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }
}

async function resolveAll(hostname: string, dnsServers: readonly string[] | undefined) {
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 1 })
  if (dnsServers) resolver.setServers(dnsServers)
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const list = (found: typeof ipv4, family: number) =>
    found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
  return [...list(ipv4, 4), ...list(ipv6, 6)]
}

function failureOf(error: unknown, signal: AbortSignal): DeliveryFailure {
  if (signal.aborted) return 'timeout'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === REFUSED) return 'address-refused'
  return /^(CERT_|ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code) ? 'certificate' : 'unreachable'
}
