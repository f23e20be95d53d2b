import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { addSafe, comeBack, type Owner, safePath } from '../src/people/owner.ts'
import { proposeByScript, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

type Received = { headers: IncomingHttpHeaders; body: string }

let scene: Scene
let safe: SafeAt
let anna: Owner
let bruno: Owner
let receiver: Server
let origin: string
let answer = 204
const received: Received[] = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(answer).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  origin = `http://127.0.0.1:${address.port}`
  scene = await startScene()
  safe = await scene.newSafe()
  anna = await scene.owner(team.anna.privateKey)
  bruno = await scene.owner(team.bruno.privateKey)
  for (const person of [anna, bruno]) await comeBack(person)
  await addSafe(anna, safe.safeAddress)
})
afterAll(async () => {
  await scene?.closeOwners()
  await scene?.close()
  receiver?.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
})
afterEach(() => {
  for (const person of [anna, bruno]) person?.watch.assertNone()
})

/** As `docs/webhooks.md` tells receivers to. */
function isGenuine({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(signed).digest()
  const given = Buffer.from(String(headers['webhook-signature']).slice('v1,'.length), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const typesReceived = () => received.map(({ body }): unknown => JSON.parse(body).type)

describe('webhooks', () => {
  test('behavior: created, its secret shown once, tested, told of a proposal, sent again, removed', async () => {
    const { page, url } = anna
    const safeUrl = `${url}${safePath(scene.chainId, safe.safeAddress)}`
    await page.goto(`${safeUrl}/team`)
    await page.getByRole('link', { name: 'Manage webhooks' }).click()
    await page.getByText('No webhooks yet').waitFor()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText('Enter a URL.').waitFor()
    await page.getByLabel('URL', { exact: true }).fill(`${origin}/hook?key=4711`)
    await page.getByRole('checkbox', { name: /^Proposed/ }).check()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    const secret = (await page.locator('[data-shown-once]').textContent()) ?? ''
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.locator('[data-shown-once]').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(secret)

    // The path may hold a secret of the one who created it.
    await bruno.page.goto(`${safeUrl}/team/webhooks`)
    await bruno.page.getByText(origin, { exact: true }).waitFor()
    expect(await bruno.page.content()).not.toContain('4711')

    const row = page.locator('[data-webhook]')
    await row.getByRole('button', { name: /^Send a test/ }).click()
    await row.locator('[data-outcome="delivered"]').getByText('Test', { exact: true }).waitFor()
    expect(typesReceived()).toEqual(['test'])
    await proposeByScript(await signInByScript(url, team.bruno.privateKey, scene.chainId), safe, {
      to: team.relayer.address,
      nonce: 0n,
      value: 1n,
    })
    await row.locator('[data-outcome="delivered"]').getByText('Transaction proposed').waitFor()
    expect(typesReceived()).toEqual(['test', 'proposed'])
    expect(received.every((request) => isGenuine(request, secret))).toBe(true)

    answer = 500
    await row.getByRole('button', { name: /^Send a test/ }).click()
    const failed = row.locator('[data-outcome="failed"]')
    await failed.getByText('The receiver answered with status 500.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    answer = 204
    await failed.getByRole('button', { name: 'Send again: Test' }).click()
    await failed.waitFor({ state: 'detached' })
    await expect.poll(() => row.locator('[data-outcome="delivered"]').count()).toBe(3)

    await row.getByRole('button', { name: /^Remove/ }).click()
    await row.getByRole('button', { name: 'Remove now' }).click()
    await page.getByText('No webhooks yet').waitFor()
    // The other owner's screen has not been touched.
    await bruno.page.getByText('No webhooks yet').waitFor()
    await page.goto(`${safeUrl}/activity`)
    await page.getByText('removed a webhook').waitFor()
  })
})
