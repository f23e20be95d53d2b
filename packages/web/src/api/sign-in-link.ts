import type { Address } from 'viem'

/** Begins the fragment of a link at which owners sign a sign-in as their Safe. */
export const SIGN_IN_FRAGMENT = 'sign-in='

/** The address at which owners of a Safe sign a sign-in as it. The message is in the link: who opens it reviews its text. */
export function signInLink({
  chainId,
  safeAddress,
  message,
}: {
  chainId: number
  safeAddress: Address
  message: string
}): string {
  const path = `/safes/${chainId}/${safeAddress}/messages/new`
  return `${location.origin}${path}#${SIGN_IN_FRAGMENT}${encodeURIComponent(message)}`
}

/** The random word of a sign-in, by which the server knows it. */
export function signInNonce(message: string): string {
  return /^Nonce: ([a-zA-Z0-9]+)$/m.exec(message)?.[1] ?? ''
}

/** Six characters of a sign-in that the browser that waits and the owner who signs both show. */
export function signInCode(message: string): string {
  return signInNonce(message).slice(0, 6).toUpperCase()
}
