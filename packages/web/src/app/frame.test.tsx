import {
  type ActivityEntry,
  getSafe,
  getSession,
  listActivity,
  listAlarms,
  listSafes,
  nameAddress,
} from '@countersign/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { concatHex, sha256, stringToHex, zeroHash } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  expectAccessible,
  expectStatus,
  type FakeBrowser,
  fill,
  findPart,
  main,
  press,
  pressButton,
  startBrowser,
  team,
} from '../test/open-page.ts'
import { answerSafes, safeAddress, safeOf, safePath } from '../test/safe.ts'
import { connect, findAccount, verify } from '../test/wallet-dialog.ts'

const at = '2026-03-01T12:00:00.000Z'

let browser: FakeBrowser
beforeEach(() => {
  browser = startBrowser()
  answerSafes(browser.server)
})
afterEach(() => browser.close())

const link = async (name: string) =>
  within(await findPart('[data-head] nav[aria-label="This Safe"]')).findByRole('link', { name: new RegExp(`^${name}`) })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

async function open(section = '/team'): Promise<void> {
  await browser.comeBack()
  await browser.open(safePath(section))
  await findPart('nav a[aria-current="page"]')
}

describe('the way to a page', () => {
  test('behavior: each section has a title of its own, and Back leads through them', async () => {
    await open('/activity')
    await heading('Activity')
    const titles = new Set([document.title])
    for (const name of ['Team', 'Address book', 'Settings', 'Messages', 'Assets']) {
      press(await link(name))
      await heading(name)
      await waitFor(() => expect([...titles]).not.toContain(document.title))
      titles.add(document.title)
    }
    expect(titles.size).toBe(6)
    history.back()
    await heading('Messages')
    history.back()
    await heading('Settings')
  })

  test('behavior: the page that is open is marked among the ways, and no other', async () => {
    await open('/team')
    await heading('Team')
    const marked = [...document.querySelectorAll('nav a[aria-current="page"]')].map((one) => one.getAttribute('href'))
    expect(new Set(marked)).toEqual(new Set([safePath('/team')]))
  })

  test('error: an address that names no Safe is told as such, and stands for none in the frame', async () => {
    await browser.comeBack()
    await browser.open('/safes/31337/0x12/queue')
    await heading('Page not found')
    const head = await findPart('[data-head]')
    await within(head).findByText('All my Safes')
    expect(head.textContent).not.toContain('0x12')
  })

  test.each(['/safes/0/0x12/team', '/safes/31337/nobody', `/safes/1e3/${safeAddress}`, '/nowhere'])(
    'error: %s is no page',
    async (path) => {
      await browser.comeBack()
      await browser.open(path)
      await heading('Page not found')
    },
  )
})

describe('somebody who is not signed in', () => {
  test('behavior: is asked to, nothing is asked in their name, and they come to the page they went to', async () => {
    browser.install(team.anna.privateKey)
    await browser.open(safePath('/team'))
    await main().findByRole('button', { name: /Connect/ })
    for (const endpoint of [listSafes, getSafe, listAlarms] as const) expect(browser.server.asked(endpoint)).toEqual([])
    await connect()
    await verify()
    await heading('Team')
    expect(location.pathname).toBe(safePath('/team'))
  })

  test('behavior: is not asked to connect while the server says who they are', async () => {
    await browser.comeBack()
    const answer = browser.server.hold(getSession)
    await browser.open()
    await expectStatus({ connection: 'connected', session: 'loading' })
    const account = within(await findAccount())
    await account.findByRole('button', { name: 'Connecting' })
    expect(account.queryByRole('button', { name: /^Connect( a)? wallet$/ })).toBeNull()
    answer()
    await account.findByRole('button', { name: /^account 0x/i })
  })

  test('error: is told that nobody knows who they are while the server does not answer, and tries again', async () => {
    await browser.comeBack()
    browser.server.fail(getSession, 'DATABASE_UNAVAILABLE', {}, 503)
    await browser.open(safePath('/team'))
    const retry = await main().findByRole('button', { name: 'Retry' }, { timeout: 20_000 })
    expect(browser.server.asked(getSafe)).toEqual([])
    browser.server.restore(getSession)
    press(retry)
    await heading('Team')
  })
})

