import { call, listQueue } from '@countersign/contract'
import { testContracts } from '@countersign/devnet'
import { encodeSignatures, readSafeState } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import type { Page } from 'playwright-core'
import {
  type Address,
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  namehash,
  parseAbi,
  parseEther,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  names,
  type Owner,
  safePath,
  safeTxHashOf,
  tickAll,
  typeChange,
} from '../src/people/owner.ts'
import {
  confirmByScript,
  readTransaction,
  type SafeAt,
  signInByScript,
  signSafeTx,
} from '../src/people/script-owner.ts'
import { deployCode, fundTokens, sendAs, team, tokenBalance } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

// Transactions as an owner composes them, carried out on real contracts: what the form said is what the chain has then.

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene?.close())
afterEach(() => scene?.closeOwners())

async function annaAt(safe: SafeAt): Promise<Owner> {
  const anna = await scene.owner(team.anna.privateKey)
  await comeBack(anna)
  await addSafe(anna, safe.safeAddress)
  return anna
}

async function openForm({ page, url }: Owner, { chainId, safeAddress }: SafeAt): Promise<void> {
  await page.goto(`${url}${safePath(chainId, safeAddress)}/new`)
  await page.getByLabel('Type', { exact: true }).waitFor()
}

const fill = (page: Page, label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
const choose = (page: Page, label: string, value: string | { label: string }) =>
  page.getByLabel(label, { exact: true }).selectOption(value)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function pay(page: Page, to: Address, amount: string): Promise<void> {
  await fill(page, names.recipient, to)
  await fill(page, names.amount, amount)
}

/** Both owners sign what was proposed, and somebody executes it. */
async function carryOut(safe: SafeAt, safeTxHash: Hex): Promise<void> {
  const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  const { safeTx } = await readTransaction(script, safeTxHash)
  if (!safeTx) throw new Error('its fields are not known')
  const signatures = await Promise.all(
    [team.anna, team.bruno].map(async ({ address, privateKey }) => ({
      owner: address,
      signature: await signSafeTx(privateKeyToAccount(privateKey), safe, safeTx),
    })),
  )
  const data = encodeExecTransaction(safeTx, encodeSignatures(signatures))
  await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: safe.safeAddress, data })
}

function chain() {
  return createPublicClient({ transport: http(scene.rpcUrl) })
}

function stateOf({ safeAddress, chainId }: SafeAt) {
  const { request } = chain()
  return readSafeState((call) => request(call as never), safeAddress, chainId)
}

