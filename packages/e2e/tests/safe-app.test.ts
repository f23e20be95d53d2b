import { createServer } from 'node:http'
import { deploySafe } from '@countersign/devnet'
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startBrowserThatBlocks } from '../src/browser/browser.ts'
import { violationsOf } from '../src/browser/faults.ts'
import { UI_TIMEOUT_MS } from '../src/browser/ui-timeout.ts'
import { type Watch, watchContext } from '../src/browser/watch.ts'
import { names, transactionPath } from '../src/people/owner.ts'
import { addSafeByScript, proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { freePort } from '../src/product/product.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { type SafeHost, startSafeHost } from '../src/wallets/safe-host.ts'

let scene: Scene
let host: SafeHost
beforeAll(async () => {
  const port = await freePort()
  const allowedHosts = [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  scene = await startScene({ configuration: { chains: [], safeApp: { allowedHosts } } })
  const { rpcUrl, chainId, product } = scene
  host = await startSafeHost({ port, appUrl: product.url, rpcUrl, chainId })
})
afterAll(async () => {
  await host?.close()
  await scene?.close()
})

type Visit = { context: BrowserContext; page: Page; app: FrameLocator; watch: Watch }
const visits: Visit[] = []
afterEach(async () => {
  const open = visits.splice(0)
  for (const { context } of open) await context.close()
  for (const { watch } of open) watch.assertNone()
})

/** A person opens Countersign in a Safe interface. */
async function visit(browser: Browser, url = host.sameSite): Promise<Visit> {
  return visitIn(await browser.newContext({ viewport: { width: 1280, height: 900 } }), url)
}

async function visitIn(context: BrowserContext, url: string): Promise<Visit> {
  context.setDefaultTimeout(UI_TIMEOUT_MS)
  const watch = await watchContext(context, new URL(scene.product.url).origin)
  // The interface is a page of its own.
  watch.expect(new RegExp(`request left: (${host.sameSite}|${host.crossSite})`))
  await context.clock.install()
  const page = await context.newPage()
  await page.goto(url)
  const visit = { context, page, app: page.frameLocator('#app'), watch }
  visits.push(visit)
  return visit
}

const connected = (app: FrameLocator) => app.locator('html[data-connection-status="connected"]')
const authenticated = (app: FrameLocator) => app.locator('html[data-session-status="authenticated"]')
const dialog = (app: FrameLocator) => app.getByRole('dialog').first()

async function sign(app: FrameLocator): Promise<void> {
  await connected(app).waitFor({ state: 'attached' })
  await app.getByRole('button', { name: names.verify }).first().click()
  await dialog(app).getByRole('button', { name: names.sign, exact: true }).click()
}

const waiting = (app: FrameLocator) => dialog(app).getByText('Waiting for the other owners').first()

/** Lets time pass in the page, a minute at a go: it may not have come to its pause yet when the first has passed. */
async function passTimeUntil({ context }: Pick<Visit, 'context'>, isReached: () => Promise<boolean>): Promise<void> {
  const look = async () => {
    await context.clock.fastForward(60_000)
    return isReached()
  }
  await expect.poll(look, { interval: 300 }).toBe(true)
}

/** The page looks for the owners' signatures now and then. */
async function signedInByTime(visit: Visit): Promise<void> {
  await passTimeUntil(visit, async () => (await authenticated(visit.app).count()) > 0)
}

/** The server answers a verification, and its answer stays on its way until it is let through, or is lost. */
async function holdVerification({ context, page }: Visit) {
  const network = await context.newCDPSession(page)
  const answers: string[] = []
  network.on('Fetch.requestPaused', ({ requestId, request: { method } }) => {
    if (method !== 'POST') void network.send('Fetch.continueResponse', { requestId })
    else answers.push(requestId)
  })
  await network.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/session', requestStage: 'Response' }] })
  const end = async () => {
    await network.send('Fetch.disable')
    await network.detach()
  }
  return {
    answers,
    release: end,
    lose: async () => {
      for (const requestId of answers)
        await network.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      await end()
    },
  }
}

describe('inside a Safe interface', () => {
  test('behavior: one owner: connects by itself, signs in with the answer', async () => {
    const safeAddress = await host.openSafe([team.anna.privateKey], 1)
    const { app } = await visit(scene.browser)
    await sign(app)
    await authenticated(app).waitFor({ state: 'attached' })
    expect(host.requests.map(({ method }) => method)).toContain('signMessage')
    expect(host.requests).toContainEqual({
      method: 'rpcCall',
      params: { call: 'safe_setSettings', params: [{ offChainSigning: true }] },
    })
    await app.getByRole('button', { name: names.profile }).click()
    await dialog(app).locator(`[data-address="${safeAddress}"]`).first().waitFor()
  })

  test('behavior: two of three: waits, goes on after a reload, signs in when the second owner has signed', async () => {
    await host.openSafe([team.anna.privateKey, team.bruno.privateKey, team.stranger.privateKey], 2)
    const person = await visit(scene.browser)
    const { app, page } = person
    await sign(app)
    await waiting(app).waitFor()
    await dialog(app)
      .getByText(/^Time left: 2[34] hours/)
      .waitFor()
    await page.reload()
    await waiting(app).waitFor()
    expect(host.requests.filter(({ method }) => method === 'signMessage')).toHaveLength(1)
    await host.signAs(team.bruno.privateKey)
    await signedInByTime(person)
    await dialog(app).waitFor({ state: 'detached' })
    await page.reload()
    await authenticated(app).waitFor({ state: 'attached' })
  })

  test('behavior: the waiting screen: no violation in both themes, and room from 320 px', async () => {
    await host.openSafe([team.anna.privateKey, team.bruno.privateKey], 2)
    const { app, page } = await visit(scene.browser)
    await sign(app)
    await waiting(app).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await page.frames()[1]?.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    expect(await dialog(app).evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  })

  test('behavior: with the dialog closed it is waited for all the same', async () => {
    await host.openSafe([team.anna.privateKey, team.bruno.privateKey, team.stranger.privateKey], 2)
    const person = await visit(scene.browser)
    const { app, page } = person
    await sign(app)
    await waiting(app).waitFor()
    await page.keyboard.press('Escape')
    await dialog(app).waitFor({ state: 'detached' })
    await host.signAs(team.stranger.privateKey)
    await signedInByTime(person)
  })

  test('behavior: a slow answer is neither given up nor asked for twice, whoever waits for it', async () => {
    await host.openSafe([team.anna.privateKey, team.bruno.privateKey], 2)
    const person = await visit(scene.browser)
    const { app, page, context } = person
    const held = await holdVerification(person)
    await sign(app)
    await waiting(app).waitFor()
    await host.signAs(team.bruno.privateKey)
    await passTimeUntil(person, async () => held.answers.length > 0)
    await page.keyboard.press('Escape')
    await dialog(app).waitFor({ state: 'detached' })
    // Longer than anybody waits for an answer.
    await context.clock.fastForward(60_000)
    expect(held.answers).toHaveLength(1)
    await held.release()
    await authenticated(app).waitFor({ state: 'attached' })
  })

  test('behavior: an answer that was lost on its way: the session is found at the next look', async () => {
    await host.openSafe([team.anna.privateKey, team.bruno.privateKey], 2)
    const person = await visit(scene.browser)
    const { app, watch } = person
    watch.expect(/ERR_CONNECTION_RESET/)
    watch.expect(/response: 401 \/api\/session SIWE_NONCE_USED/)
    const held = await holdVerification(person)
    await sign(app)
    await waiting(app).waitFor()
    await host.signAs(team.bruno.privateKey)
    await passTimeUntil(person, async () => held.answers.length > 0)
    await held.lose()
    await signedInByTime(person)
    await expect.poll(() => watch.troubles.join()).toContain('SIWE_NONCE_USED')
  })

  test('behavior: signed on the chain, by the owners, with an empty signature', async () => {
    await host.openSafe([team.anna.privateKey, team.bruno.privateKey, team.stranger.privateKey], 2)
    host.behave('sign-on-chain')
    const person = await visit(scene.browser)
    const { app } = person
    await sign(app)
    await dialog(app)
      .getByText('This Safe signs the message with a transaction, which costs gas.', { exact: false })
      .waitFor()
    await host.executeOnChain()
    await signedInByTime(person)
  })

  test('behavior: an answer that says nothing is waited for too; stopping leads back to signing', async () => {
    await host.openSafe([team.anna.privateKey], 1)
    host.behave('answer-nothing')
    const { app } = await visit(scene.browser)
    await sign(app)
    await waiting(app).waitFor()
    await dialog(app).getByRole('button', { name: 'Stop waiting' }).click()
    host.behave('sign')
    await dialog(app).getByRole('button', { name: names.sign, exact: true }).click()
    await authenticated(app).waitFor({ state: 'attached' })
    const messages = host.requests.filter(({ method }) => method === 'signMessage').map(({ params }) => params)
    // Nothing completes what was given up, so it is another message.
    expect(messages).toHaveLength(2)
    expect(messages[0]).not.toEqual(messages[1])
  })

  test('behavior: declined in the interface: a neutral notice, still connected, and the next try works', async () => {
    await host.openSafe([team.anna.privateKey], 1)
    host.behave('reject')
    const { app } = await visit(scene.browser)
    await sign(app)
    await dialog(app).getByText('Request rejected').first().waitFor()
    expect(await app.getByText('Error signing message, please retry!').count()).toBe(0)
    await connected(app).waitFor({ state: 'attached' })
    host.behave('sign')
    await dialog(app).getByRole('button', { name: names.sign, exact: true }).click()
    await authenticated(app).waitFor({ state: 'attached' })
  })

  test('behavior: the message expires while it is waited for', async () => {
    await host.openSafe([team.anna.privateKey, team.bruno.privateKey], 2)
    const { app, context } = await visit(scene.browser)
    await sign(app)
    await waiting(app).waitFor()
    await context.clock.fastForward('24:00:05')
    await dialog(app).getByText('Error signing message, please retry!').waitFor()
    await dialog(app).getByText('The owners did not sign in time.', { exact: false }).waitFor()
  })

  test('behavior: a page that is no Safe interface: said within a second', async () => {
    await host.openSafe([team.anna.privateKey], 1)
    host.mute(true)
    const { app, context } = await visit(scene.browser)
    await context.clock.fastForward(1_100)
    await app.locator('html[data-connection-status="disconnected"]').waitFor({ state: 'attached' })
    await app.getByRole('button', { name: names.connect }).first().click()
    await dialog(app).locator('button[data-wallet="safe"]').click()
    await context.clock.fastForward(1_100)
    await dialog(app).getByText('Safe is not available').first().waitFor()
    host.mute(false)
    await dialog(app).getByRole('button', { name: 'Retry' }).click()
    await connected(app).waitFor({ state: 'attached' })
  })

  test('behavior: a Safe of a chain that is not configured: explained, nothing spins', async () => {
    await host.openSafe([team.anna.privateKey], 1)
    host.pretendChain(100)
    const { app } = await visit(scene.browser)
    await app.getByRole('button', { name: 'Wrong network' }).first().click()
    await dialog(app).getByText('Wrong network detected, switch or disconnect to continue.').first().waitFor()
    await dialog(app)
      .getByRole('button', { name: /^switch to /i })
      .first()
      .click()
    await dialog(app).getByText('A Safe cannot switch chains.', { exact: false }).waitFor()
  })
})

describe('in a frame of another site', () => {
  /** Whether the app's frame may use storage, asked in the frame itself. */
  const hasStorage = (page: Page) =>
    page.frames()[1]?.evaluate(() => {
      try {
        return localStorage.length >= 0
      } catch {
        return false
      }
    })

  test('behavior: third-party storage blocked: connects, signs in, and stays signed in after a reload', async () => {
    await host.openSafe([team.anna.privateKey], 1)
    const { app, page, watch } = await visitIn(await startBrowserThatBlocks('third-party'), host.crossSite)
    // Whatever is on its way when the session ends.
    watch.expect(/^response: 401 \S+( NOT_SIGNED_IN)?$/)
    await connected(app).waitFor({ state: 'attached' })
    expect(await hasStorage(page)).toBe(false)
    await sign(app)
    await authenticated(app).waitFor({ state: 'attached' })
    await page.reload()
    await authenticated(app).waitFor({ state: 'attached' })
    await app.getByRole('button', { name: names.profile }).click()
    await dialog(app).getByRole('button', { name: names.signOut, exact: true }).click()
    await app.locator('html[data-session-status="unauthenticated"]').waitFor({ state: 'attached' })
    await page.reload()
    await app.locator('html[data-session-status="unauthenticated"]').waitFor({ state: 'attached' })
  })

  test('behavior: third-party storage blocked: the other owners are waited for', async () => {
    await host.openSafe([team.anna.privateKey, team.bruno.privateKey, team.stranger.privateKey], 2)
    const person = await visitIn(await startBrowserThatBlocks('third-party'), host.crossSite)
    const { app, page } = person
    await sign(app)
    await waiting(app).waitFor()
    // Nothing in this browser remembers it but a cookie.
    await page.reload()
    await waiting(app).waitFor()
    expect(host.requests.filter(({ method }) => method === 'signMessage')).toHaveLength(1)
    await host.signAs(team.bruno.privateKey)
    await signedInByTime(person)
  })

  test('behavior: storage allowed: waits across a reload', async () => {
    await host.openSafe([team.anna.privateKey, team.bruno.privateKey], 2)
    const person = await visitIn(await startBrowserThatBlocks('nothing'), host.crossSite)
    const { app, page } = person
    expect(await hasStorage(page)).toBe(true)
    await sign(app)
    await waiting(app).waitFor()
    await page.reload()
    await waiting(app).waitFor()
    await host.signAs(team.bruno.privateKey)
    await signedInByTime(person)
  })

  test('behavior: all cookies blocked: said before anybody signs, with a way out', async () => {
    await host.openSafe([team.anna.privateKey], 1)
    const { app, page } = await visitIn(await startBrowserThatBlocks('all'), host.crossSite)
    await connected(app).waitFor({ state: 'attached' })
    expect(await hasStorage(page)).toBe(false)
    await app.getByRole('button', { name: names.verify }).first().click()
    await dialog(app).getByText('This browser blocks sign-in inside a frame').waitFor()
    const link = dialog(app).getByRole('link', { name: /^Open in a new tab/ })
    expect(await link.getAttribute('href')).toBe(scene.product.url)
    expect(await link.getAttribute('target')).toBe('_blank')
    // A signature given here would be in vain.
    await dialog(app).locator('[data-sign-in-stage="ready"]').waitFor()
    expect(await dialog(app).getByRole('button', { name: names.sign, exact: true }).count()).toBe(0)
  })
})

describe('signed in as a Safe', () => {
  test('behavior: it is in My Safes, nobody had to add it; its queue is there to be read, with nothing to press', async () => {
    const safeAddress = await host.openSafe([team.anna.privateKey], 1)
    const { app } = await visit(scene.browser)
    await sign(app)
    await authenticated(app).waitFor({ state: 'attached' })
    await app.locator(`a[href*="${safeAddress}"]`).first().waitFor()
    const anna = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    await addSafeByScript(anna, safeAddress)
    const safe = { chainId: scene.chainId, safeAddress, version: '1.4.1' }
    await proposeByScript(anna, safe, { to: team.stranger.address, nonce: 0n })
    await app.locator(`a[href*="${safeAddress}"]`).first().click()
    await app.getByText('You are signed in as this Safe,', { exact: false }).first().waitFor()
    // Nothing waits for the Safe itself, so its home lists nothing.
    expect(await app.locator('[data-transaction]').count()).toBe(0)
    await app.getByRole('navigation').getByRole('link', { name: 'Transactions' }).click()
    await app.locator('[data-transaction]').first().waitFor()
    expect(await app.getByRole('link', { name: /^New( transaction)?$/ }).count()).toBe(0)
  })
})

describe('as a Safe that is an owner', () => {
  test('behavior: it reads; confirming is refused in words, not with a spinner', async () => {
    const nested = await host.openSafe([team.anna.privateKey], 1)
    const safeAddress = await deploySafe({
      rpcUrl: scene.rpcUrl,
      chainId: scene.chainId,
      version: '1.4.1',
      owners: [nested, team.bruno.address],
      threshold: 2,
      saltNonce: BigInt(Date.now()),
    })
    const safe = { chainId: scene.chainId, safeAddress, version: '1.4.1' }
    const bruno = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
    await addSafeByScript(bruno, safeAddress)
    const { safeTxHash } = await proposeByScript(bruno, safe, { to: team.stranger.address, nonce: 0n })
    const { app } = await visit(
      scene.browser,
      `${host.sameSite}${transactionPath(safe.chainId, safeAddress, safeTxHash)}`,
    )
    await sign(app)
    await authenticated(app).waitFor({ state: 'attached' })
    await app.getByText('You are signed in as a Safe.', { exact: false }).first().waitFor()
    const confirm = app.getByRole('button', { name: names.confirm })
    expect((await confirm.count()) === 0 || (await confirm.first().isDisabled())).toBe(true)
  })
})

describe('outside', () => {
  test('behavior: the entry says that it is not available, and why', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    await anna.page.goto(anna.url)
    await anna.page.getByRole('button', { name: names.connect }).first().click()
    const entry = anna.page.getByRole('dialog')
    await entry.locator('button[data-wallet="safe"]').click()
    await entry.getByText('Safe is not available').first().waitFor()
    await entry.getByText('Countersign is not open inside a Safe interface.', { exact: false }).waitFor()
    await entry.getByRole('button', { name: 'All wallets' }).click()
    await entry.locator('button[data-wallet="coinbase"]').click()
    await entry.getByText('Coinbase Wallet is not installed').first().waitFor()
    expect(await entry.getByRole('link').getAttribute('href')).toBe('https://www.coinbase.com/wallet/downloads')
    await scene.closeOwners()
  })

  test('behavior: another page cannot frame it; the manifest can be read from everywhere', async () => {
    const port = await freePort()
    const foreign = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<iframe src="${scene.product.url}"></iframe>`)
    }).listen(port)
    const context = await scene.browser.newContext()
    try {
      const page = await context.newPage()
      await page.goto(`http://127.0.0.1:${port}`)
      await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/)
      const manifest = await page.evaluate(
        async (url) => (await fetch(`${url}/manifest.json`)).json(),
        scene.product.url,
      )
      expect(manifest).toMatchObject({ name: 'Countersign', iconPath: 'favicon.svg' })
      expect(manifest.description).toBeTruthy()
      const width = await page.evaluate(async (url) => {
        const image = new Image()
        image.src = url
        await image.decode()
        return image.width
      }, `${scene.product.url}/${manifest.iconPath}`)
      expect(width).toBeGreaterThan(0)
    } finally {
      foreign.close()
      await context.close()
    }
  })
})
