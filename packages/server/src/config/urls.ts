import { z } from 'zod'
import type { Fault } from './fault.ts'

export const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })

export const safeHost = z.string().refine(isSafeHost, {
  error:
    'must be an https origin such as `https://app.safe.global`, without path or wildcard (http for localhost only)',
})

/** Exactly an origin: it is written into a header, and compared with what a browser says. */
function isSafeHost(text: string): boolean {
  if (!/^https?:\/\/[a-z0-9.[\]:-]+$/.test(text) || !URL.canParse(text)) return false
  const { origin, protocol, hostname } = new URL(text)
  return origin === text && (protocol === 'https:' || isLoopback(hostname) || hostname === '[::1]')
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

export function parsePublicUrl(text: string | undefined, faults: Fault[]): URL | null {
  if (!text) return null
  const path = 'COUNTERSIGN_PUBLIC_URL'
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    faults.push({ path, message: `must be an http or https URL, not \`${text}\`` })
    return null
  }
  const url = new URL(text)
  if (url.pathname !== '/' || url.search || url.hash || url.username)
    faults.push({ path, message: `must be an origin without a path, not \`${text}\`` })
  return url
}
