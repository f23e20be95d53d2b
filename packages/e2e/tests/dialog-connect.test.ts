import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { names, sessionStatus, verify, walletEntry } from '../src/people/owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialog, dialogButton, expectMessage, messages, openDialog } from '../src/wallets/dialog.ts'
import { installWallet } from '../src/wallets/wallet.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const metaMask = { name: 'MetaMask', rdns: 'io.metamask' }

describe('announced wallets', () => {
  test('behavior: names and pictures of strangers neither run, call elsewhere nor pass for another', async () => {
    const anna = await scene.owner(team.anna.privateKey, metaMask)
    const strangers = [
      { name: 'Meta\u200bMask\u202e', rdns: 'evil.fox', icon: 'https://evil.example/pixel.png' },
      { name: `Long ${'x'.repeat(500)}`, rdns: 'evil.long', icon: 'data:text/html,<script>alert(1)</script>' },
      { name: 'MetaMask', rdns: 'io.metamask', icon: 'data:image/svg+xml,<svg onload="alert(1)"/>' },
    ]
    for (const stranger of strangers)
      await installWallet(anna.context, {
        privateKey: team.bruno.privateKey,
        rpcUrl: scene.rpcUrl,
        chainId: scene.chainId,
        ...stranger,
      })
    await anna.page.goto(anna.url)
    await openDialog(anna.page)
    const entry = (id: string) => dialog(anna.page).locator(`button[data-wallet="${id}"]`)
    await entry('evil.fox').getByText('This one identifies itself as evil.fox').waitFor()
    expect(await entry('evil.fox').textContent()).toContain('MetaMask')
    expect((await entry('evil.long').textContent())?.length).toBeLessThan(60)
    const contested = dialog(anna.page).locator('[data-contested="io.metamask"]')
    await contested.getByText('2 programs identify themselves as io.metamask').waitFor()
    await contested.getByRole('button', { name: 'Show all 2' }).click()
    await entry('io.metamask').waitFor()
    await entry('io.metamask~2').waitFor()
    // Both announce no picture that may be drawn: they get the plain one of ours.
    for (const id of ['evil.fox', 'evil.long'])
      expect(await entry(id).locator('[data-wallet-icon="plain"]').count()).toBe(1)
    for (const picture of await dialog(anna.page).locator('img').all())
      expect(await picture.getAttribute('src')).toMatch(/^data:image\//)
    // The watch over the page fails this test on any request that leaves, and on any script that runs.
  })
})

describe('connecting', () => {
  test('behavior: the dialog shows that a screen cannot be loaded, and Retry loads it, whichever file was missing', async () => {
    for (const file of [/assets\/wallet-screens-/, /assets\/writing-/]) {
      const anna = await scene.owner(team.anna.privateKey, metaMask)
      const { page, url, watch } = anna
      watch.expect(/ERR_FAILED|console: /)
      await page.goto(url)
      await page.route(file, (route) => route.abort())
      await page.getByRole('banner').getByRole('button').click()
      await expectMessage(page, messages.oops)
      await dialogButton(page, 'Retry').click()
      await expectMessage(page, messages.oops)
      await page.unroute(file)
      expect(await dialogButton(page, 'Reload the page').count()).toBe(1)
      await dialogButton(page, 'Retry').click()
      // There is one connection in the page: its modules are there once.
      await walletEntry(page, 'MetaMask').click()
      await verify(anna)
      await sessionStatus(page, 'authenticated').waitFor({ state: 'attached' })
    }
  })

  test('behavior: names the server that cannot be reached, and Retry works once it is back', async () => {
    const { page, url, watch } = await scene.visitor()
    watch.expect(/ERR_FAILED|console: /)
    await page.goto(url)
    const isLost = ({ pathname }: URL) => pathname === '/' || /wallet-screens-/.test(pathname)
    await page.route(isLost, (route) => route.abort())
    await page.getByRole('banner').getByRole('button').click()
    await expectMessage(page, 'The Countersign server cannot be reached')
    await page.unroute(isLost)
    await dialogButton(page, 'Retry').click()
    await walletEntry(page, names.demoWallet).waitFor()
  })

  test('behavior: the list of wallets loads no code for the page after sign-in, and fits its budget', () => {
    const folder = join(import.meta.dirname, '../../../dist/web/assets')
    const files = readdirSync(folder)
    const find = (name: string) => files.find((file) => file.startsWith(`${name}-`) && file.endsWith('.js')) ?? name
    const needed = new Map<string, number>()
    const need = (file: string): void => {
      if (needed.has(file)) return
      const code = readFileSync(join(folder, file))
      needed.set(file, gzipSync(code, { level: 9 }).length)
      for (const [, other = ''] of code.toString().matchAll(/(?:import|from)"\.\/([^"]+\.js)"/g)) need(other)
    }
    for (const name of ['index', 'first', 'en-first', 'wallet-screens', 'en-dialog']) need(find(name))
    expect(
      [...needed.keys()].filter((file) => /^(my-safes|safe|verdicts|reviews|messages|lists|home)-/.test(file)),
    ).toEqual([])
    expect([...needed.values()].reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(220_000)
  })
})
