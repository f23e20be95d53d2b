import { testContracts } from '@countersign/devnet'
import { safeAbi } from '@countersign/safe'
import type { Route } from 'playwright-core'
import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  keccak256,
  maxUint256,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import {
  comeBack,
  confirmButton,
  demand,
  executeButton,
  fillProposal,
  names,
  type Owner,
  openTransaction,
  safeTxHashOf,
  sectionPath,
  statusText,
  tick,
  typeChange,
} from '../src/people/owner.ts'
import {
  addSafeByScript,
  proposeByScript,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

let scene: Scene
let anna: Owner
let bruno: Owner
let byScript: ScriptOwner
beforeAll(async () => {
  scene = await startScene()
  byScript = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
  ;[anna, bruno] = await Promise.all([scene.owner(team.anna.privateKey), scene.owner(team.bruno.privateKey)])
  await Promise.all([comeBack(anna), comeBack(bruno)])
})
afterAll(() => scene?.close())
afterEach(() => {
  anna?.watch.assertNone()
  bruno?.watch.assertNone()
})

const token: Address = testContracts.erc20.address
const spender = team.stranger.address
const unlimited = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] })
const lower = encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [1n] })

async function newSafe(): Promise<SafeAt> {
  const safe = await scene.newSafe()
  await addSafeByScript(byScript, safe.safeAddress)
  return safe
}

const asked = ({ wallet }: Owner) =>
  wallet.requests.filter(({ method }) => method === 'eth_signTypedData_v4' || method === 'eth_sendTransaction').length
const chain = () => createPublicClient({ transport: http(scene.rpcUrl) })

describe('a high finding', () => {
  test('default: is ticked by each owner, beside Confirm; then Execute is possible too', async () => {
    const safe = await newSafe()
    const { safeTxHash } = await proposeByScript(byScript, safe, { to: token, data: unlimited, nonce: 0n })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await bruno.page.locator('[data-verdict="matches-with-warnings"]').waitFor()
    expect(await bruno.page.getByRole('heading', { name: /^Matches, \d+ warnings?$/ }).count()).toBe(1)
    const sentence = await demand(bruno.page, 'APPROVE-UNLIMITED').textContent()
    expect(sentence?.replaceAll(/\s/g, '').toLowerCase()).toContain(spender.slice(2).toLowerCase())
    expect(sentence).toContain('unlimited')
    await bruno.page.locator('[data-confirm="acknowledge"]').waitFor()
    expect(await confirmButton(bruno.page).isDisabled()).toBe(true)
    expect(await faultsOf(bruno.page)).toEqual([])

    await tick(bruno.page, 'APPROVE-UNLIMITED', 'APPROVE-EOA')
    await expect.poll(() => confirmButton(bruno.page).isEnabled()).toBe(true)
    // One answer taken back closes it again, and a reload loses none.
    await demand(bruno.page, 'APPROVE-EOA').getByRole('checkbox').uncheck()
    await expect.poll(() => confirmButton(bruno.page).isDisabled()).toBe(true)
    await bruno.page.reload()
    await bruno.page.locator('[data-confirm="acknowledge"]').waitFor()
    expect(await demand(bruno.page, 'APPROVE-UNLIMITED').getByRole('checkbox').isChecked()).toBe(true)
    await tick(bruno.page, 'APPROVE-EOA')
    const sent = bruno.page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().includes('/confirmations'),
    )
    await confirmButton(bruno.page).click()
    // The others get the sentences that were ticked, as this owner's word.
    const { reviewed } = (await sent).postDataJSON()
    expect(reviewed.verdict).toBe('matches-with-warnings')
    expect(reviewed.acknowledgements).toHaveLength(2)
    expect(JSON.stringify(reviewed.acknowledgements)).toContain(`${spender} may take all TUSD`)
    await bruno.page.locator('[data-confirm="done"]').waitFor()
    await tick(bruno.page, 'APPROVE-UNLIMITED', 'APPROVE-EOA')
    await executeButton(bruno.page).click()
    await statusText(bruno.page, 'The chain shows it as executed.').waitFor()
    const allowed = { abi: erc20Abi, functionName: 'allowance', args: [safe.safeAddress, spender] } as const
    expect(await chain().readContract({ address: token, ...allowed })).toBe(maxUint256)
  })

  test('behavior: answers to one transaction open no other', async () => {
    const safe = await newSafe()
    const first = await proposeByScript(byScript, safe, { to: token, data: unlimited, nonce: 0n })
    const second = await proposeByScript(byScript, safe, { to: token, data: unlimited, nonce: 1n })
    await openTransaction(bruno, safe.safeAddress, first.safeTxHash)
    await tick(bruno.page, 'APPROVE-UNLIMITED', 'APPROVE-EOA')
    await expect.poll(() => confirmButton(bruno.page).isEnabled()).toBe(true)
    await openTransaction(bruno, safe.safeAddress, second.safeTxHash)
    await bruno.page.locator('[data-confirm="acknowledge"]').waitFor()
    expect(await confirmButton(bruno.page).isDisabled()).toBe(true)
  })

  test('error: REVIEW_NOT_ACKNOWLEDGED, when a finding comes up between the page and the wallet', async () => {
    const safe = await newSafe()
    const { safeTxHash } = await proposeByScript(byScript, safe, { to: token, data: unlimited, nonce: 0n })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await tick(bruno.page, 'APPROVE-UNLIMITED', 'APPROVE-EOA')
    await expect.poll(() => confirmButton(bruno.page).isEnabled()).toBe(true)
    const before = asked(bruno)
    const other = keccak256('0x01')
    const signature = await byScript.account.sign({ hash: other })
    const pattern = new RegExp(`/api/chains/\\d+/transactions/${safeTxHash}$`)
    await bruno.page.route(pattern, async (route: Route) => {
      const response = await route.fetch()
      const body = await response.json()
      const confirmations = [{ ...body.transaction.confirmations[0], signature }]
      body.others = [{ safeTxHash: other, nonce: '0', isCancellation: false, confirmations, formerConfirmations: [] }]
      await route.fulfill({ response, json: body })
    })
    await confirmButton(bruno.page).click()
    await bruno.page.getByText('REVIEW_NOT_ACKNOWLEDGED').waitFor()
    await bruno.page.getByText('NONCE-CONFLICT').first().waitFor()
    expect(asked(bruno)).toBe(before)
    await bruno.page.unrouteAll({ behavior: 'wait' })
  })
})

