import { call, nameAddress } from '@countersign/contract'
import { deploySafe, testContracts } from '@countersign/devnet'
import type { Page } from 'playwright-core'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isSoak } from '../../../scripts/testing/random-tests.mjs'
import { excessOf } from '../src/browser/faults.ts'
import {
  addSafe,
  comeBack,
  confirmButton,
  names,
  safePath,
  safeTxHashOf,
  sectionPath,
  sendProposal,
  signIn,
  statusText,
  tickAll,
  transactionPath,
} from '../src/people/owner.ts'
import { addSafeByScript, proposeByScript, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

/** Runs in the page before its first script: every way to keep something, or to hear of other tabs, is refused. */
const refuseAll = `
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError') } })
  for (const name of ['request', 'query'])
    LockManager.prototype[name] = () => Promise.reject(new DOMException('blocked', 'SecurityError'))
  window.BroadcastChannel = class { constructor() { throw new DOMException('blocked', 'SecurityError') } }
`

/** Lists what is beyond the edge of the page at 320 px: texts, and anything once they are twice as large. */
async function cutOff(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 700 })
  const wide = await excessOf(page)
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main h1, main h2, main p, main button, main label')]
      .filter((element) => element.offsetParent !== null && !element.closest('.sr-only, .truncate, [hidden]'))
      .filter((element) => {
        const { left, right, width: own } = element.getBoundingClientRect()
        return own > 1 && (right > innerWidth + 1 || left < -1)
      })
      .map((element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`),
  )
  return [...wide, ...cut]
}

describe('a browser that refuses to keep anything', () => {
  test('behavior: from signing in to a confirmation, and the news of it', async () => {
    const safe = await scene.newSafe()
    const [anna, bruno] = [await scene.owner(team.anna.privateKey), await scene.owner(team.bruno.privateKey)]
    for (const { context } of [anna, bruno]) await context.addInitScript({ content: refuseAll })
    await addSafe(anna, safe.safeAddress)
    await signIn(anna, `${safePath(safe.chainId, safe.safeAddress)}/new`)
    await anna.page.getByLabel(names.recipient, { exact: true }).fill(team.stranger.address)
    await anna.page.getByLabel(names.amount, { exact: true }).fill('0.5')
    await sendProposal(anna)
    const safeTxHash = await safeTxHashOf(anna.page)
    await statusText(anna.page, '1 of 2').waitFor()
    await signIn(bruno, transactionPath(safe.chainId, safe.safeAddress, safeTxHash))
    await tickAll(bruno.page)
    await confirmButton(bruno.page).click()
    // On both screens: the news needs neither locks nor channels.
    for (const { page } of [bruno, anna]) await statusText(page, '2 of 2').waitFor()
    expect(anna.watch.troubles).toEqual([])
  })
})

describe('what does not fit', () => {
  test('behavior: a hundred owners and the largest amount, in 320 px', async () => {
    const strangers = Array.from({ length: 99 }, () => privateKeyToAccount(generatePrivateKey()).address)
    const owners = [team.anna.address, ...strangers]
    const at = { rpcUrl: scene.rpcUrl, chainId: scene.chainId, version: '1.4.1' } as const
    const safeAddress = await deploySafe({ ...at, owners, threshold: 60, saltNonce: BigInt(Date.now()) })
    const place = { ...at, safeAddress }
    const script = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    await addSafeByScript(script, safeAddress)
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [team.stranger.address, maxUint256],
    })
    const { safeTxHash } = await proposeByScript(script, place, { to: testContracts.erc20.address, data, nonce: 0n })
    const anna = await scene.owner(team.anna.privateKey)
    await comeBack(anna)
    const { page, url, chainId } = anna
    await page.goto(`${url}${transactionPath(chainId, safeAddress, safeTxHash)}`)
    await page.locator('[data-verdict]').first().waitFor()
    // Every digit of it, in the heading too.
    const digits = (maxUint256 / 10n ** 6n).toLocaleString('en')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(digits)
    expect(await cutOff(page)).toEqual([])
    const others = ['assets', 'history', 'messages', 'book', 'activity'] as const
    for (const section of ['', 'queue', 'team', 'settings', ...(isSoak ? others : [])] as const) {
      const path = section === '' ? safePath(chainId, safeAddress) : sectionPath(chainId, safeAddress, section)
      await page.goto(`${url}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (section === '' || section === 'settings')
        await page.locator(`[data-address="${owners[99]}"]`).first().waitFor({ state: 'attached' })
      if (section === 'queue') await page.locator('[data-listed-verdict]').first().waitFor()
      expect([section, ...(await cutOff(page))]).toEqual([section])
    }
    for (const path of ['/', `${safePath(chainId, safeAddress)}/new`]) {
      await page.goto(`${url}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect([path, ...(await cutOff(page))]).toEqual([path])
    }
  })

  test('behavior: names of sixty letters keep a row within 72 px and its columns, in each language', async () => {
    const safe = await scene.newSafe()
    const [anna, bruno] = await Promise.all(
      [team.anna, team.bruno].map(({ privateKey }) => signInByScript(scene.product.url, privateKey, scene.chainId)),
    )
    if (!anna || !bruno) throw new Error('Two owners sign in.')
    const place = { chainId: safe.chainId, safeAddress: safe.safeAddress }
    await addSafeByScript(bruno, safe.safeAddress)
    const name = 'Gebäudereinigungs- und Unterhaltsverwaltungsgesellschaft mbH'
    await call(anna.options, nameAddress, { ...place, address: team.bruno.address, name })
    // More than the Safe has: each gets a verdict of many words.
    for (const nonce of [0n, 1n, 2n, 3n, 4n, 5n])
      await proposeByScript(bruno, safe, { to: team.stranger.address, value: 10n ** 24n, nonce })
    const refused = await proposeByScript(bruno, safe, {
      to: testContracts.slotZeroOverwrite.address,
      operation: 1,
      data: '0x12345678',
      nonce: 6n,
    })
    const visitor = await scene.owner(team.anna.privateKey)
    await comeBack(visitor, '/')
    const { page, url } = visitor
    await page.setViewportSize({ width: 1280, height: 900 })
    for (const language of isSoak ? ['en', 'de', 'es', 'fr', 'zh'] : ['de']) {
      await page.evaluate((chosen) => localStorage.setItem('countersign.locale', chosen), language)
      await page.goto(`${url}${safePath(safe.chainId, safe.safeAddress)}`)
      await page.locator('[data-listed-verdict]:not([data-listed-verdict="checking"])').nth(4).waitFor()
      const rows = await page.locator('[data-row]').evaluateAll((all) =>
        all.map((row) => ({
          height: row.clientHeight,
          // Nothing of one column stands in the next.
          beyond: [...row.children].filter((cell) =>
            [...cell.querySelectorAll('*:not(.sr-only)')].some(
              (part) => part.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1,
            ),
          ).length,
        })),
      )
      expect([language, rows.length, ...rows.filter(({ height, beyond }) => height > 72 || beyond > 0)]).toEqual([
        language,
        5,
      ])
      // The seventh has no row here, and is named all the same.
      await page.locator(`[data-refused="${refused.safeTxHash}"]`).waitFor()
    }
  })
})