describe('several entries', () => {
  test('behavior: payments and a change of owners, put in order by keyboard, executed as one', async () => {
    const safe = await scene.newSafe()
    await fundTokens(scene, safe.safeAddress)
    const anna = await annaAt(safe)
    const { page } = anna
    await openForm(anna, safe)
    await pay(page, team.stranger.address, '0.5')
    await press(page, 'Add a payment')
    await choose(page, names.asset, { label: 'Test Dollar (TUSD)' })
    await pay(page, team.relayer.address, '12.5')
    await press(page, 'Add a change of the Safe')
    await fill(page, 'Owner who joins', team.relayer.address)
    await press(page, 'Copy entry 1')
    await press(page, 'Remove entry 2')
    await page.getByRole('button', { name: 'Move entry 3 up', exact: true }).press('Enter')
    // The focus stays on the line that was moved, so that it can go on.
    await page.getByRole('button', { name: 'Move entry 2 up', exact: true }).press('Enter')
    const rows = page.locator('[data-entry]')
    await expect.poll(() => rows.first().textContent()).toMatch(/Add .* owner/)
    // By dragging, too: the last to the top, and on to the middle.
    await rows.nth(2).dragTo(rows.first())
    await expect.poll(() => rows.first().textContent()).toMatch(/12\.5/)
    await rows.first().dragTo(rows.nth(1))
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([expect.stringMatching(/Add .* owner/), expect.stringMatching(/12\.5/), expect.stringMatching(/0\.5/)])
    expect(await rows.count()).toBe(3)
    // Nobody has named them: a line that is closed says whom it is about.
    for (const row of [rows.nth(0), rows.nth(1)])
      expect(await row.locator('[data-address]').getAttribute('data-address')).toBe(team.relayer.address)
    await page.locator('[data-settings="afterwards"]').getByText('joins').waitFor()
    await page.locator('[data-live-verdict]').waitFor()
    expect(await page.locator('[data-live-title]').textContent()).toMatch(
      /^Batch: Add .* as an owner, with threshold 2; Send 12.5 TUSD to .*; Send 0.5 ETH to /,
    )
    expect(await page.locator('[data-live-gas="ordinary"]').textContent()).toMatch(/About \d+,\d{3}, paid by whoever/)

    // A reload, and nothing is lost.
    await page.reload()
    await expect.poll(() => rows.count()).toBe(3)
    // Out as a file of the product's own, then of the Transaction Builder, and in again: the same calls, carried out below.
    await page.getByText('Import or export a file').click()
    for (const button of ['Save the draft as a file', 'Save these calls as a file']) {
      const [saved] = await Promise.all([page.waitForEvent('download'), press(page, button)])
      await press(page, 'Discard the draft')
      await expect.poll(() => rows.count()).toBeLessThan(3)
      await page
        .getByRole('group')
        .filter({ hasText: 'Import or export a file' })
        .getByLabel('Or choose the file')
        .setInputFiles(await saved.path())
      await expect.poll(() => rows.count()).toBe(3)
      expect(await page.getByText('The checksum').count()).toBe(0)
    }
    await press(page, names.review)
    await tickAll(page)
    for (const finding of await page.locator('[data-way="typed"]').all()) {
      const id = (await finding.getAttribute('data-demand')) ?? ''
      await typeChange(page, id, team.relayer.address.slice(-6))
    }
    await press(page, names.propose)
    const before = await tokenBalance(scene, team.relayer.address)
    const held = await chain().getBalance({ address: team.stranger.address })
    await carryOut(safe, await safeTxHashOf(page))
    expect(await tokenBalance(scene, team.relayer.address)).toBe(before + 12_500_000n)
    expect(await chain().getBalance({ address: team.stranger.address })).toBe(held + parseEther('0.5'))
    const { owners, threshold } = await stateOf(safe)
    expect({ owners, threshold }).toEqual({
      owners: [team.relayer.address, team.anna.address, team.bruno.address],
      threshold: 2,
    })
    // The next draft begins empty.
    await openForm(anna, safe)
    expect(await page.getByLabel(names.amount, { exact: true }).inputValue()).toBe('')
  })
})

describe('a batch that no transaction has room for', () => {
  /** Takes 9,000,000 gas of whoever pays it: a number to a power, 5,474 times. */
  const BURNS: Hex = `0x6115625b7f${'ff'.repeat(32)}800a50600190038060035700`

  test('behavior: is told as too large, with the remedy: where it is composed, reviewed, and executed', async () => {
    const safe = await scene.newSafe()
    const burner = await deployCode(scene.rpcUrl, BURNS)
    const anna = await annaAt(safe)
    const { page } = anna
    await openForm(anna, safe)
    await pay(page, burner, '0.01')
    await press(page, 'Add a payment')
    await pay(page, burner, '0.01')
    const large = page.locator('[data-live-gas="large"]')
    await large.filter({ hasText: /more than the 16,777,216 that one transaction may have/ }).waitFor()
    const live = page.locator('[data-live-verdict]')
    expect(await live.textContent()).toContain('Too large for one transaction')
    expect(await live.textContent()).not.toContain('Would fail now')
    // As one of several it has room; and taken back it is too large again.
    await press(page, 'Propose the first entry now, the rest next')
    await page.locator('[data-live-gas="ordinary"]').waitFor()
    expect(await live.textContent()).not.toContain('Too large')
    await press(page, 'Take them back')
    await large.waitFor()
    await press(page, names.review)
    await page.getByText(/This takes about 2\d,\d00,000 gas, and one transaction may have 16,777,216/).waitFor()
    await tickAll(page)
    await press(page, names.propose)
    const safeTxHash = await safeTxHashOf(page)
    const bruno = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
    await confirmByScript(bruno, safe, safeTxHash)
    await page
      .locator('[data-execution]')
      .getByText(/more gas than one transaction may have: no wallet can send it\. Propose its calls again as several/)
      .waitFor()
  })
})

