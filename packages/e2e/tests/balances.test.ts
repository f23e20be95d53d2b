import { deployHostileToken, testContractAbi } from '@countersign/devnet'
import { type Address, encodeFunctionData, parseEther, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { addSafe, comeBack, type Owner, sectionPath } from '../src/people/owner.ts'
import type { SafeAt } from '../src/people/script-owner.ts'
import { fundTokens, sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let safe: SafeAt
let anna: Owner
let pretender: Address

beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: safe.safeAddress, value: parseEther('2.5') })
  await fundTokens(scene, safe.safeAddress)
  pretender = await deployHostileToken(
    scene.rpcUrl,
    team.relayer.address,
    'imitates the test token, with a name that reorders',
  )
  const data = encodeFunctionData({
    abi: testContractAbi('HostileToken'),
    functionName: 'pretend',
    args: [safe.safeAddress, 9_000_000n],
  })
  await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: pretender, data })
  anna = await scene.owner(team.anna.privateKey)
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
})
afterAll(() => scene?.close())
afterEach(() => anna?.watch.assertNone())

const assets = () => anna.page.getByRole('region', { name: 'Assets' })
const plot = () => assets().getByRole('slider')

async function open(): Promise<void> {
  await anna.page.goto(`${anna.url}${sectionPath(safe.chainId, safe.safeAddress, 'assets')}`)
  await assets().getByText('Balance over time', { exact: true }).click()
}

const value = async () => (await plot().getAttribute('aria-valuetext')) ?? ''
const choose = (label: string) => assets().getByLabel('Asset', { exact: true }).selectOption({ label })

describe('balance over time', () => {
  test('default: each change with unit and time, by keyboard and by pointer', async () => {
    await open()
    await plot().waitFor()
    expect(await plot().getAttribute('aria-valuemax')).toBe('2')
    expect(await value()).toMatch(/^7\.5 ETH from .+20\d\d.+(UTC|GMT|[A-Z]{3,4})/)
    await plot().focus()
    await anna.page.keyboard.press('Home')
    expect(await value()).toMatch(/^5 ETH from /)
    await anna.page.keyboard.press('ArrowRight')
    expect(await value()).toMatch(/^7\.5 ETH from /)
    const box = await plot().boundingBox()
    if (!box) throw new Error('the plot is not drawn')
    await anna.page.mouse.move(box.x + 2, box.y + 100)
    await expect.poll(value).toMatch(/^5 ETH from /)
    await assets().getByText('The transfers add up to the balance.').waitFor()
  })

  test('behavior: the same as a table', async () => {
    await assets().getByText('Show as a table', { exact: true }).click()
    const rows = await assets().getByRole('row').allTextContents()
    expect(rows).toHaveLength(3)
    expect(rows[1]).toContain('7.5')
    expect(rows[1]).toContain('+2.5')
    expect(await faultsOf(anna.page)).toEqual([])
  })

  test('behavior: it fits a phone', async () => {
    await anna.page.setViewportSize({ width: 360, height: 740 })
    await plot().waitFor()
    expect(await anna.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await anna.page.setViewportSize({ width: 1280, height: 900 })
  })

  test('behavior: of a listed token, and within a period', async () => {
    await choose('TUSD')
    await expect.poll(value).toMatch(/^1,000 TUSD from /)
    await assets().getByLabel('Period', { exact: true }).selectOption({ label: 'The last 30 days' })
    await expect.poll(() => plot().getAttribute('aria-valuemax')).toBe('2')
    await plot().focus()
    await anna.page.keyboard.press('Home')
    expect(await value()).toMatch(/^0 TUSD from /)
    await assets().getByLabel('Period', { exact: true }).selectOption({ label: 'All available history' })
  })

  test('behavior: transfers that did not happen are told from what the Safe has', async () => {
    await choose(`Unlisted token ${pretender}`)
    await assets().getByText('Transfers do not add up to the balance').waitFor()
    await assets()
      .getByText(/^The transfers add up to .+ more than the Safe holds\./)
      .waitFor()
  })

  test('behavior: what comes in is drawn without reloading, and what nothing explains is marked', async () => {
    await choose('ETH')
    await expect.poll(value).toMatch(/^7\.5 ETH from /)
    await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: safe.safeAddress, value: parseEther('1') })
    await expect.poll(value).toMatch(/^8\.5 ETH from /)
    for (const [method, ...params] of [
      ['anvil_setBalance', safe.safeAddress, toHex(parseEther('3'))],
      ['anvil_mine', '0x1'],
    ])
      await fetch(scene.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
    await expect.poll(value).toMatch(/^3 ETH from .+; cause of this change not found$/)
    await assets().getByText('A change whose cause was not found').waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
  })

  test('error: what the server does not tell is no empty plot', async () => {
    anna.watch.expect(/response: 503|console: .*503/)
    await anna.page.route('**/balance-changes?**', (route) => route.fulfill({ status: 503, body: 'away' }))
    await open()
    const retry = assets().getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    expect(await plot().count()).toBe(0)
    await anna.page.unroute('**/balance-changes?**')
    await retry.click()
    await plot().waitFor()
  })
})
