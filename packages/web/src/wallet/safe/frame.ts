export const SAFE_WALLET_ID = 'safe'

/** Whether this page is shown inside another, as a Safe App is. */
export function isFramed(): boolean {
  return window.parent !== window
}
