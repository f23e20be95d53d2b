import { fail } from '@countersign/contract'
import { parseApiToken } from './api-token.ts'

type Headers = (name: string) => string | undefined

/**
 * Refuses what another site makes a browser send. Scripts without a browser set Origin themselves, unless they show an
 * API token and no cookies: no site can make a browser do that.
 *
 * @throws CountersignError `WRONG_ORIGIN`, or `INVALID_REQUEST` for a body that is not JSON.
 */
export function checkOrigin(header: Headers, publicUrl: URL): void {
  const isByToken = parseApiToken(header('authorization')) !== null && header('cookie') === undefined
  if (!isByToken) checkSite(header, publicUrl)
  const hasBody = header('transfer-encoding') !== undefined || Number(header('content-length') ?? 0) > 0
  const type = header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (hasBody && type !== 'application/json')
    throw fail('INVALID_REQUEST', { reason: 'content-type', contentType: type ?? 'none' })
}

function checkSite(header: Headers, publicUrl: URL): void {
  const origin = header('origin')
  const site = header('sec-fetch-site')
  const { origin: expected } = publicUrl
  if (origin === undefined) throw fail('WRONG_ORIGIN', { reason: 'missing', expected })
  if (origin !== publicUrl.origin) throw fail('WRONG_ORIGIN', { reason: 'other', origin, expected })
  if (site !== undefined && site !== 'same-origin') throw fail('WRONG_ORIGIN', { reason: 'site', site, expected })
}

/** @throws CountersignError `WRONG_ORIGIN` for a request to another host. */
export function checkHost(host: string, publicUrl: URL): void {
  const found = parseHost(host, publicUrl)
  if (found && withoutDot(found) === withoutDot(publicUrl)) return
  throw fail('WRONG_ORIGIN', { reason: 'host', host, expected: publicUrl.origin })
}

/**
 * Where a page for another host is to be opened instead, or null when the host is ours. To a browser the name with the
 * dot of a full domain name is another site, with other cookies.
 */
export function otherHost(host: string, publicUrl: URL, pathAndQuery: string): string | null {
  return parseHost(host, publicUrl)?.host === publicUrl.host ? null : `${publicUrl.origin}${pathAndQuery}`
}

/** A Host header: without the port that the scheme has anyway, in lower case (RFC 9110 §4.2.3). Null when it is none. */
function parseHost(host: string, { protocol }: URL): URL | null {
  const url = `${protocol}//${host}`
  return /^[^\s/?#@\\]+$/.test(host) && URL.canParse(url) ? new URL(url) : null
}

function withoutDot({ hostname, port }: URL): string {
  return `${hostname.replace(/\.$/, '')}:${port}`
}
