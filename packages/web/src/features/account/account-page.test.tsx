import { listSessions, revokeOtherSessions, revokeSession, type SessionEntry } from '@countersign/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  choose,
  expectAccessible,
  type FakeBrowser,
  fill,
  press,
  pressButton,
  startBrowser,
} from '../../test/open-page.ts'

const at = '2026-03-01T12:00:00.000Z'
const current: SessionEntry = {
  id: 'a'.repeat(24),
  chainId: 31_337,
  browser: 'Chrome',
  system: 'Linux',
  clientAddress: '127.0.0.1',
  isFramed: false,
  createdAt: at,
  lastSeenAt: at,
  expiresAt: at,
  isCurrent: true,
}
const script: SessionEntry = { ...current, id: 'b'.repeat(24), browser: 'Node.js', system: null, isCurrent: false }
const phone: SessionEntry = { ...current, id: 'c'.repeat(24), browser: 'Safari', system: 'iOS', isCurrent: false }

let browser: FakeBrowser
let sessions: SessionEntry[]
beforeEach(async () => {
  browser = startBrowser()
  sessions = [current, script]
  browser.server.answer(listSessions, () => ({ sessions }))
  await browser.comeBack()
})
afterEach(() => {
  browser.close()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  delete document.documentElement.dataset.theme
})

const rows = () => [...document.querySelectorAll<HTMLElement>('[data-sessions] li')]

async function open(): Promise<void> {
  await browser.open('/account')
  await waitFor(() => expect(rows().length).toBe(sessions.length))
}

describe('settings of a person', () => {
  test('behavior: a theme holds at once, and after a reload', async () => {
    await open()
    await choose('Theme', 'dark')
    expect(document.documentElement.dataset.theme).toBe('dark')
    await open()
    expect((screen.getByLabelText('Theme') as HTMLSelectElement).value).toBe('dark')
    await choose('Theme', 'system')
    expect(document.documentElement.dataset.theme).toBeUndefined()
  })

  test('behavior: times in UTC after the page was loaded again, which the choice does', async () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
    const time = () => document.querySelector('[data-sessions] time')?.textContent
    await open()
    expect(time()).not.toContain('UTC')
    await fill('Times', 'UTC')
    expect(reload).toHaveBeenCalledOnce()
    await open()
    expect(time()).toContain('UTC')
  })
})

describe('notifications', () => {
  const notification = { permission: 'default', requestPermission: vi.fn() }
  const { requestPermission } = notification
  requestPermission.mockImplementation(async () => {
    notification.permission = 'granted'
    return 'granted'
  })
  beforeEach(() => {
    notification.permission = 'default'
    requestPermission.mockClear()
    vi.stubGlobal('Notification', notification)
  })
  const state = () => document.querySelector<HTMLElement>('[data-notifications]')?.dataset.notifications

  test('behavior: the browser is asked when somebody wants them, and never before', async () => {
    await open()
    expect(state()).toBe('off')
    expect(requestPermission).not.toHaveBeenCalled()
    await pressButton('Turn notifications on')
    await waitFor(() => expect(state()).toBe('on'))
    expect(requestPermission).toHaveBeenCalledOnce()
  })

  test('behavior: turned off again, they stay off after a reload', async () => {
    await open()
    await pressButton('Turn notifications on')
    await waitFor(() => expect(state()).toBe('on'))
    await pressButton('Turn notifications off')
    await waitFor(() => expect(state()).toBe('off'))
    await open()
    expect(state()).toBe('off')
  })

  test('behavior: where the browser denies them nothing can be turned on', async () => {
    notification.permission = 'denied'
    await open()
    expect(state()).not.toBe('off')
    expect(screen.queryByRole('button', { name: 'Turn notifications on' })).toBeNull()
  })
})

describe('the sessions of an account', () => {
  test('behavior: listed with device, place and times; one’s own cannot be ended here', async () => {
    await open()
    const own = rows().find(({ textContent }) => textContent.includes('This browser')) as HTMLElement
    expect(own.textContent).toMatch(/Chrome on Linux.*From 127\.0\.0\.1/)
    expect(own.querySelectorAll('time')).toHaveLength(2)
    expect(within(own).queryByRole('button')).toBeNull()
    await expectAccessible()
  })

  test('behavior: one is ended, which is said, and the focus goes to the heading', async () => {
    browser.server.answer(revokeSession, () => {
      sessions = [current]
      return undefined
    })
    await open()
    await pressButton('End the session of Node.js')
    await screen.findByText('1 session has ended.')
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(browser.server.asked(revokeSession)).toEqual([{ id: script.id }])
    expect(document.activeElement?.textContent).toBe('Where you are signed in')
  })

  test('behavior: all others are ended with one press, where there are several', async () => {
    browser.server.answer(revokeOtherSessions, () => {
      sessions = [current]
      return { ended: 2 }
    })
    sessions = [current, script, phone]
    await open()
    const [head] = document.querySelectorAll<HTMLElement>('[data-sessions] > div')
    press(within(head as HTMLElement).getByRole('button'))
    await screen.findByText('2 sessions have ended.')
    await waitFor(() => expect(rows()).toHaveLength(1))
  })

  test('error: one that does not end stays in the list, and it is said', async () => {
    browser.server.fail(revokeSession, 'DATABASE_UNAVAILABLE', {}, 503)
    await open()
    await pressButton('End the session of Node.js')
    await screen.findByText(/DATABASE_UNAVAILABLE/)
    expect(rows()).toHaveLength(2)
  })
})
