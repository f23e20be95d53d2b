import type { Verdict } from '@countersign/review'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect } from 'vitest'
import { findPart, press } from './open-page.ts'

// Actions and expectations on the page of a review.

/** Waits until the review shows this verdict. */
export function expectVerdict(verdict: Verdict): Promise<HTMLElement> {
  return findPart(`[data-verdict="${verdict}"]`)
}

/** Returns the button with this name, or null. */
export function findButton(name: string): HTMLButtonElement | null {
  const buttons = [...document.querySelectorAll('button')]
  return buttons.find(({ textContent }) => textContent?.trim() === name) ?? null
}

/** Waits until the button with this name is enabled or disabled. */
export async function expectButton(name: string, state: 'enabled' | 'disabled'): Promise<HTMLButtonElement> {
  return waitFor(() => {
    const button = findButton(name)
    expect(button, name).not.toBeNull()
    expect(button?.closest(':disabled, [inert]') === null, `${name} is ${state}`).toBe(state === 'enabled')
    return button as HTMLButtonElement
  })
}

/** Presses the button with this name once it is enabled. */
export async function pressEnabled(name: string): Promise<void> {
  press(await expectButton(name, 'enabled'))
}

/** Finds the demand of a finding, once it is shown next to the button. */
export function demand(finding: string): Promise<HTMLElement> {
  return findPart(`[data-demand="${finding}"]`)
}

/** Ticks the demands of findings, once they are shown. */
export async function tick(...findings: string[]): Promise<void> {
  for (const finding of findings) {
    await demand(finding)
    for (const box of document.querySelectorAll<HTMLInputElement>(`[data-demand="${finding}"] input[type=checkbox]`))
      if (!box.checked) fireEvent.click(box)
  }
}

/** Ticks every shown demand, once there is a verdict. */
export async function tickAll(): Promise<void> {
  await findPart('[data-verdict]')
  tickShown()
}

/** Ticks demands until the button with this name is enabled, and presses it. A fact that arrives later may add a demand. */
export async function tickAllAndPress(name: string): Promise<void> {
  await findPart('[data-verdict]')
  const button = await waitFor(() => {
    tickShown()
    const found = findButton(name)
    expect(found?.closest(':disabled, [inert]'), `${name} is enabled`).toBeNull()
    return found as HTMLButtonElement
  })
  press(button)
}

function tickShown(): void {
  for (const box of document.querySelectorAll<HTMLInputElement>('[data-way="tick"] input[type=checkbox]'))
    if (!box.checked) fireEvent.click(box)
}

/** Types the required value and the reason into the demand of a finding. */
export async function typeChange(finding: string, typed: string, reason = 'As decided'): Promise<void> {
  const [change, why] = within(await demand(finding)).getAllByRole('textbox')
  fireEvent.change(change as Element, { target: { value: typed } })
  fireEvent.change(why as Element, { target: { value: reason } })
}

/** Opens a folded section by words of its summary, once it is shown. */
export async function openFold(words: string): Promise<void> {
  const fold = await waitFor(() => {
    const summaries = [...document.querySelectorAll('summary')]
    const found = summaries.find(({ textContent }) => textContent?.includes(words))?.closest('details')
    expect(found, words).toBeTruthy()
    return found as HTMLDetailsElement
  })
  if (fold.open) return
  fold.open = true
  fireEvent(fold, new Event('toggle'))
}

/** Waits for words in the main part of the page. */
export async function expectWords(words: string | RegExp): Promise<void> {
  await waitFor(() => {
    const text = screen.getByRole('main').textContent
    if (typeof words === 'string') expect(text).toContain(words)
    else expect(text).toMatch(words)
  })
}

/** Waits until no element matches the CSS selector. */
export async function expectGone(selector: string): Promise<void> {
  await waitFor(() => expect(document.querySelector(selector), selector).toBeNull())
}
