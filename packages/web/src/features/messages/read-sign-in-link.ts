import { parseSignInMessage } from '@countersign/safe-core'
import type { Address } from 'viem'
import { SIGN_IN_FRAGMENT } from '../../api/sign-in-link.ts'

/**
 * Reads the message of a link at which owners sign a sign-in as their Safe.
 *
 * @param fragment of the address, without `#`
 * @param site the host and the origin of this page
 * @returns null unless it is a sign-in at this site as this Safe
 */
export function readSignInLink(
  fragment: string,
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
  site: { host: string; origin: string },
): string | null {
  if (!fragment.startsWith(SIGN_IN_FRAGMENT)) return null
  try {
    const message = decodeURIComponent(fragment.slice(SIGN_IN_FRAGMENT.length))
    const { domain, uri, address, chainId: signedChain } = parseSignInMessage(message)
    const isHere = domain === site.host && uri === site.origin
    return isHere && address === safeAddress && signedChain === chainId ? message : null
  } catch {
    return null
  }
}
