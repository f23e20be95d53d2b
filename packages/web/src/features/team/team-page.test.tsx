import {
  addDelegate,
  addDelegateOfAll,
  type Delegate,
  getSafe,
  inviteViewer,
  listDelegates,
  listViewers,
  removeDelegate,
  removeViewer,
  type ViewerEntry,
} from '@countersign/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FakeEventSource } from '../../test/browser-stubs.ts'
import {
  expectAccessible,
  type FakeBrowser,
  fill,
  findPart,
  press,
  pressButton,
  startBrowser,
  team,
} from '../../test/open-page.ts'
import { answerSafes, safeAddress, safeOf, safePath } from '../../test/safe.ts'

const at = '2026-03-01T12:00:00.000Z'
const place = { chainId: 31_337, safeAddress }
const payroll: Delegate = {
  safeAddress,
  delegate: team.stranger.address,
  delegator: team.anna.address,
  label: 'Payroll',
  createdAt: at,
  expiryDate: null,
}
const auditor: ViewerEntry = {
  account: team.stranger.address,
  label: 'Auditor',
  invitedBy: team.anna.address,
  createdAt: at,
}

let browser: FakeBrowser
let delegates: Delegate[]
let viewers: ViewerEntry[]
beforeEach(() => {
  browser = startBrowser()
  delegates = []
  viewers = []
  answerSafes(browser.server)
  browser.server.answer(listDelegates, () => ({ delegates }))
  browser.server.answer(listViewers, () => ({ viewers }))
})
afterEach(() => browser.close())

async function open(account = team.anna): Promise<void> {
  await browser.comeBack(account)
  await browser.open(safePath('/team'))
}

const person = async (account: string) => within(await findPart(`[data-person="${account}" i]`))