/** Below it are addresses that nobody can own, which a review tells one by one. */
const ordinary = 1n << 150n

/** A file as somebody chooses it: one cent of the test token for each of so many accounts. */
function listOf(count: number) {
  const lines = Array.from(
    { length: count },
    (_, index) => `erc20,${testContracts.erc20.address},${toHex(ordinary + BigInt(index), { size: 20 })},0.01`,
  )
  return {
    name: 'payroll.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['token_type,token_address,receiver,amount', ...lines].join('\n')),
  }
}

describe('a list of payments', () => {
  test('behavior: is split into transactions that fit into a block, and continues after a reload', async () => {
    const safe = await scene.newSafe()
    await fundTokens(scene, safe.safeAddress)
    const anna = await annaAt(safe)
    const { page } = anna
    await openForm(anna, safe)
    await page.getByText('Pay a list').click()
    const file = page.getByLabel('Or choose the file').first()
    await file.setInputFiles(listOf(600))
    await page.getByText('6 TUSD', { exact: true }).waitFor()
    await press(page, 'Split into transactions')
    await page.getByText('0 of 2 transactions are proposed or executed').waitFor()
    await press(page, 'Review and propose')
    await tickAll(page)
    await press(page, names.propose)
    await page.getByText('1 of 2 transactions are proposed or executed').waitFor()

    await page.reload()
    await page.getByText('1 of 2 transactions are proposed or executed').waitFor()
    await page.locator('[data-batch="open"]').getByRole('button', { name: 'Review and propose' }).waitFor()
    const link = await page.locator('[data-batch="proposed"] a').getAttribute('href')
    const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
    const { safeTx } = await readTransaction(script, link?.split('/').at(-1) as Hex)
    const transfers = safeTx?.data.match(/a9059cbb/g) ?? []
    expect(transfers.length).toBeGreaterThan(300)
    expect(transfers.length).toBeLessThan(600)
  })
})

