import { readFile } from 'node:fs/promises'
import { deployHostileToken, testContractAbi, testContracts } from '@countersign/devnet'
import { type Address, encodeFunctionData, type Hex, namehash, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import { addSafe, comeBack, type Owner, safePath, sectionPath, transactionPath } from '../src/people/owner.ts'
import { proposeByScript, type SafeAt, signInByScript } from '../src/people/script-owner.ts'
import { fundItems, fundTokens, sendAs, team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let safe: SafeAt
let anna: Owner
let unlisted: Address

beforeAll(async () => {
  scene = await startScene()
  safe = await scene.newSafe()
  await sendAs(team.stranger.privateKey, scene.rpcUrl, { to: safe.safeAddress, value: parseEther('0.25') })
  await fundTokens(scene, safe.safeAddress)
  await fundItems(scene, safe.safeAddress, [177n])
  unlisted = await deployHostileToken(scene.rpcUrl, team.relayer.address, 'has 255 decimals')
  const pretend = encodeFunctionData({
    abi: testContractAbi('HostileToken'),
    functionName: 'pretend',
    args: [safe.safeAddress, 9n],
  })
  await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: unlisted, data: pretend })
  anna = await scene.owner(team.anna.privateKey)
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
  await openHistory()
  await anna.page.locator('[data-history-row]').nth(5).waitFor()
  await anna.page.getByText('Filter', { exact: true }).click()
})
afterAll(() => scene?.close())
afterEach(() => anna?.watch.assertNone())

const openHistory = () => anna.page.goto(`${anna.url}${sectionPath(safe.chainId, safe.safeAddress, 'history')}`)

/** Sets something in the registry of the chain, in which anybody may set anything. */
async function register(functionName: 'setAddr' | 'setName', ...args: [Hex, string]): Promise<void> {
  const data = encodeFunctionData({ abi: testContractAbi('NameRegistry'), functionName, args })
  await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: testContracts.nameRegistry.address, data })
}

const reverseNodeOf = (account: Address) => namehash(`${account.slice(2).toLowerCase()}.addr.reverse`)

const entries = () => anna.page.locator('[data-entry]')
const field = (label: string) => anna.page.getByLabel(label, { exact: true })

/** Waits until the list has as many entries, and these words. */
async function shown(count: number, words = ''): Promise<void> {
  const read = async () => {
    const texts = await entries().allTextContents()
    return { count: texts.length, has: texts.join('\n').includes(words) }
  }
  await expect.poll(read).toEqual({ count, has: true })
}

async function showAll(): Promise<void> {
  await anna.page.getByRole('button', { name: 'Clear filters' }).click()
  await shown(6)
}