describe('the name of a Safe', () => {
  test('behavior: the team’s name stands in the switcher, in the tab and in My Safes, and is found there', async () => {
    let safe = safeOf()
    browser.server.answer(getSafe, () => ({ ...safe, paid: [], isPaidWhole: true }))
    browser.server.answer(listSafes, () => ({ safes: [safe] }))
    browser.server.answer(nameAddress, ({ name, address }) => {
      safe = safeOf({ names: [{ name, author: team.anna.address, updatedAt: at }] })
      return { address, name, author: team.anna.address, signature: null, updatedAt: at }
    })
    await open('/settings')
    await fill('Your name for this Safe', 'Treasury of Anna')
    await pressButton('Save name')
    await screen.findByText('Saved: Treasury of Anna')
    await waitFor(() => expect(document.title).toBe('Settings · Treasury of Anna · Countersign'))
    await pressButton('Switch Safe. Now: Treasury of Anna')
    const dialog = within(await screen.findByRole('dialog'))
    const search = await dialog.findByRole('searchbox')
    fireEvent.change(search, { target: { value: 'treasury of' } })
    await dialog.findByRole('link', { name: /Treasury of Anna/ })
    fireEvent.change(search, { target: { value: 'nobody' } })
    await dialog.findByText(/^None of your Safes has “nobody”/)
    await browser.open('/')
    await main().findByText('Treasury of Anna')
  })
})

describe('a server that does not answer', () => {
  test.each(['/book', '/team', '/activity'])(
    'behavior: on %s it is said once, with one button, and goes away',
    async (section) => {
      await open('/settings')
      await heading('Settings')
      browser.server.isAway = true
      press(await link({ '/book': 'Address book', '/team': 'Team', '/activity': 'Activity' }[section] ?? ''))
      await findPart('[data-banner] [data-tone="danger"]')
      expect(screen.getAllByText('SERVER_UNREACHABLE')).toHaveLength(1)
      expect(screen.getAllByRole('button', { name: 'Retry' })).toHaveLength(1)
      browser.server.isAway = false
      await pressButton('Retry')
      await waitFor(() => expect(document.querySelector('[data-banner] [data-tone]')).toBeNull())
      await waitFor(() => expect(document.querySelector('[data-not-loaded]')).toBeNull())
    },
  )

  test('error: one answer that fails leaves the page standing, with another try', async () => {
    await open('/team')
    browser.server.fail(listActivity, 'INTERNAL', {}, 500)
    press(await link('Activity'))
    await heading('Activity')
    await main().findByRole('alert')
    browser.server.answer(listActivity, { entries: [entry('added-safe')], nextCursor: null })
    press(await main().findByRole('button', { name: 'Retry' }))
    await findPart('[data-verb="added-safe"]')
  })
})

describe('a device without a network', () => {
  test('behavior: a server on it is used as with one', async () => {
    await browser.comeBack()
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await browser.open(safePath('/team'))
    dispatchEvent(new Event('offline'))
    press(await link('Activity'))
    await screen.findByText('No activity yet')
    expect(document.querySelector('[data-offline]')).toBeNull()
    vi.restoreAllMocks()
  })
})

/** An entry of the log, with the hash that covers it. */
function entry(verb: ActivityEntry['verb'], previousHash: ActivityEntry['hash'] = zeroHash, id = '1'): ActivityEntry {
  const said = { verb, account: team.anna.address.toLowerCase(), safeTxHash: null, detail: null, reviewed: null }
  const hashed = JSON.stringify(said)
  const hash = sha256(concatHex([previousHash, stringToHex(hashed)]))
  return {
    id,
    at,
    account: team.anna.address,
    verb,
    safeTxHash: null,
    detail: null,
    reviewed: null,
    hash,
    previousHash,
    hashed,
  }
}

describe('the activity of a Safe', () => {
  const first = entry('added-safe')
  const second = entry('invited-viewer', first.hash, '2')

  test('behavior: entries that fit together are said to, with the hash of the newest', async () => {
    browser.server.answer(listActivity, { entries: [second, first], nextCursor: null })
    await open('/activity')
    await findPart('[data-verb="invited-viewer"]')
    expect(screen.queryByRole('alert')).toBeNull()
    await findPart(`[data-hash="${second.hash}"]`)
    await expectAccessible()
  })

  test.each([
    ['an entry that is missing', [second, { ...first, hash: zeroHash }]],
    ['another verb than was hashed', [second, { ...first, verb: 'removed-viewer' as const }]],
    ['another account than was hashed', [{ ...second, account: team.stranger.address }, first]],
    ['a text that was changed', [{ ...second, hashed: second.hashed.replace('invited', 'removed') }, first]],
  ])('behavior: %s is told of', async (_, entries) => {
    browser.server.answer(listActivity, { entries, nextCursor: null })
    await open('/activity')
    await main().findByRole('alert')
    await findPart('[data-tone="danger"]')
  })

  test('behavior: the next page of the list is asked for by its cursor', async () => {
    browser.server.answer(listActivity, ({ cursor }) =>
      cursor ? { entries: [first], nextCursor: null } : { entries: [second], nextCursor: 'older' },
    )
    await open('/activity')
    await findPart('[data-verb="invited-viewer"]')
    expect(document.querySelector('[data-verb="added-safe"]')).toBeNull()
    await pressButton('Show older')
    await findPart('[data-verb="added-safe"]')
    expect(browser.server.asked(listActivity).map(({ cursor }) => cursor)).toEqual([undefined, 'older'])
  })
})
