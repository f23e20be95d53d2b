import { addSafe, getSafe, listSafes, type Safe } from '@countersign/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { getAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  choose,
  expectAccessible,
  type FakeBrowser,
  fill,
  findPart,
  main,
  press,
  pressButton,
  startBrowser,
  team,
} from '../../test/open-page.ts'
import { answerSafes, safeAddress, safeOf, safePath } from '../../test/safe.ts'

const at = '2026-03-01T12:00:00.000Z'
const busy = safeOf({ awaitingMyConfirmation: 2 })
const quiet = safeOf({ address: getAddress('0x1111111111111111111111111111111111111111') })
const other = safeOf({ address: getAddress('0x2222222222222222222222222222222222222222') })
const named = (safe: Safe, name: string) => ({ ...safe, names: [{ name, author: team.anna.address, updatedAt: at }] })

let browser: FakeBrowser
beforeEach(() => {
  browser = startBrowser()
})
afterEach(() => browser.close())

async function open(safes: readonly Safe[], path = '/'): Promise<void> {
  answerSafes(browser.server, safes)
  await browser.comeBack()
  await browser.open(path)
}

const row = async ({ address }: Safe) => within(await findPart(`[data-safe="${address}" i]`))
const listed = () =>
  [...document.querySelectorAll<HTMLElement>('article[data-safe]')].map(({ dataset }) => dataset.safe)

describe('the list of Safes', () => {
  test('behavior: empty, it names the account that owns none', async () => {
    await open([])
    await screen.findByText('No Safes yet')
    expect(main().getByText(new RegExp(team.anna.address))).not.toBeNull()
    await expectAccessible()
  })

  test('behavior: a Safe shows what waits, its owners, and roles other than owner', async () => {
    await open([busy, { ...quiet, role: 'viewer' }, { ...other, role: null, version: null, isDeployed: false }])
    const waiting = await row(busy)
    waiting.getByText(/^2 of 2/)
    waiting.getByText('2 transactions to review')
    const viewed = await row(quiet)
    viewed.getByText('Viewer')
    const unofficial = await row(other)
    unofficial.getByText('Not an official release')
    unofficial.getByText('Not on the chain yet')
    await expectAccessible()
  })

  test('behavior: one is hidden, stays so after a reload, and is shown again', async () => {
    await open([busy, quiet, other])
    press((await row(quiet)).getByRole('button', { name: /^Hide/ }))
    await waitFor(() => expect(listed()).not.toContain(quiet.address))
    await browser.open('/')
    await pressButton('Show 1 hidden Safe')
    press((await row(quiet)).getByRole('button'))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show 1 hidden Safe' })).toBeNull())
    await row(quiet)
  })

  test('behavior: hidden by keyboard, the focus goes to what shows it again', async () => {
    await open([busy, quiet, other])
    press((await row(quiet)).getByRole('button', { name: /^Hide/ }))
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Show 1 hidden Safe'))
  })

  test('behavior: where something waits, and where there is one alone, nothing can be hidden', async () => {
    await open([busy, quiet])
    expect((await row(busy)).queryByRole('button')).toBeNull()
    await open([quiet])
    expect((await row(quiet)).queryByRole('button')).toBeNull()
  })

  test('behavior: ordered by name where somebody wants that, also after a reload', async () => {
    await open([named(quiet, 'Beta'), named(other, 'Alpha')])
    await row(other)
    await choose('Order', 'name')
    await waitFor(() => expect(listed()).toEqual([other.address, quiet.address]))
    await browser.open('/')
    await row(other)
    expect(listed()).toEqual([other.address, quiet.address])
  })

  test('error: a list that fails says so, and is asked for again', async () => {
    answerSafes(browser.server, [busy])
    browser.server.fail(listSafes, 'DATABASE_UNAVAILABLE', {}, 503)
    await browser.comeBack()
    await browser.open('/')
    const retry = await screen.findByRole('button', { name: 'Retry' }, { timeout: 20_000 })
    expect(screen.queryByText('No Safes yet')).toBeNull()
    browser.server.restore(listSafes)
    press(retry)
    await row(busy)
  })
})

