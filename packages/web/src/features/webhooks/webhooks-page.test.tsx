import {
  createWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  removeWebhook,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
} from '@countersign/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
const webhook: Webhook = {
  id: 'one',
  url: 'https://hooks.example/hook',
  events: ['proposed'],
  account: team.anna.address,
  createdAt: at,
  state: 'on',
  waiting: 0,
}
const delivery: WebhookDelivery = {
  id: '1',
  messageId: 'msg_1',
  type: 'test',
  body: '{"type":"test"}',
  createdAt: at,
  attempts: 1,
  attemptedAt: at,
  deliveredAt: at,
  dueAt: null,
  status: 204,
  failure: null,
  milliseconds: 12,
}
const secret = `whsec_${'A'.repeat(43)}=`

let browser: FakeBrowser
let webhooks: Webhook[]
let deliveries: WebhookDelivery[]
beforeEach(async () => {
  browser = startBrowser()
  webhooks = []
  deliveries = []
  answerSafes(browser.server)
  browser.server.answer(listWebhooks, () => ({ webhooks }))
  browser.server.answer(listDeliveries, () => ({ deliveries }))
  await browser.comeBack()
})
afterEach(() => browser.close())

const open = () => browser.open(safePath('/team/webhooks'))
const row = async (state: Webhook['state'] = 'on') => within(await findPart(`[data-webhook][data-state="${state}"]`))

describe('the form of a webhook', () => {
  test('behavior: without a URL nothing is sent', async () => {
    await open()
    await screen.findByText('No webhooks yet')
    await pressButton('Create webhook')
    await screen.findByText('Enter a URL.')
    expect(browser.server.asked(createWebhook)).toEqual([])
  })

  test('behavior: its secret is shown once, and is nowhere on the page afterwards', async () => {
    browser.server.answer(createWebhook, ({ url, events }) => {
      webhooks = [{ ...webhook, url, events }]
      return { webhook: webhooks[0] as Webhook, secret }
    })
    await open()
    await fill('URL', 'https://hooks.example/hook?key=4711')
    press(await screen.findByRole('checkbox', { name: /^Proposed/ }))
    await pressButton('Create webhook')
    await waitFor(() => expect(document.querySelector('[data-shown-once]')?.textContent).toBe(secret))
    expect(browser.server.asked(createWebhook)).toEqual([
      {
        chainId: 31_337,
        safeAddress,
        url: 'https://hooks.example/hook?key=4711',
        events: expect.arrayContaining(['confirmation-needed', 'ready', 'executed', 'proposed']),
      },
    ])
    await pressButton('I have copied it')
    await row()
    expect(document.body.innerHTML).not.toContain(secret)
  })

  test('error: a URL that is refused stays in the form, and says why', async () => {
    browser.server.fail(createWebhook, 'WEBHOOK_URL_REFUSED', { url: 'https://10.0.0.1/hook', reason: 'address' }, 422)
    await open()
    await fill('URL', 'https://10.0.0.1/hook')
    await pressButton('Create webhook')
    await waitFor(() => expect(document.querySelector('form [role="alert"]')).not.toBeNull())
    expect((screen.getByLabelText('URL') as HTMLInputElement).value).toBe('https://10.0.0.1/hook')
  })

  test('error: without an answer it is not sent a second time', async () => {
    await open()
    await fill('URL', 'https://hooks.example/offline')
    browser.server.isAway = true
    await pressButton('Create webhook')
    await waitFor(() => expect(document.querySelector('form [role="alert"]')).not.toBeNull())
    browser.server.isAway = false
    expect((screen.getByLabelText('URL') as HTMLInputElement).value).toBe('https://hooks.example/offline')
    expect(browser.server.asked(createWebhook)).toEqual([])
  })
})

describe('the list of webhooks', () => {
  test('error: one that fails says so, and is asked for again', async () => {
    browser.server.fail(listWebhooks, 'DATABASE_UNAVAILABLE', {}, 503)
    await open()
    const again = await screen.findByRole('button', { name: 'Retry' }, { timeout: 20_000 })
    expect(screen.queryByText('No webhooks yet')).toBeNull()
    browser.server.restore(listWebhooks)
    press(again)
    await screen.findByText('No webhooks yet')
  })

  test('behavior: one that is disabled says why, and a test enables it', async () => {
    webhooks = [{ ...webhook, state: 'disabled' }]
    browser.server.answer(testWebhook, () => {
      webhooks = [webhook]
      deliveries = [delivery]
      return delivery
    })
    await open()
    const disabled = await row('disabled')
    disabled.getByText('Disabled')
    disabled.getByText(/Nothing is sent until you enable the webhook\./)
    expect(disabled.queryByRole('button', { name: /^Send a test/ })).toBeNull()
    await expectAccessible()
    press(disabled.getByRole('button', { name: /^Test and enable/ }))
    const enabled = await row()
    await enabled.findByRole('button', { name: /^Send a test/ })
    await waitFor(() => expect(document.querySelector('[data-outcome="delivered"]')?.textContent).toContain('Test'))
  })

  test('behavior: one whose creator is no owner any more can only be removed', async () => {
    webhooks = [{ ...webhook, state: 'no-owner', account: team.stranger.address }]
    await open()
    const found = await row('no-owner')
    expect(found.queryByRole('button', { name: /^(Send a test|Test and enable)/ })).toBeNull()
    found.getByRole('button', { name: /^Remove/ })
  })

  test('behavior: a delivery that failed names the status, and is sent again', async () => {
    webhooks = [webhook]
    deliveries = [{ ...delivery, deliveredAt: null, status: 500, failure: 'status' }]
    browser.server.answer(redeliver, () => {
      deliveries = [delivery]
      return delivery
    })
    await open()
    press((await row()).getByText('Deliveries', { selector: 'summary *, summary' }))
    await screen.findByText('The receiver answered with status 500.')
    await expectAccessible()
    await pressButton('Send again: Test')
    await waitFor(() => expect(document.querySelector('[data-outcome="delivered"]')).not.toBeNull())
    expect(screen.queryByText('The receiver answered with status 500.')).toBeNull()
  })

  test('behavior: removed once it was said twice', async () => {
    webhooks = [webhook]
    browser.server.answer(removeWebhook, () => {
      webhooks = []
      return undefined
    })
    await open()
    press((await row()).getByRole('button', { name: /^Remove/ }))
    expect(browser.server.asked(removeWebhook)).toEqual([])
    await pressButton('Remove now')
    await screen.findByText('No webhooks yet')
  })

  test.each(['proposer', 'viewer', null] as const)(
    'behavior: a reader who is no owner (%s) is told so',
    async (role) => {
      answerSafes(browser.server, [safeOf({ role })])
      await open()
      await screen.findByText('Only owners can manage webhooks')
      expect(document.querySelector('main form')).toBeNull()
      expect(browser.server.asked(listWebhooks)).toEqual([])
    },
  )
})
