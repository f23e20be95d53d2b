export const SAFE_WALLET_ID = 'safe'
/** A Safe that somebody names, whose owners sign by a link. */
export const LINKED_SAFE_ID = 'linked-safe'

/** Whether the wallet with this id is a Safe: it signs messages and nothing else. */
export function isSafeWallet(id: string | undefined): boolean {
  return id === SAFE_WALLET_ID || id === LINKED_SAFE_ID
}

/** Whether this page is shown inside another, as a Safe App is. */
export function isFramed(): boolean {
  return window.parent !== window
}
