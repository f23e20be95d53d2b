import { encodeMultiSend } from '@countersign/safe/calls'
import type { Page } from 'playwright-core'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { violationsOf } from '../src/browser/faults.ts'
import { countShifts, shiftOf, shiftsIn } from '../src/browser/layout-shift.ts'
import { comeBack, confirmButton, type Owner, openTransaction, transactionPath } from '../src/people/owner.ts'
import { proposeByScript, readChains, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

const phone = { width: 360, height: 740 }
const desk = { width: 1280, height: 800 }
const multiSendCallOnly: Address = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'

type Fields = Parameters<typeof proposeByScript>[2]

/** Bruno's page of what Anna has proposed, with every shift of the layout added up. */
async function open(fields: Fields, size: typeof phone): Promise<{ bruno: Owner; page: Page; safe: SafeAt }> {
  const safe = await scene.newSafe()
  const anna = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
  const { safeTxHash } = await proposeByScript(anna, safe, fields)
  const bruno = await scene.owner(team.bruno.privateKey)
  const { page } = bruno
  await countShifts(page)
  await page.setViewportSize(size)
  await comeBack(bruno)
  await openTransaction(bruno, safe.safeAddress, safeTxHash)
  await page.locator('[data-verdict]').waitFor()
  return { bruno, page, safe }
}

const token = async (): Promise<Address> => {
  const [chain] = await readChains(scene.product.url)
  const [listed] = chain?.tokens ?? []
  if (!listed) throw new Error('The devnet lists no token.')
  return listed.address
}
/** Tokens for as many accounts, in one batch. */
async function manyPayments(count: number): Promise<Hex> {
  const to = await token()
  const pay = (index: number) =>
    encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [numberToHex(0xa000_0000n + BigInt(index), { size: 20 }), 1_000_000n],
    })
  return encodeMultiSend(
    Array.from({ length: count }, (_, index) => ({ operation: 0 as const, to, value: 0n, data: pay(index) })),
  )
}
const coin = { to: team.stranger.address, value: 1n, nonce: 0n }
const allowance = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'approve',
  args: [team.stranger.address, maxUint256],
})

describe('the page of a review', () => {
  test('behavior: a payment fits two phone screens down to the button, and nothing jumps', async () => {
    const { page } = await open(coin, phone)
    const { sum } = await shiftsIn(page)
    const button = await confirmButton(page).boundingBox()
    if (button === null) throw new Error('There is no button.')
    const top = await page.evaluate(() => window.scrollY)
    expect(button.y + button.height + top).toBeLessThanOrEqual(2 * phone.height)
    expect(sum).toBeLessThanOrEqual(0.05)
  })

  test('behavior: nothing jumps where it must not be signed, where nobody can read it, and over 500 calls', async () => {
    const safe = await scene.newSafe()
    const anna = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
    const to = await token()
    const unread = { to, data: '0x7b3c8f01' } as const
    const shapes = [
      ['do-not-sign', { ...unread, operation: 1 }],
      ['cannot-verify', unread],
      ['matches-with-warnings', { to: multiSendCallOnly, operation: 1, data: await manyPayments(500) }],
    ] as const
    const bruno = await scene.owner(team.bruno.privateKey)
    await comeBack(bruno)
    const page = await bruno.context.newPage()
    await countShifts(page)
    const devTools = await bruno.context.newCDPSession(page)
    for (const [nonce, [verdict, fields]] of shapes.entries()) {
      const { safeTxHash } = await proposeByScript(anna, safe, { ...fields, nonce: BigInt(nonce) })
      for (const [size, rate] of [[phone, 4] as const, [desk, 1] as const]) {
        await page.setViewportSize(size)
        await devTools.send('Emulation.setCPUThrottlingRate', { rate })
        const at = `${scene.product.url}${transactionPath(scene.chainId, safe.safeAddress, safeTxHash)}`
        // Until its verdict stands there a page is not whole, however quiet it is.
        const { sum, what } = await shiftOf(page, at, `[data-verdict="${verdict}"]`)
        await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
        expect(sum, `${verdict}, ${size.width} px: ${what.join(', ')}`).toBeLessThanOrEqual(0.05)
        const height = await page.evaluate(() => document.documentElement.scrollHeight)
        if (size === desk) expect(height).toBeLessThan(5 * desk.height)
      }
    }
  })

  test('behavior: on a wide screen the card stays in sight, with the verdict and the button', async () => {
    const { page } = await open({ to: await token(), data: allowance, nonce: 0n }, desk)
    expect((await shiftsIn(page)).sum).toBeLessThanOrEqual(0.05)
    await page.getByRole('heading', { level: 1, name: 'Let an unnamed address take all TUSD, without limit' }).waitFor()
    // The points to answer stand between them.
    expect(await page.locator('[data-decision-card] [data-demand]').count()).toBeGreaterThan(0)
    const card = page.locator('[data-decision-card]')
    expect(await card.locator('[data-verdict]').count()).toBe(1)
    for (const at of [0, 500]) {
      await page.evaluate((y) => window.scrollTo(0, y), at)
      for (const part of [card.locator('[data-verdict]'), confirmButton(page)]) {
        const box = await part.boundingBox()
        expect(box !== null && box.y >= 0 && box.y + box.height <= desk.height).toBe(true)
      }
    }
    expect(await violationsOf(page, 'main')).toEqual([])
  })

  test('behavior: what is printed is a sheet to check it elsewhere, and nothing else', async () => {
    const { page } = await open(coin, desk)
    await page.getByLabel('You sign with').selectOption({ label: 'Ledger' })
    await page.emulateMedia({ media: 'print' })
    const sheet = page.locator('[data-print-guide]')
    expect(await sheet.isVisible()).toBe(true)
    expect(await page.locator('[data-decision-card]').isVisible()).toBe(false)
    expect(await page.getByRole('banner').isVisible()).toBe(false)
    const words = await sheet.textContent()
    expect(words).toContain('cast keccak $(cast concat-hex 0x1901 $DOMAIN $MESSAGE)')
    expect(words).toContain(team.stranger.address)
    expect(words).toMatch(/It will not show: .*nonce/)
  })
})
