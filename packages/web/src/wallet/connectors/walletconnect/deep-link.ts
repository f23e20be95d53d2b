import type { Client } from './client.ts'
import type { Session } from './pairing.ts'

/** Where WalletConnect's client looks for the app to open when it asks for something. */
const CHOICE = 'WALLETCONNECT_DEEPLINK_CHOICE'
/** Schemes that a browser itself follows: a link of an app has one of its own. */
const browserSchemes = /^(https?|wss?|ftp|file|filesystem|data|blob|about|javascript|vbscript|view-source|intent):/i

/** The link that opens the wallet's app, or null when what the wallet names is no link of an app. */
export function parseDeepLink(named: string | undefined): string | null {
  return named && /^[a-z][a-z0-9+.-]*:\/\//i.test(named) && !browserSchemes.test(named) ? named : null
}

/** On a phone each request opens the wallet's app, which otherwise nobody would see ask. */
export async function keepDeepLink(client: Client, { peer }: Session): Promise<void> {
  const href = parseDeepLink(peer.metadata.redirect?.native)
  if (isPhone() && href) await client.core.storage.setItem(CHOICE, { href })
}

/** A finger is the only pointer: the wallet is most likely on this device. */
export function isPhone(): boolean {
  return window.matchMedia('(pointer: coarse)').matches
}
