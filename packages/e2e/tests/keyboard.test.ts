import { safeAbi } from '@countersign/safe'
import { decodeMultiSend } from '@countersign/safe/calls'
import { decodeFunctionData, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import {
  addSafe,
  addSafeInPage,
  comeBack,
  executeButton,
  names,
  safePath,
  safeTxHashOf,
  sectionPath,
  signIn,
  statusText,
} from '../src/people/owner.ts'
import {
  confirmByScript,
  proposeByScript,
  readDemoQueue,
  readTransaction,
  signInByScript,
} from '../src/people/script-owner.ts'
import { demoOwners, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'
import { dialog } from '../src/wallets/dialog.ts'

/** Presses from the first page to a confirmation that is stored. */
const MAX_PRESSES = 25

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

describe('the keyboard alone', () => {
  test(`behavior: from the first page to a confirmation in ${MAX_PRESSES} presses`, async () => {
    const { safeAddress, ...safe } = await scene.newSafe()
    const owner = await scene.owner(team.bruno.privateKey)
    const { page, url, wallet } = owner
    await addSafe(owner, safeAddress)
    const anna = await signInByScript(url, team.anna.privateKey, scene.chainId)
    const fields = { to: team.stranger.address, value: 1n, nonce: 0n }
    const { safeTxHash } = await proposeByScript(anna, { safeAddress, ...safe }, fields)
    let presses = 0
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
      presses += keys.length
    }
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    const tabTo = async (name: RegExp) => {
      for (let step = 0; step < 12 && !name.test(await focused()); step++) await press('Tab')
      expect(await focused()).toMatch(name)
    }
    await page.goto(url)
    await page.getByRole('main').getByRole('button').first().waitFor()
    await tabTo(/^Connect wallet/i)
    await press('Enter')
    await dialog(page).locator('button[data-wallet]', { hasText: wallet.name }).waitFor()
    await tabTo(new RegExp(wallet.name))
    await press('Enter')
    await dialog(page).getByRole('button', { name: 'Sign the message', exact: true }).waitFor()
    await tabTo(/^Sign the message/)
    await press('Enter')
    await page.locator('html[data-session-status="authenticated"]').waitFor({ state: 'attached' })
    await dialog(page).waitFor({ state: 'detached' })
    await page.locator(`[data-safe="${safeAddress}" i]`).waitFor()
    await press('j')
    await page.locator('[data-safe] a:focus').waitFor()
    await press('Enter')
    await page.waitForURL((at) => at.pathname.toLowerCase() === safePath(scene.chainId, safeAddress).toLowerCase())
    await page.locator(`[data-row="${safeTxHash}"] [data-listed-verdict="matches"]`).waitFor()
    await press('j')
    await page.locator('[data-row] a:focus').waitFor()
    await press('Enter')
    await page.waitForURL(`**/transactions/${safeTxHash}`)
    await page.locator('[data-confirm="offered"] button:enabled').waitFor()
    await press('c')
    await expect.poll(focused).toMatch(/^Confirm/)
    await press('Enter')
    await page.locator('[data-confirm="done"]').waitFor()
    // The button has gone: the keyboard goes on from what it did.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('your-confirmation')
    expect(presses).toBeLessThanOrEqual(MAX_PRESSES)
    console.log(`${presses} presses`)
  })

  test('behavior: a payment and one more owner, from New transaction to their execution', async () => {
    const safe = await scene.newSafe()
    const owner = await scene.owner(team.anna.privateKey)
    const { page } = owner
    await comeBack(owner)
    await addSafeInPage(owner, safe.safeAddress)
    await page.getByRole('heading', { name: 'Owners' }).waitFor()
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement
        const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : []
        return labels[0]?.textContent || element?.textContent || ''
      })
    const tabTo = async (name: RegExp, key = 'Tab') => {
      for (let step = 0; step < 60 && !name.test(await focused()); step++) await page.keyboard.press(key)
      expect(await focused()).toMatch(name)
    }
    await page.keyboard.press('n')
    await page.waitForURL(/\/new$/)
    await page.getByLabel(names.recipient, { exact: true }).waitFor()
    await tabTo(/^Recipient/)
    await page.keyboard.type(team.stranger.address)
    await tabTo(/^Amount/)
    await page.keyboard.type('0.25')
    await tabTo(/^Add a change of the Safe$/)
    await page.keyboard.press('Enter')
    await tabTo(/^Owner who joins/, 'Shift+Tab')
    await page.keyboard.type(team.relayer.address)
    await tabTo(/^Review$/)
    await page.keyboard.press('Enter')
    await page.locator('[data-verdict]').first().waitFor()
    const answer = async () => {
      const open = page.locator('[data-way="tick"] input:not(:checked)')
      for (let left = await open.count(); left > 0; left = await open.count()) {
        await open.first().focus()
        await page.keyboard.press('Space')
        await expect.poll(() => open.count()).toBe(left - 1)
      }
      // The new owner, and a reason.
      for (const [index, field] of (await page.locator('[data-way="typed"]').getByRole('textbox').all()).entries()) {
        await field.focus()
        await page.keyboard.press('Control+a')
        await page.keyboard.type(index % 2 === 0 ? team.relayer.address.slice(-6) : 'As decided')
      }
    }
    await answer()
    await page.locator('[data-propose="review"]').getByRole('button', { name: names.propose, exact: true }).waitFor()
    await tabTo(/^Sign and propose$/)
    await page.keyboard.press('Enter')
    const safeTxHash = await safeTxHashOf(page)
    const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
    const { safeTx } = await readTransaction(script, safeTxHash)
    const [payment, joining] = decodeMultiSend(safeTx?.data ?? '0x')
    expect(payment).toMatchObject({ to: team.stranger.address, value: parseEther('0.25') })
    expect(decodeFunctionData({ abi: safeAbi, data: joining?.data ?? '0x' })).toEqual({
      functionName: 'addOwnerWithThreshold',
      args: [team.relayer.address, 2n],
    })

    await confirmByScript(
      await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId),
      safe,
      safeTxHash,
    )
    await answer()
    await executeButton(page).and(page.locator(':enabled')).waitFor()
    await tabTo(/^Execute$/)
    await page.keyboard.press('Enter')
    await statusText(page, names.executed).waitFor()
    expect((await readTransaction(script, safeTxHash)).isSuccessful).toBe(true)
  })

  test('behavior: the command palette finds pages, transactions and actions, and goes there', async () => {
    const owner = await scene.owner(demoOwners[0].privateKey)
    const { page, url } = owner
    await signIn(owner)
    const demo = await readDemoQueue(await signInByScript(url, demoOwners[0].privateKey, scene.chainId))
    await page.goto(`${url}${sectionPath(scene.chainId, demo.safeAddress, 'assets')}`)
    await page.locator('[data-amount]').first().waitFor()
    await page.keyboard.press('Control+k')
    const field = dialog(page).getByRole('combobox')
    await field.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await field.fill('que')
    await expect.poll(() => dialog(page).getByRole('option').first().textContent()).toBe('Queue')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/queue')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')

    await page.keyboard.press('Control+k')
    await field.fill('nonce 1')
    await dialog(page).getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/transactions/0x*')

    await page.keyboard.press('Control+k')
    await field.fill('dark')
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' })
  })

  test('behavior: ? lists the shortcuts, which can be turned off; none acts while somebody types', async () => {
    const owner = await scene.owner(demoOwners[0].privateKey)
    const { page, url } = owner
    await signIn(owner)
    await page.getByLabel('Safe address').fill('')
    await page.getByLabel('Safe address').press('?')
    expect(await dialog(page).count()).toBe(0)
    expect(await page.getByLabel('Safe address').inputValue()).toBe('?')
    await page.locator('h1').focus()
    await page.keyboard.press('?')
    await dialog(page).getByText('Keyboard shortcuts').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Turn letters off' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.waitForTimeout(300)
    expect(await dialog(page).count()).toBe(0)
    await page.goto(`${url}/account`)
    await page.locator('h1').waitFor()
    await page.keyboard.press('Control+k')
    await dialog(page).getByRole('combobox').waitFor()
  })
})
