import { deployHostileToken, deploySafe, testContractAbi } from '@countersign/devnet'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { addSafe, comeBack, type Owner, sectionPath } from '../src/people/owner.ts'
import type { SafeAt } from '../src/people/script-owner.ts'
import { fundDrawing, fundItems, fundTokens, sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let safe: SafeAt
let anna: Owner
let imitation: Address
let burner: Address
let odd: Address
let endless: Address

beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  await fundTokens(scene, safe.safeAddress)
  await fundItems(scene, safe.safeAddress, [77n, 78n])
  imitation = await sendHostile('imitates the test token, with a name that reorders')
  burner = await sendHostile('burns all gas')
  odd = await sendHostile('has 255 decimals')
  endless = await sendHostile('has a name of a megabyte')
  anna = await scene.owner(team.anna.privateKey)
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
  await anna.page.goto(`${anna.url}${sectionPath(safe.chainId, safe.safeAddress, 'assets')}`)
})
afterAll(() => scene?.close())
afterEach(() => anna?.watch.assertNone())

async function sendHostile(manner: Parameters<typeof deployHostileToken>[2]): Promise<Address> {
  const token = await deployHostileToken(scene.rpcUrl, team.relayer.address, manner)
  await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: token, data: pretend(safe.safeAddress) })
  return token
}

function pretend(to: Address): Hex {
  return encodeFunctionData({ abi: testContractAbi('HostileToken'), functionName: 'pretend', args: [to, 1n] })
}

const token = (address: Address) => anna.page.locator(`[data-token="${address}"]`)

describe('assets of a Safe', () => {
  test('default: the native coin, listed tokens, and the items that the collection confirms', async () => {
    const listed = anna.page.getByRole('list', { name: 'Native coin and listed tokens' })
    await listed.getByText('1,000', { exact: true }).waitFor()
    expect(await listed.textContent()).toContain('Test Dollar')
    const items = anna.page.getByRole('list', { name: 'Token IDs' })
    await items.waitFor()
    expect(await items.getByRole('listitem').allTextContents()).toEqual(['ID 77', 'ID 78'])
  })

  test('behavior: a token that imitates a listed one is marked, and what it hides is written out', async () => {
    const shown = token(imitation)
    await shown.waitFor()
    const words = (await shown.textContent()) ?? ''
    expect(words).toContain('Unlisted')
    expect(words).toContain('Not the real TUSD')
    expect(words).toContain('5 token units')
    expect(words).toContain('[U+202E]')
    expect(words).not.toContain('\u202e')
    expect(await shown.locator(`[data-address="${imitation}"]`).count()).toBe(1)
  })

  test('behavior: tokens that misbehave say so, and spoil nothing beside them', async () => {
    expect(await token(burner).textContent()).toContain('The contract did not return a balance.')
    expect(await token(odd).textContent()).toContain('5,000,000 base units')
    const silent = (await token(endless).textContent()) ?? ''
    expect(silent).toContain('Reports no name')
    expect(await anna.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await anna.page.setViewportSize({ width: 360, height: 740 })
    expect(await anna.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(await faultsOf(anna.page)).toEqual([])
    await anna.page.setViewportSize({ width: 1280, height: 900 })
  })

  test('behavior: an NFT shows what its contract holds; nothing in it runs, reorders or is fetched', async () => {
    // The item comes with a drawing that would run a script and fetch from elsewhere, and a name that reorders.
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"
      onload="parent.document.title='run'"><script>parent.document.title='run'</script><style>@import "https://elsewhere.test/a.css";</style>
      <image width="9" height="9" xlink:href="https://elsewhere.test/b.png"/><rect width="9" height="9" fill="green"/></svg>`
    const whole = { name: `Dragon\u202e ${'x'.repeat(9_000)}`, description: '<b>bold</b>', image: drawing }
    const json = `data:application/json;base64,${Buffer.from(JSON.stringify(whole)).toString('base64')}`
    const id = BigInt(Date.now())
    const collection = await fundDrawing(scene, safe.safeAddress, { id, uri: json })
    await fundDrawing(scene, safe.safeAddress, { id: id + 1n, uri: 'https://elsewhere.test/{id}.json' })
    const items = anna.page.locator(`[data-collection="${collection}"]`)
    const item = items.getByRole('listitem').filter({ hasText: `ID ${id}` })
    await item.locator('[data-item-name]', { hasText: '“Dragon[U+202E] x' }).waitFor()
    expect(await item.locator('img').count()).toBe(0)
    await item.locator('summary').click()
    const picture = item.getByRole('img', { name: 'Picture that the contract gives' })
    await picture.waitFor()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(9)
    expect(await item.textContent()).toContain('“<b>bold</b>”')
    expect(await item.textContent()).not.toContain('\u202e')
    const elsewhere = items.getByRole('listitem').filter({ hasText: `ID ${id + 1n}` })
    await elsewhere.locator('summary').click()
    await elsewhere.getByText('is stored elsewhere and is not fetched').waitFor()
    expect(await elsewhere.textContent()).toContain(`${(id + 1n).toString(16).padStart(64, '0')}.json`)
    expect(await elsewhere.getByRole('link').count()).toBe(0)
    expect(await anna.page.title()).not.toContain('run')
    expect(await anna.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(await faultsOf(anna.page)).toEqual([])
  })

  test('behavior: what comes in appears without reloading', async () => {
    await fundItems(scene, safe.safeAddress, [79n])
    await anna.page.getByText('ID 79', { exact: true }).waitFor()
  })

  test('behavior: a Safe with nothing else says so', async () => {
    const empty = await scene.newSafe()
    await addSafe(anna, empty.safeAddress)
    await anna.page.goto(`${anna.url}${sectionPath(scene.chainId, empty.safeAddress, 'assets')}`)
    await anna.page.getByText('No other tokens found in the transfers of this Safe.').waitFor()
  })

  test('error: what the server does not tell is no empty list, and the rest stands', async () => {
    anna.watch.expect(/response: 503|console: .*503/)
    await anna.page.route('**/tokens', (route) => route.fulfill({ status: 503, body: 'away' }))
    await anna.page.goto(`${anna.url}${sectionPath(safe.chainId, safe.safeAddress, 'assets')}`)
    await anna.page.getByText('1,000', { exact: true }).waitFor()
    const retry = anna.page.getByRole('region', { name: 'Assets' }).getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    expect(await anna.page.getByText('No other tokens found').count()).toBe(0)
    await anna.page.unroute('**/tokens')
    await retry.click()
    await token(imitation).waitFor()
  })

  test('behavior: who has not added the Safe sees what the operator lists, and why no more', async () => {
    const owners = [team.stranger.address]
    const others = await deploySafe({ ...scene, version: '1.4.1', owners, threshold: 1, saltNonce: BigInt(Date.now()) })
    await fundTokens(scene, others)
    anna.watch.expect(/response: 404/)
    await anna.page.goto(`${anna.url}${sectionPath(scene.chainId, others, 'assets')}`)
    await anna.page.getByText('Add this Safe to My Safes to see other tokens and NFTs.').waitFor()
    await anna.page.getByText('1,000', { exact: true }).waitFor()
  })
})