describe('a power that owners may give on purpose', () => {
  test('default: what changes is typed, with a reason, by each owner; then it runs', async () => {
    const safe = await newSafe()
    const { safeTxHash } = await proposeByScript(byScript, safe, { to: safe.safeAddress, data: lower, nonce: 0n })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await bruno.page.locator('[data-verdict="do-not-sign"]').waitFor()
    const { page } = bruno
    await typeChange(page, 'THRESHOLD-DOWN', '2')
    expect(await faultsOf(page)).toEqual([])
    await tick(page, 'THRESHOLD-ONE')
    expect(await confirmButton(page).isDisabled()).toBe(true)
    await typeChange(page, 'THRESHOLD-DOWN', '1', '..')
    expect(await confirmButton(page).isDisabled()).toBe(true)
    await typeChange(page, 'THRESHOLD-DOWN', '1')
    await expect.poll(() => confirmButton(page).isEnabled()).toBe(true)
    await confirmButton(page).click()
    await page.locator('[data-confirm="done"]').waitFor()
    await executeButton(page).click()
    await statusText(page, 'The chain shows it as executed.').waitFor()
    const threshold = { abi: safeAbi, functionName: 'getThreshold' } as const
    expect(await chain().readContract({ address: safe.safeAddress, ...threshold })).toBe(1n)
  })

  test('behavior: who proposes answers before signing, too', async () => {
    const safe = await newSafe()
    await fillProposal(anna, safe.safeAddress, { to: spender, amount: '4.9' })
    await anna.page.getByRole('button', { name: names.review, exact: true }).click()
    const propose = anna.page.getByRole('button', { name: names.propose, exact: true })
    await anna.page.locator('[data-confirm="acknowledge"]').waitFor()
    expect(await propose.isDisabled()).toBe(true)
    expect(await demand(anna.page, 'VALUE-DRAIN').textContent()).toContain('4.9')
    await tick(anna.page, 'VALUE-DRAIN')
    await expect.poll(() => propose.isEnabled()).toBe(true)
    await propose.click()
    await safeTxHashOf(anna.page)
  })
})

describe('what nothing opens', () => {
  test('behavior: unknown code that runs as the Safe has no button, whatever the tab has stored', async () => {
    const safe = await newSafe()
    const data: Hex = '0xdeadbeef'
    const { safeTxHash } = await proposeByScript(byScript, safe, { to: token, data, operation: 1, nonce: 0n })
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await bruno.page.locator('[data-verdict="do-not-sign"]').waitFor()
    expect(await confirmButton(bruno.page).count()).toBe(0)
    expect(await bruno.page.locator('[data-demand]').count()).toBe(0)
  })
})

describe('a verdict', () => {
  test('behavior: is the same in the queue, on the page and in My Safes', async () => {
    const safe = await newSafe()
    const by = async (fields: Parameters<typeof proposeByScript>[2]) =>
      (await proposeByScript(byScript, safe, fields)).safeTxHash
    const expected = {
      matches: await by({ to: spender, value: 1n, nonce: 0n }),
      'matches-with-warnings': await by({ to: token, data: unlimited, nonce: 1n }),
      'cannot-verify': await by({ to: token, data: '0xdeadbeef', nonce: 2n }),
      'do-not-sign': await by({ to: safe.safeAddress, data: lower, nonce: 3n }),
    }
    const { page } = bruno
    await page.goto(`${bruno.url}${sectionPath(safe.chainId, safe.safeAddress, 'queue')}`)
    // Rows are run once they are seen.
    await page.locator('[data-row]').nth(3).waitFor({ state: 'attached' })
    for (const row of await page.locator('[data-row]').all()) await row.scrollIntoViewIfNeeded()
    for (const verdict of Object.keys(expected)) await page.locator(`[data-listed-verdict="${verdict}"]`).waitFor()
    await page.goto(bruno.url)
    const entry = page.locator(`[data-safe="${safe.safeAddress}"]`)
    for (const verdict of ['matches-with-warnings', 'cannot-verify', 'do-not-sign'])
      await entry.locator(`[data-waiting-verdict="${verdict}"]`).waitFor()
    for (const [verdict, safeTxHash] of Object.entries(expected)) {
      await openTransaction(bruno, safe.safeAddress, safeTxHash)
      await page.locator(`[data-verdict="${verdict}"]`).waitFor()
    }
  })
})