describe('filters of the history', () => {
  test('default: everything, one line each below its day, with the detail in place', async () => {
    await shown(6)
    const rows = anna.page.locator('[data-history-row]')
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    expect(heights.every((height) => height <= 56)).toBe(true)
    expect(await anna.page.getByRole('heading', { level: 2 }).count()).toBe(1)
    await rows.first().locator('summary').click()
    await entries().first().waitFor()
    await rows.first().locator('summary').click()
  })

  test('behavior: a filter stands in the address, and is there after a reload', async () => {
    await field('Asset').selectOption({ label: 'ETH' })
    await shown(2)
    await expect.poll(() => new URL(anna.page.url()).searchParams.get('token')).toBe('native')
    await anna.page.reload()
    await shown(2)
    await anna.page
      .locator('summary')
      .filter({ hasText: /^Filter/ })
      .click()
    await showAll()
    expect(new URL(anna.page.url()).search).toBe('')
  })

  test('behavior: by kind', async () => {
    await field('Type').selectOption({ label: 'Settings changes' })
    await shown(1, 'Created and set up by')
    await field('Type').selectOption({ label: 'Unexplained changes' })
    await anna.page.getByText('No entries match these filters').waitFor()
    await showAll()
  })

  test('behavior: by asset, listed or not, and by amount in its unit', async () => {
    expect(await field('Minimum amount').isDisabled()).toBe(true)
    await field('Asset').selectOption({ label: 'ETH' })
    await shown(2, '0.25 ETH')
    await field('Minimum amount').fill('0.5')
    await shown(1, 'Received 5 ETH')
    await field('Minimum amount').fill('')
    await field('Maximum amount').fill('0.25')
    await shown(1, 'Received 0.25 ETH')
    await field('Maximum amount').fill('0,25')
    await anna.page.getByText('contains a separator').waitFor()
    await shown(2, 'Received 5 ETH')
    await field('Asset').selectOption({ label: 'Other token or NFT collection, by address' })
    await field('Token address').fill(unlisted)
    await shown(1, '9 base units')
    await field('Token address').fill(testContracts.erc721.address)
    await shown(1, 'NFT ID 177')
    expect(await faultsOf(anna.page)).toEqual([])
    await showAll()
  })

  test('behavior: by counterparty, day and nonce', async () => {
    await field('Sent to, or received from').fill(team.stranger.address)
    await shown(1, '0.25 ETH')
    await field('Sent to, or received from').fill(team.stranger.address.slice(0, -1))
    await anna.page.getByText('This one has 39').waitFor()
    await showAll()
    await field('To date').fill('2020-01-01')
    await shown(0)
    await field('To date').fill('')
    await field('From date').fill('2020-01-01')
    await shown(6)
    await field('Nonce').fill('0')
    await shown(0)
    await showAll()
  })

  test('behavior: what is downloaded is what is shown, with names and units', async () => {
    await field('Asset').selectOption({ label: 'TUSD' })
    await shown(1, '1,000 TUSD')
    const [download] = await Promise.all([
      anna.page.waitForEvent('download'),
      anna.page.getByRole('link', { name: 'Download as CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(',transfer-in,,1000,TUSD,')
    await showAll()
  })

  test('error: without a connection it says so, and is no empty list', async () => {
    await anna.page.route('**/history?**', (route) => route.abort('internetdisconnected'))
    anna.watch.expect(/ERR_INTERNET_DISCONNECTED|history/)
    await openHistory()
    const history = anna.page.getByRole('region', { name: 'History' })
    await history.getByText('Not loaded').waitFor()
    expect(await anna.page.getByText('No history yet').count()).toBe(0)
    await anna.page.unroute('**/history?**')
    await anna.page.getByRole('main').getByRole('button', { name: 'Retry' }).click()
    await shown(6)
  })
})

describe('names of the registry', () => {
  // A name of its own for each run: other files use the registry too.
  const name = `ligne-${Date.now()}.eth`
  const named = `${name} (name registry)`

  test('default: beside whom they mean, in every list and in a review', async () => {
    const { stranger } = team
    await register('setAddr', namehash(name), stranger.address)
    await register('setName', reverseNodeOf(stranger.address), name)
    await openHistory()
    const row = anna.page.locator('[data-history-row]').filter({ hasText: 'Received 0.25 ETH' })
    await row.getByText(named).first().waitFor()
    await row.locator('summary').click()
    await row.locator(`[data-address="${stranger.address}"]`).filter({ hasText: named }).waitFor()
    const byScript = await signInByScript(anna.url, team.anna.privateKey, scene.chainId)
    const { safeTxHash } = await proposeByScript(byScript, safe, { to: stranger.address, value: 1n, nonce: 0n })
    await anna.page.goto(`${anna.url}${sectionPath(safe.chainId, safe.safeAddress, 'queue')}`)
    const waiting = anna.page.locator(`[data-row="${safeTxHash}"]`)
    await waiting.getByRole('link', { name: named }).first().waitFor()
    // The word of a node: the address stands beside it.
    await waiting.getByText(`${stranger.address.slice(0, 6)}…${stranger.address.slice(-4)}`).waitFor()
    await anna.page.goto(`${anna.url}${transactionPath(safe.chainId, safe.safeAddress, safeTxHash)}`)
    await anna.page.getByText(named).filter({ visible: true }).first().waitFor()
    expect(await faultsOf(anna.page)).toEqual([])
    await anna.page.goto(`${anna.url}${safePath(safe.chainId, safe.safeAddress)}/signatures`)
    await anna.page.locator(`[data-alive="${safeTxHash}"] > p`).first().getByText(named).waitFor()
  })

  test('behavior: nobody is called by a name that means somebody else', async () => {
    await register('setAddr', namehash(name), team.bruno.address)
    await openHistory()
    const row = anna.page.locator('[data-history-row]').filter({ hasText: 'Received 0.25 ETH' })
    const asked = anna.page.waitForResponse((response) => response.url().endsWith('/rpc'))
    await row.locator('summary').click()
    await row.locator(`[data-address="${team.stranger.address}"]`).waitFor()
    await asked
    await anna.page.waitForLoadState('networkidle')
    expect(await anna.page.getByText(named).count()).toBe(0)
  })
})
