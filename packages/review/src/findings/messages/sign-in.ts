import { isSameAddress, type SignInMessage, signInMessageTimeliness } from '@countersign/safe'
import type { Finding, MessageReviewInput } from '../../types.ts'
import { finding } from '../make-finding.ts'

const where = { field: 'message' } as const

/** Host and port of an authority or of a URI, in lower case; null where there is none. */
function hostOf(uri: string): string | null {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(uri)?.[1]
  return authority === undefined ? null : authority.slice(authority.lastIndexOf('@') + 1).toLowerCase()
}

/** Whether a sign-in is for the site that asks for it, for this Safe on this chain, and in force. */
export function reviewSignIn(message: SignInMessage, input: MessageReviewInput): Finding[] {
  const { domain, uri, address, chainId } = message
  const findings: Finding[] = []
  const requester = input.origin === null ? null : hostOf(input.origin)
  // Text before an @ is a user name, and is there to be taken for the host.
  const isForeign =
    domain.includes('@') ||
    hostOf(uri) !== domain.toLowerCase() ||
    (input.origin !== null && requester !== domain.toLowerCase())
  if (isForeign) findings.push(finding('SIWE-DOMAIN', 'high', { domain, uri, origin: input.origin }, where))
  if (!isSameAddress(address, input.safeAddress) || chainId !== input.chainId) {
    const expected = `${input.safeAddress} · ${input.chainId}`
    findings.push(finding('SIWE-ADDRESS', 'high', { expected, actual: `${address} · ${chainId}` }, where))
  }
  for (const [name, value] of Object.entries({ origin: input.origin, now: input.now })) {
    if (value === null) findings.push(finding('INPUT-MISSING', 'info', { check: 'sign-in', input: name }, where))
  }
  if (input.now !== null && signInMessageTimeliness(message, input.now) !== 'valid') {
    const { notBefore, expirationTime } = message
    findings.push(finding('SIWE-TIME', 'medium', { notBefore, expirationTime }, where))
  }
  return findings
}
