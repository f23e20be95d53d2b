import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { whileWindowIsOpen } from './coinbase-connector.ts'

/** A page's handle of a window that it opened. */
type Popup = { closed: boolean }

let popups: Popup[]
let isBlocked: boolean
const open = () => {
  const popup = { closed: false }
  if (!isBlocked) popups.push(popup)
  return isBlocked ? null : popup
}

beforeEach(() => {
  popups = []
  isBlocked = false
  vi.useFakeTimers()
  vi.stubGlobal('window', { open })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A wallet that opens its window and never answers. */
const waitForEver = () => {
  window.open('https://keys.coinbase.com/connect')
  return new Promise<never>(() => {})
}
const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'answered',
    (error: { code: string }) => error.code,
  )

describe('whileWindowIsOpen', () => {
  test('error: WALLET_POPUP_CLOSED within a second of closing, not before', async () => {
    const onEnd = vi.fn()
    const code = codeOf(whileWindowIsOpen(waitForEver)).finally(onEnd)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(onEnd).not.toHaveBeenCalled()
    for (const popup of popups) popup.closed = true
    await vi.advanceTimersByTimeAsync(1_000)
    expect(onEnd).toHaveBeenCalled()
    expect(await code).toBe('WALLET_POPUP_CLOSED')
  })

  test('behavior: a window that closes itself after the answer was sent is no error', async () => {
    const answer = whileWindowIsOpen(async () => {
      window.open()
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      for (const popup of popups) popup.closed = true
      await new Promise((resolve) => setTimeout(resolve, 250))
      return 'signature'
    })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await answer).toBe('signature')
  })

  test('error: WALLET_POPUP_BLOCKED at once, and the wallet finds a window that is closed', async () => {
    isBlocked = true
    let shown: Window | null = null
    const code = codeOf(
      whileWindowIsOpen(() => {
        shown = window.open('https://keys.coinbase.com/connect')
        return new Promise<never>(() => {})
      }),
    )
    expect(await code).toBe('WALLET_POPUP_BLOCKED')
    expect(shown).toMatchObject({ closed: true })
  })

  test('behavior: of requests that overlap nothing is left behind, in whatever order they end', async () => {
    const ends: (() => void)[] = []
    const overlapping = [0, 1, 2].map(() => whileWindowIsOpen(() => new Promise<void>((resolve) => ends.push(resolve))))
    for (const at of [0, 2, 1]) {
      expect(window.open).not.toBe(open)
      ends[at]?.()
      await overlapping[at]
    }
    expect(window.open).toBe(open)
  })
})
