import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { names } from '../people/owner.ts'

/** The eight messages of the specification, word for word. */
export const messages = {
  wrongNetwork: 'Wrong network',
  wrongNetworkDetected: 'Wrong network detected, switch or disconnect to continue.',
  preparing: 'Error preparing message, please retry!',
  signing: 'Error signing message, please retry!',
  verifying: 'Error verifying signature, please retry!',
  oops: 'Oops, something went wrong!',
  notInstalled: (wallet: string) => `${wallet} is not installed`,
  notAvailable: (wallet: string) => `${wallet} is not available`,
} as const

export function dialog(page: Page): Locator {
  return page.getByRole('dialog')
}

export function dialogButton(page: Page, name: string | RegExp): Locator {
  return dialog(page).getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
}

/** Waits for a message of the catalogue in the dialog, with a sentence on cause and remedy beside it. */
export async function expectMessage(page: Page, message: string): Promise<Locator> {
  const notice = dialog(page).locator('[data-tone]', { has: page.getByText(message, { exact: true }) })
  await notice.first().waitFor()
  expect(await notice.first().locator('p').first().textContent()).toBe(message)
  const sentence = await notice.first().locator('> div').first().textContent()
  expect(sentence, 'a sentence stands beside the message').toMatch(/\w+ \w+.*[.]$/)
  return notice.first()
}

/** Opens the dialog by the button in the head of the page, whatever it says now. */
export async function openDialog(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button').click()
  await dialog(page).waitFor()
}

/** A notice that is no error. */
export async function expectNotice(page: Page, title: string | RegExp): Promise<Locator> {
  const notice = dialog(page)
    .locator('[data-tone="info"], [data-tone="warning"]')
    .filter({ has: page.getByText(title, typeof title === 'string' ? { exact: true } : {}) })
    .first()
  await notice.waitFor()
  return notice
}

export function signButton(page: Page): Locator {
  return dialogButton(page, names.sign)
}
