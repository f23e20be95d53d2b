import { SIGN_IN_STATEMENT } from '@countersign/contract'
import { parseSignInMessage, writeSignInMessage } from '@countersign/safe'
import type { Address } from 'viem'
import { SIGN_IN_FRAGMENT } from '../../api/sign-in-link.ts'

type Place = { chainId: number; safeAddress: Address }
/** The host, the origin and the scheme with its colon, of this page. */
type Site = { host: string; origin: string; protocol: string }

/**
 * Parses the message of a link at which owners sign a sign-in as their Safe.
 *
 * @param fragment of the address, without `#`
 * @returns null unless it is a sign-in at this site as this Safe
 */
export function parseSignInLink(fragment: string, place: Place, site: Site): string | null {
  if (!fragment.startsWith(SIGN_IN_FRAGMENT)) return null
  try {
    const message = decodeURIComponent(fragment.slice(SIGN_IN_FRAGMENT.length))
    return isSignInHere(message, place, site) ? message : null
  } catch {
    return null
  }
}

/**
 * Whether a text is a sign-in at this site as this Safe, exactly as this site writes one: whoever made up a link must not
 * have a word of their own in it.
 */
export function isSignInHere(message: string, { chainId, safeAddress }: Place, site: Site): boolean {
  try {
    const { nonce, issuedAt, expirationTime } = parseSignInMessage(message)
    const asWrittenHere = writeSignInMessage({
      scheme: site.protocol.slice(0, -1),
      domain: site.host,
      address: safeAddress,
      statement: SIGN_IN_STATEMENT,
      uri: site.origin,
      version: '1',
      chainId,
      nonce,
      issuedAt,
      expirationTime,
    })
    return /^[0-9a-f]{32}$/.test(nonce) && expirationTime !== undefined && message === asWrittenHere
  } catch {
    return false
  }
}

/** Parses the sign-in that the content of a message, as it is kept, is; null: it is none at this site as this Safe. */
export function parseSignInContent(content: string, place: Place, site: Site): string | null {
  try {
    const text: unknown = JSON.parse(content)
    return typeof text === 'string' && isSignInHere(text, place, site) ? text : null
  } catch {
    return null
  }
}