describe('proposers', () => {
  test('behavior: named by an owner for this Safe, for ninety days unless they say otherwise', async () => {
    browser.server.answer(addDelegate, ({ delegate, label, expiryDate }) => {
      delegates = [{ ...payroll, delegate, label, expiryDate }]
      return delegates[0] as Delegate
    })
    await open()
    await screen.findByText('No proposers yet')
    await fill('Proposer address', team.stranger.address)
    await fill('Proposer name', 'Payroll')
    await pressButton('Add proposer')
    await screen.findByText('Payroll can now propose on your behalf.')
    const row = await person(team.stranger.address)
    row.getByText('Payroll')
    const [asked] = browser.server.asked(addDelegate)
    expect(asked).toMatchObject({ ...place, delegate: team.stranger.address, label: 'Payroll' })
    const days = (Date.parse(String(asked?.expiryDate)) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(90)
  })

  test('behavior: named for all Safes of the chain', async () => {
    browser.server.answer(addDelegateOfAll, () => {
      delegates = [{ ...payroll, safeAddress: null }]
      return delegates[0] as Delegate
    })
    await open()
    await fill('Proposer address', team.stranger.address)
    await fill('Proposer name', 'Payroll')
    const scope = screen.getAllByRole('combobox').find((field) => field.querySelector('option[value="all"]'))
    fireEvent.change(scope as Element, { target: { value: 'all' } })
    await pressButton('Add proposer')
    await screen.findByText('Payroll can now propose on your behalf.')
    expect(browser.server.asked(addDelegate)).toEqual([])
    expect(browser.server.asked(addDelegateOfAll)).toMatchObject([{ chainId: 31_337, label: 'Payroll' }])
  })

  test.each([
    ['', 'Payroll', 'Enter an address.'],
    ['0x12', 'Payroll', null],
    [team.stranger.address, '', null],
  ])('behavior: nothing is sent with the address “%s” and the name “%s”', async (address, name, sentence) => {
    await open()
    await screen.findByText('No proposers yet')
    await fill('Proposer address', address)
    await fill('Proposer name', name)
    await pressButton('Add proposer')
    await waitFor(() => expect(document.querySelector('[aria-invalid="true"]')).not.toBeNull())
    if (sentence) screen.getByText(sentence)
    expect(browser.server.asked(addDelegate)).toEqual([])
  })

  test('behavior: another owner sees who says so, without reloading, and cannot remove them', async () => {
    await open(team.bruno)
    await screen.findByText('No proposers yet')
    delegates = [payroll]
    FakeEventSource.tell({ kind: 'team', ...place })
    const row = await person(team.stranger.address)
    row.getByText('Payroll')
    expect(document.querySelector(`[data-person] [data-address="${team.anna.address}"]`)).not.toBeNull()
    expect(row.queryByRole('button', { name: /^remove/i })).toBeNull()
  })

  test('behavior: removed by who named them, once it was said twice', async () => {
    delegates = [payroll]
    browser.server.answer(removeDelegate, () => {
      delegates = []
      return undefined
    })
    await open()
    const row = await person(team.stranger.address)
    press(row.getByRole('button', { name: 'Remove Payroll' }))
    await row.findByText(/will no longer be able to propose on your behalf in this Safe/)
    expect(browser.server.asked(removeDelegate)).toEqual([])
    press(row.getByRole('button', { name: 'Remove now' }))
    await screen.findByText('No proposers yet')
    expect(browser.server.asked(removeDelegate)).toEqual([
      { ...place, delegate: team.stranger.address, delegator: team.anna.address },
    ])
  })

  test('error: an owner whom the Safe has removed meanwhile is told so, and the form stays as it is', async () => {
    browser.server.fail(addDelegate, 'NOT_AN_OWNER', { account: team.anna.address }, 403)
    await open()
    await fill('Proposer address', team.stranger.address)
    await fill('Proposer name', 'Payroll')
    await pressButton('Add proposer')
    await waitFor(() => expect(document.querySelector('form [role="alert"]')).not.toBeNull())
    expect((screen.getByLabelText('Proposer name') as HTMLInputElement).value).toBe('Payroll')
  })
})

describe('viewers', () => {
  test('behavior: invited by an owner', async () => {
    browser.server.answer(inviteViewer, ({ account, label }) => {
      viewers = [{ ...auditor, account, label }]
      return viewers[0] as ViewerEntry
    })
    await open()
    await screen.findByText('No viewers yet')
    await fill('Viewer address', team.stranger.address)
    await fill('Viewer name', 'Auditor')
    await pressButton('Invite viewer')
    await screen.findByText('Auditor can now see this Safe in My Safes.')
    await person(team.stranger.address)
  })

  test('behavior: a viewer sees the team, has no form, and leaves', async () => {
    viewers = [auditor]
    browser.server.answer(getSafe, { ...safeOf({ role: 'viewer' }), paid: [], isPaidWhole: true })
    browser.server.answer(removeViewer, () => {
      viewers = []
      browser.server.fail(getSafe, 'SAFE_NOT_FOUND', { safeAddress }, 404)
      return undefined
    })
    await open(team.stranger)
    const row = await person(team.stranger.address)
    row.getByText('Auditor')
    expect(document.querySelector('main form')).toBeNull()
    expect(screen.queryByRole('link', { name: 'Manage webhooks' })).toBeNull()
    await expectAccessible()
    press(row.getByRole('button', { name: 'Leave' }))
    press(await row.findByRole('button', { name: 'Leave now' }))
    await screen.findByText('Only the team can see its proposers and viewers')
    expect(browser.server.asked(removeViewer)).toEqual([{ ...place, account: team.stranger.address }])
  })

  test('behavior: whoever is not of the team does not learn who is', async () => {
    browser.server.fail(getSafe, 'SAFE_NOT_FOUND', { safeAddress }, 404)
    await open(team.stranger)
    await screen.findByText('Only the team can see its proposers and viewers')
    expect(browser.server.asked(listDelegates)).toEqual([])
    expect(browser.server.asked(listViewers)).toEqual([])
  })
})

describe('ways from the team', () => {
  test('behavior: an owner gets to policy and webhooks', async () => {
    await open()
    const link = await screen.findByRole('link', { name: 'Manage webhooks' })
    expect(link.getAttribute('href')).toBe(safePath('/team/webhooks'))
  })

  test('behavior: a proposer gets to the policy, and not to webhooks', async () => {
    answerSafes(browser.server, [safeOf({ role: 'proposer' })])
    browser.server.answer(listDelegates, () => ({ delegates }))
    browser.server.answer(listViewers, () => ({ viewers }))
    await open(team.stranger)
    await waitFor(() => expect(document.querySelector(`a[href="${safePath('/team/policy')}"]`)).not.toBeNull())
    expect(screen.queryByRole('link', { name: 'Manage webhooks' })).toBeNull()
  })
})