describe('a name in the place of an address', () => {
  test('behavior: pays whom it means, shown whole; signed only while it still does', async () => {
    const { supplier, address: registry } = testContracts.nameRegistry
    const safe = await scene.newSafe()
    const anna = await annaAt(safe)
    const { page } = anna
    await openForm(anna, safe)
    await fill(page, names.recipient, 'nobody-has-this.eth')
    await page.getByText('Nobody has the name nobody-has-this.eth.').waitFor()
    await fill(page, names.recipient, 'suppl\u0456er.eth')
    await page.getByText(/cannot be a name/).waitFor()

    const name = `shop${Date.now()}.eth`
    const point = (to: Address) =>
      sendAs(team.relayer.privateKey, scene.rpcUrl, {
        to: registry,
        data: encodeFunctionData({
          abi: parseAbi(['function setAddr(bytes32 node, address account)']),
          args: [namehash(name), to],
        }),
      })
    const chain = createPublicClient({ transport: http(scene.rpcUrl) })
    const balance = () => chain.getBalance({ address: supplier.address })
    const before = await balance()
    await point(team.stranger.address)
    await fill(page, names.recipient, name)
    await page.getByText(`${name} is ${team.stranger.address}`).waitFor()
    await page.getByText(/does not claim this name/).waitFor()
    await fill(page, names.amount, '0.25')
    await press(page, names.review)
    await tickAll(page)
    await point(supplier.address)
    await press(page, names.propose)
    await page.getByText('The name means somebody else now').waitFor()
    expect(anna.wallet.requests.filter(({ method }) => method.startsWith('eth_signTypedData'))).toEqual([])

    await press(page, 'Edit')
    // Review is asked for while the name is still being read: it goes on by itself.
    let letThrough = () => {}
    const held = new Promise<void>((resolve) => {
      letThrough = resolve
    })
    await page.route('**/rpc', (route) => held.then(() => route.fallback()))
    await fill(page, names.recipient, supplier.name)
    await press(page, names.review)
    await page.getByText('Reading from the chain').first().waitFor()
    letThrough()
    await page.locator('[data-review]').waitFor()
    await page.unroute('**/rpc')
    // The title says the name that the review says; the form says that the account calls itself so, and is as it was.
    await page.getByRole('heading', { name: new RegExp(`Send 0.25 ETH to .*${supplier.name}`) }).waitFor()
    // The browser's own Back leads to the form as it was, and Forward to the review; the focus to the heading of each.
    const focused = () => page.evaluate(() => document.activeElement?.tagName)
    await expect.poll(focused).toBe('H1')
    await page.getByRole('button', { name: 'Edit', exact: true }).focus()
    await page.goBack()
    await page.getByText('The account uses this name itself.').waitFor()
    expect(await page.getByLabel(names.amount, { exact: true }).inputValue()).toBe('0.25')
    await expect.poll(focused).toBe('H1')
    await page.goForward()
    await page.locator('[data-review]').waitFor()
    await press(page, 'Edit')
    await press(page, names.review)
    await tickAll(page)
    await press(page, names.propose)
    const safeTxHash = await safeTxHashOf(page)
    await expect.poll(() => page.title()).toContain(supplier.name)
    await carryOut(safe, safeTxHash)
    expect(await balance()).toBe(before + parseEther('0.25'))
  })
})

describe('a draft in two tabs', () => {
  test('behavior: is proposed once; typed anew while it waits, the form says that it waits', async () => {
    const safe = await scene.newSafe()
    const anna = await annaAt(safe)
    const { page, context, url } = anna
    await openForm(anna, safe)
    await pay(page, team.stranger.address, '0.1')
    const isLive = page.locator('[data-live-verdict]')
    await isLive.waitFor()
    // A tab is copied with all that it keeps.
    const kept = await page.evaluate(() => Object.entries(sessionStorage))
    const copy = await context.newPage()
    await copy.goto(url)
    await copy.evaluate((entries) => {
      for (const [key, value] of entries) sessionStorage.setItem(key, value)
    }, kept)
    await openForm({ ...anna, page: copy }, safe)
    expect(await copy.getByLabel(names.amount, { exact: true }).inputValue()).toBe('0.1')
    await press(page, names.review)
    await tickAll(page)
    await press(page, names.propose)
    const safeTxHash = await safeTxHashOf(page)
    await copy.getByText('This draft was proposed').waitFor()

    await openForm(anna, safe)
    await pay(page, team.stranger.address, '0.1')
    const twin = page.locator(`[data-twin="${safeTxHash}"]`)
    await twin.getByText('The same transaction is still waiting at nonce 0').waitFor()
    await fill(page, names.amount, '0.2')
    await expect.poll(() => twin.count()).toBe(0)

    // Executed it has left the queue, and the copy says the same.
    await carryOut(safe, safeTxHash)
    const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
    await expect.poll(async () => (await call(script.options, listQueue, safe)).transactions).toEqual([])
    await copy.reload()
    await copy.getByText('This draft was proposed').waitFor()
    expect(await copy.getByRole('link', { name: 'Open it' }).getAttribute('href')).toContain(safeTxHash)
    await press(copy, 'Start a new one')
    expect(await copy.getByLabel(names.amount, { exact: true }).inputValue()).toBe('')
  })
})
