import { screen, waitFor, within } from '@testing-library/react'
import { expect } from 'vitest'
import { expectStatus, findPart, press, pressButton } from './open-page.ts'

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

/** The part of the page's head that says who is connected. */
export function findAccount(): Promise<HTMLElement> {
  return findPart('[data-head] > header')
}

export const dialog = () => screen.getByRole('dialog')
export const inDialog = () => within(dialog())

/** Opens the dialog by the button in the head of the page, whatever it says now. */
export async function openDialog(): Promise<void> {
  press(await within(await findAccount()).findByRole('button'))
  await screen.findByRole('dialog')
}

export async function closeDialog(): Promise<void> {
  await pressDialog('Close')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

export async function pressDialog(name: string | RegExp): Promise<void> {
  await pressButton(name, dialog())
}

export function entry(id: string): HTMLElement | null {
  return dialog().querySelector<HTMLElement>(`button[data-wallet="${id}"]`)
}

export function entries(): HTMLElement[] {
  return [...dialog().querySelectorAll<HTMLElement>('button[data-wallet]')]
}

/** Finds a wallet in the list by its name. */
export function walletEntry(name: string): Promise<HTMLElement> {
  return waitFor(() => {
    const found = entries().find(({ textContent }) => textContent.includes(name))
    expect(found, `${name} is in the list`).toBeDefined()
    return found as HTMLElement
  })
}

export async function pick(name: string): Promise<void> {
  press(await walletEntry(name))
}

/** Connects a wallet by the dialog. */
export async function connect(name = 'Scripted Wallet'): Promise<void> {
  if (!screen.queryByRole('dialog')) await openDialog()
  await pick(name)
  await expectStatus({ connection: 'connected' })
}

/** Signs in by the dialog. */
export async function verify(): Promise<void> {
  if (!screen.queryByRole('dialog')) await openDialog()
  await pressDialog('Sign the message')
  await expectStatus({ session: 'authenticated' })
}

/** Waits for a notice by its title. @returns its whole text */
async function findNotice(tones: readonly string[], title: string | RegExp): Promise<HTMLElement> {
  const selector = tones.map((tone) => (tone === '' ? '[data-tone]' : `[data-tone="${tone}"]`)).join()
  return waitFor(() => {
    const notices = [...dialog().querySelectorAll<HTMLElement>(selector)]
    const isTitle = ({ textContent }: Element) =>
      typeof title === 'string' ? textContent === title : title.test(textContent)
    const found = notices.find((notice) => [...notice.querySelectorAll('p')].some(isTitle))
    expect(found, `${title} is in: ${dialog().textContent}`).toBeDefined()
    return found as HTMLElement
  })
}

/** Waits for a message of the catalogue, with a sentence on cause and remedy beside it. */
export async function expectMessage(message: string): Promise<HTMLElement> {
  const notice = await findNotice([''], message)
  expect(notice.querySelector('p')?.textContent).toBe(message)
  const sentence = notice.querySelector(':scope > div')?.textContent
  expect(sentence, 'a sentence stands beside the message').toMatch(/\w+ \w+.*[.]$/)
  return notice
}

/** Waits for a notice that is no error. */
export function expectNotice(title: string | RegExp): Promise<HTMLElement> {
  return findNotice(['info', 'warning'], title)
}

/** The account that the dialog shows. */
export function expectAccount(address: string): Promise<void> {
  return waitFor(() => expect(dialog().querySelector(`[data-address="${address}"]`)).not.toBeNull())
}