describe('the list where the Safe is switched', () => {
  const choices = async () =>
    within(await screen.findByRole('dialog'))
      .findAllByRole('listitem')
      .then((items) => items.map((item) => within(item).getByRole('link').getAttribute('title')))

  test('behavior: what waits comes first, what is hidden last, and the search has the focus', async () => {
    await open([quiet, busy, other])
    press((await row(quiet)).getByRole('button', { name: /^Hide/ }))
    await waitFor(() => expect(listed()).not.toContain(quiet.address))
    await pressButton(/^(Switch Safe|All my Safes)/)
    await waitFor(async () => expect(await choices()).toHaveLength(3))
    const [first, , last] = await choices()
    expect([first, last]).toEqual([busy.address, quiet.address])
    await waitFor(() => expect(document.activeElement?.tagName).toBe('INPUT'))
  })
})

describe('two Safes whose addresses begin and end alike', () => {
  const imitation = safeOf({
    address: getAddress(`${safeAddress.slice(0, 6)}${'1'.repeat(32)}${safeAddress.slice(-4)}`),
  })
  const said = 'Address looks like that of another of your Safes'

  test('behavior: both are marked in the list', async () => {
    await open([busy, imitation])
    for (const safe of [busy, imitation]) (await row(safe)).getByText(said)
  })

  test('behavior: both are marked where the Safe is switched', async () => {
    await open([busy, imitation], safePath('/activity'))
    await pressButton(/^Switch Safe/)
    await waitFor(() => expect(within(screen.getByRole('dialog')).getAllByText(said)).toHaveLength(2))
  })

  test('behavior: two that only begin alike are not', async () => {
    await open([busy, safeOf({ address: getAddress(`${safeAddress.slice(0, 6)}${'1'.repeat(36)}`) })])
    await row(busy)
    expect(screen.queryByText(said)).toBeNull()
  })
})

describe('adding a Safe', () => {
  test.each(['', '0x12', `${safeAddress.slice(0, -1)}a`])(
    'behavior: “%s” is no address, and nothing is sent',
    async (typed) => {
      await open([])
      await screen.findByText('No Safes yet')
      await fill('Safe address', typed)
      await pressButton('Add')
      await waitFor(() => expect(screen.getByLabelText('Safe address').getAttribute('aria-invalid')).toBe('true'))
      expect(browser.server.asked(addSafe)).toEqual([])
    },
  )

  test('error: an address without a Safe is told of, and stays in the field', async () => {
    await open([])
    browser.server.fail(addSafe, 'NOT_A_SAFE', { address: safeAddress, chainId: 31_337 }, 422)
    await fill('Safe address', safeAddress)
    await pressButton('Add')
    await main().findByRole('alert')
    expect((screen.getByLabelText('Safe address') as HTMLInputElement).value).toBe(safeAddress)
  })

  test('behavior: one that is added is opened', async () => {
    await open([])
    browser.server.answer(addSafe, busy)
    browser.server.answer(getSafe, { ...busy, paid: [], isPaidWhole: true })
    await fill('Safe address', safeAddress)
    await pressButton('Add')
    await waitFor(() => expect(location.pathname).toBe(safePath()))
    expect(browser.server.asked(addSafe)).toEqual([{ chainId: 31_337, address: safeAddress }])
  })
})

describe('the tour of the demo Safe', () => {
  const demo = safeOf({ address: '0x7a1f88339bA70d46D09Cc3845B68d76A9591c0b3' })

  test('behavior: is offered to its owners', async () => {
    await open([demo])
    await pressButton('Take the tour of the demo Safe')
    await screen.findByRole('link', { name: 'Go to the demo Safe' })
  })

  test.each([
    ['others', []],
    ['whoever only views it', [{ ...demo, role: 'viewer' as const }]],
  ])('behavior: %s are told whose it is', async (_, safes) => {
    await open(safes)
    await screen.findByText(/connect with the Demo wallet as one of its owners/)
    expect(screen.queryByRole('button', { name: /tour of the demo Safe/ })).toBeNull()
  })
})
