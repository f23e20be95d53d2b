import type { Page } from 'playwright-core'
import { connectionStatus, openConnectDialog, walletEntry } from '../people/owner.ts'
import type { Phone } from './phone.ts'
import { readQr } from './qr.ts'

export async function pickWalletConnect(page: Page): Promise<void> {
  await openConnectDialog(page)
  await walletEntry(page, 'WalletConnect').click()
}

/** Decodes the picture on the screen. */
export function readCode(page: Page): Promise<string> {
  return readQr(page, 'QR code for WalletConnect')
}

/** Picks WalletConnect and lets the phone scan and approve what the picture says. */
export async function connectPhone(page: Page, phone: Phone, approve: Parameters<Phone['scan']>[1]): Promise<void> {
  await pickWalletConnect(page)
  await phone.scan(await readCode(page), approve)
  await connectionStatus(page, 'connected').waitFor({ state: 'attached' })
}

/** Waits for words in the dialog. */
export function dialogSays(page: Page, words: string | RegExp): Promise<void> {
  return page.getByRole('dialog').getByText(words).first().waitFor()
}
