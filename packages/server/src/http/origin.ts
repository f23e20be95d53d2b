import { CountersignError } from '@countersign/safe-core'
import { readApiToken } from './api-token.ts'

type Headers = (name: string) => string | undefined

/**
 * Refuses what another site makes a browser send. Scripts without a browser set Origin themselves, unless they show an
 * API token and no cookies: no site can make a browser do that.
 *
 * @throws CountersignError `WRONG_ORIGIN`, or `INVALID_REQUEST` for a body that is not JSON.
 */
export function checkOrigin(header: Headers, publicUrl: URL): void {
  const isByToken = readApiToken(header('authorization')) !== null && header('cookie') === undefined
  if (!isByToken) checkSite(header, publicUrl)
  const hasBody = header('transfer-encoding') !== undefined || Number(header('content-length') ?? 0) > 0
  const type = header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (hasBody && type !== 'application/json')
    throw new CountersignError(
      'INVALID_REQUEST',
      `The content type is \`${type ?? 'absent'}\`, not \`application/json\`.`,
      {
        data: { contentType: type ?? null },
      },
    )
}

function checkSite(header: Headers, publicUrl: URL): void {
  const origin = header('origin')
  const site = header('sec-fetch-site')
  if (origin !== publicUrl.origin || (site !== undefined && site !== 'same-origin'))
    throw new CountersignError(
      'WRONG_ORIGIN',
      origin
        ? `The request came from \`${origin}\`, not from \`${publicUrl.origin}\`.`
        : `The request has no Origin header; \`${publicUrl.origin}\` is expected.`,
      { data: { origin: origin ?? null, expected: publicUrl.origin } },
    )
}

/** Where a request for another host is sent, or null when the host is ours. */
export function otherHost(host: string, publicUrl: URL, pathAndQuery: string): string | null {
  if (host.toLowerCase() === publicUrl.host) return null
  return `${publicUrl.origin}${pathAndQuery}`
}
