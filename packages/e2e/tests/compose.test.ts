import { call, listHistory, listQueue, nameAddress } from '@countersign/contract'
import { deployHostileToken, deployOldSafe, testContracts } from '@countersign/devnet'
import { encodeSignatures, readSafeState } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import type { Page } from 'playwright-core'
import {
  type Address,
  createPublicClient,
  createTestClient,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  erc721Abi,
  erc1155Abi,
  type Hex,
  http,
  namehash,
  pad,
  parseAbi,
  parseEther,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  addSafe,
  comeBack,
  demand,
  names,
  type Owner,
  safePath,
  safeTxHashOf,
  sectionPath,
  sendProposal,
  sessionStatus,
  signOut,
  tick,
  tickAll,
  transactionPath,
  typeChange,
  verdict,
  verify,
} from '../src/people/owner.ts'
import {
  addSafeByScript,
  confirmByScript,
  giveAbiByScript,
  proposeByScript,
  readTransaction,
  type SafeAt,
  signInByScript,
  signSafeTx,
} from '../src/people/script-owner.ts'
import {
  deployCode,
  fundCopies,
  fundItems,
  fundTokens,
  newSafe,
  sendAs,
  team,
  tokenBalance,
} from '../src/people/team.ts'
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

describe('a transaction of more bytes than nodes take', () => {
  const data = (bytes: number): Hex => `0x${'ab'.repeat(bytes)}`

  test('behavior: is told with the remedy where it is composed and reviewed, and before it is sent', async () => {
    const safe = await scene.newSafe()
    const silent = await deployCode(scene.rpcUrl, '0x0000')
    const anna = await annaAt(safe)
    const { page } = anna
    await openForm(anna, safe)
    const writeCall = async () => {
      await choose(page, 'Type', 'call')
      await fill(page, 'Contract', silent)
      await fill(page, 'Data', data(70_000))
    }
    await writeCall()
    await press(page, 'Add a call')
    await writeCall()
    const told = page.locator('[data-live-size]')
    await told.filter({ hasText: /^About 141,\d{3} bytes .* more than the 131,072 that nodes take/ }).waitFor()
    const live = page.locator('[data-live-verdict]')
    expect(await live.textContent()).toContain('Too many bytes for one transaction')
    await press(page, 'Propose the first entry now, the rest next')
    await page.locator('[data-live-gas="ordinary"]').waitFor()
    await expect.poll(() => told.count()).toBe(0)

    const [one, other] = await Promise.all(
      [team.anna, team.bruno].map(({ privateKey }) => signInByScript(scene.product.url, privateKey, safe.chainId)),
    )
    if (!one || !other) throw new Error('nobody is signed in')
    // As many as a server keeps; with the signatures they are too many for a node.
    await fundCopies(scene, safe.safeAddress, { id: 16n, count: 1n })
    const args = [safe.safeAddress, team.stranger.address, 16n, 1n, data(130_600)] as const
    const long = encodeFunctionData({ abi: erc1155Abi, functionName: 'safeTransferFrom', args })
    const sent = { to: testContracts.erc1155.address, data: long, nonce: 0n }
    const { safeTxHash } = await proposeByScript(one, safe, sent)
    await confirmByScript(other, safe, safeTxHash)
    await page.goto(`${anna.url}${transactionPath(safe.chainId, safe.safeAddress, safeTxHash)}`)
    const remedy = /larger than nodes take: .* will most likely refuse it\. Propose its calls again as several/
    const figures = /about 131,5\d\d bytes when it is executed, and nodes take 131,072 in one transaction/
    const execution = page.locator('[data-execution]')
    await execution.getByText(remedy).waitFor()
    await execution.getByText(figures).waitFor()
    expect((await execution.textContent())?.match(/131,5\d\d/g)).toHaveLength(1)
    await page.goto(`${anna.url}${safePath(safe.chainId, safe.safeAddress)}/execute`)
    await page.getByText(remedy).waitFor()
    await page.getByText(figures).waitFor()
    expect(await page.getByRole('button', { name: 'Execute it' }).isEnabled()).toBe(false)
  })
})

describe('a function of a contract', () => {
  const order = [
    { name: 'amount', type: 'uint256', internalType: 'uint256' },
    { name: 'kinds', type: 'uint8[2]', internalType: 'enum Exchange.Kind[2]' },
  ]
  const abi = [
    {
      type: 'function',
      name: 'place',
      stateMutability: 'nonpayable',
      outputs: [],
      inputs: [
        { name: 'side', type: 'uint8', internalType: 'enum Exchange.Side' },
        { name: 'orders', type: 'tuple[]', internalType: 'struct Exchange.Order[]', components: order },
      ],
    },
  ] as const

  test('behavior: filled in by its types; form and review name the enums, and the chain gets what was typed', async () => {
    // Takes any call, so that there is nothing to warn of.
    const contract = await deployCode(scene.rpcUrl, '0x0000')
    const safe = await scene.newSafe()
    const anna = await annaAt(safe)
    const { page } = anna
    const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
    const given = { contract, name: 'Exchange', abi: JSON.stringify(abi) }
    await giveAbiByScript(script, safe, given)
    await openForm(anna, safe)
    await choose(page, 'Type', 'function')
    await fill(page, 'Contract', contract)
    const sources = page.getByLabel('Functions from', { exact: true })
    const own = sources.locator('option', { hasText: 'Exchange' })
    await own.waitFor({ state: 'attached' })
    await sources.selectOption((await own.getAttribute('value')) ?? '')
    const side = page.getByLabel('side (enum Exchange.Side, uint8)', { exact: true })
    await side.fill('256')
    await page.getByRole('button', { name: /^Add one to orders/ }).click()
    await page.getByLabel(/› amount \(uint256\)$/).fill('1.5e6')
    for (const [index, kind] of ['3', '4'].entries())
      await page
        .getByLabel(/enum Exchange.Kind, uint8/)
        .nth(index)
        .fill(kind)
    await press(page, names.review)
    await page.getByText('“256” does not fit into uint8.').waitFor()
    await side.fill('1')
    await page.locator('[data-live-gas="ordinary"]').waitFor()
    await press(page, names.review)
    await page.getByText('All calls, one by one').click()
    await expect
      .poll(() => page.locator('[data-call-numbers] li').allTextContents())
      .toEqual([
        expect.stringMatching(/^side: 1 is a member of the enum Exchange.Side,/),
        expect.stringMatching(/^orders\[0\].kinds\[0\]: 3 is a member of the enum Exchange.Kind,/),
        expect.stringMatching(/^orders\[0\].kinds\[1\]: 4 is a member of the enum Exchange.Kind,/),
      ])
    await tickAll(page)
    await press(page, names.propose)
    const safeTxHash = await safeTxHashOf(page)
    const { safeTx } = await readTransaction(script, safeTxHash)
    const { args } = decodeFunctionData({ abi, data: safeTx?.data ?? '0x' })
    expect({ to: safeTx?.to, args }).toEqual({
      to: contract,
      args: [1, [{ amount: 1_500_000n, kinds: [3, 4] }]],
    })
    await carryOut(safe, safeTxHash)
    expect((await stateOf(safe)).nonce).toBe(1n)
  })

  test('behavior: of a long list the first values are drawn, all count, and the fault of one further on is told by its number', async () => {
    const contract = await deployCode(scene.rpcUrl, '0x0000')
    const safe = await scene.newSafe()
    const anna = await annaAt(safe)
    const { page } = anna
    const script = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
    const listed = parseAbi(['function mark(uint256[] ids)'])
    const { chainId } = safe
    const given = { contract, name: 'Marks', abi: JSON.stringify(listed) }
    await giveAbiByScript(script, safe, given)
    await openForm(anna, safe)
    await page.getByText('Import or export a file').click()
    const values = Array.from({ length: 230 }, (_, index) => (index === 199 ? 'two' : String(index + 1)))
    const typed = { contract, abi: given.abi, args: JSON.stringify([values]), amount: '0' }
    const content = { entries: [{ id: 1, kind: 'function', typed }], origin: '', nonce: null }
    const file = JSON.stringify({ countersign: 'draft', chainId: String(chainId), content })
    await page
      .getByRole('group')
      .filter({ hasText: 'Import or export a file' })
      .getByLabel('Or choose the file')
      .setInputFiles({ name: 'draft.json', mimeType: 'application/json', buffer: Buffer.from(file) })
    await page.getByText('1 call is added.').waitFor()
    const fields = page.getByLabel(/^ids › Value [0-9]+ /)
    const field = (number: number) => page.getByLabel(`ids › Value ${number} (uint256)`, { exact: true })
    await page.getByText('180 of 230 values are not shown. All count.').waitFor()
    expect(await fields.count()).toBe(50)
    // By keyboard: the focus goes on with the first of those that come.
    await page.getByRole('button', { name: /^Show 50 more: ids/ }).press('Enter')
    await expect.poll(() => field(51).evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await fields.count()).toBe(100)

    await press(page, names.review)
    await page.getByText('Value 200: “two” is not a whole number.').waitFor()
    const toFault = page.getByRole('button', { name: 'Show value 200', exact: true })
    await expect.poll(() => toFault.evaluate((element) => element === document.activeElement)).toBe(true)
    await toFault.press('Enter')
    await expect.poll(() => field(200).evaluate((element) => element === document.activeElement)).toBe(true)
    await field(200).fill('200')
    expect(await fields.count()).toBe(101)
    // A value that is added behind hidden ones is drawn; one that is taken out moves the rest up.
    await page.getByRole('button', { name: /^Add one to ids/ }).click()
    await field(231).fill('1000')
    await page.getByRole('button', { name: /^Remove value 1 of ids/ }).click()
    await expect.poll(() => field(199).inputValue()).toBe('200')
    expect(await field(230).inputValue()).toBe('1000')
    expect(await fields.count()).toBe(102)
    await page.locator('[data-live-gas="ordinary"]').waitFor()
    await press(page, names.review)
    await tickAll(page)
    await press(page, names.propose)
    const { safeTx } = await readTransaction(script, await safeTxHashOf(page))
    const { args } = decodeFunctionData({ abi: listed, data: safeTx?.data ?? '0x' })
    expect(args[0]).toEqual([...Array.from({ length: 229 }, (_, index) => BigInt(index + 2)), 1000n])
  })
})

describe('a function that the code tells of', () => {
  /** Runs what its slot of EIP-1967 names. */
  const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
  const proxy: Hex = `0x365f5f375f5f365f7f${slot.slice(2)}545af43d5f5f3e5f3d91603757fd5bf3`

  test('behavior: of a proxy, by the functions of its implementation; an ABI of another contract is not taken at its word', async () => {
    const contract = await deployCode(scene.rpcUrl, proxy)
    const code = pad(testContracts.erc20.address)
    const node = createTestClient({ mode: 'anvil', transport: http(scene.rpcUrl) })
    await node.setStorageAt({ address: contract, index: slot, value: code })
    await node.mine({ blocks: 1 })
    const safe = await scene.newSafe()
    const mint = parseAbi(['function mint(address to, uint256 value)'])
    const data = encodeFunctionData({ abi: mint, args: [safe.safeAddress, 1_000n] })
    await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: contract, data })
    const anna = await annaAt(safe)
    const { page } = anna
    await openForm(anna, safe)
    await choose(page, 'Type', 'function')
    await fill(page, 'Contract', contract)
    const sources = page.getByLabel('Functions from', { exact: true })
    const guessed = sources.locator('option', { hasText: 'guessed from the contract' })
    await guessed.waitFor({ state: 'attached' })

    // A function that the contract has not: the run fails, and says so before anybody signs.
    await fill(page, 'ABI', 'withdrawEverything(address to)')
    await choose(page, 'Function', 'withdrawEverything(address)')
    await page.getByLabel(/^to \(address\)/).fill(team.stranger.address)
    await press(page, names.review)
    await page.locator('[data-verdict]').first().waitFor()
    await page
      .getByText(/would fail|fails|reverts/i)
      .first()
      .waitFor()
    await press(page, names.change)

    await sources.selectOption((await guessed.getAttribute('value')) ?? '')
    await choose(page, 'Function', 'transfer(address,uint256)')
    await page.getByLabel(/\(address\)$/).fill(team.stranger.address)
    await page.getByLabel(/\(uint256\)$/).fill('7')
    await press(page, names.review)
    await tickAll(page)
    await press(page, names.propose)
    await carryOut(safe, await safeTxHashOf(page))
    const held = { address: contract, abi: erc20Abi, functionName: 'balanceOf' } as const
    expect(await chain().readContract({ ...held, args: [team.stranger.address] })).toBe(7n)
  })
})

/** Below it are addresses that nobody can own, which a review tells one by one. */
const ordinary = 1n << 150n

/** A file as somebody chooses it: one cent of the test token for each of so many accounts. */
function listOf(count: number, amount = '0.01') {
  const lines = Array.from(
    { length: count },
    (_, index) => `erc20,${testContracts.erc20.address},${toHex(ordinary + BigInt(index), { size: 20 })},${amount}`,
  )
  return {
    name: 'payroll.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['token_type,token_address,receiver,amount', ...lines].join('\n')),
  }
}

describe('a list of payments', () => {
  test('behavior: faults by their lines, then transactions that a block holds, gone on with after a reload', async () => {
    const safe = await scene.newSafe()
    await fundTokens(scene, safe.safeAddress)
    const anna = await annaAt(safe)
    const { page } = anna
    await openForm(anna, safe)
    await page.getByText('Pay a list').click()
    const file = page.getByLabel('Or choose the file').first()
    await file.setInputFiles(listOf(3, '=1+1'))
    await page.getByText('3 lines are wrong').waitFor()
    await page.getByText('Line 2:').waitFor()
    expect(await page.getByRole('button', { name: 'Split into transactions' }).count()).toBe(0)

    // More than the Safe holds: the run names the first payment that fails, and nothing can be signed.
    await file.setInputFiles(listOf(600, '5'))
    await page.getByText(/^3.?000 TUSD$/).waitFor()
    await press(page, 'Split into transactions')
    await page.getByText(/^Line 202: /).waitFor()
    expect(await page.getByRole('button', { name: 'Review and propose' }).count()).toBe(0)
    await press(page, 'Discard the payout')
    await page.getByRole('button', { name: 'Discard the payout' }).last().click()
    await page.getByText('Pay a list').click()

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

describe('what the form knows', () => {
  test('behavior: whom to pay, all there is, what a nonce means; the draft outlives signing out', async () => {
    const safe = await scene.newSafe()
    const { chainId, safeAddress } = safe
    const other = await scene.newSafe()
    await fundTokens(scene, safeAddress)
    const script = await signInByScript(scene.product.url, team.anna.privateKey, chainId)
    await addSafeByScript(script, other.safeAddress)
    const anna = await annaAt(safe)
    const { page, url } = anna
    const { relayer, stranger } = team
    await call(script.options, nameAddress, { chainId, safeAddress, address: relayer.address, name: 'Supplier' })
    const paid = await proposeByScript(script, safe, { to: stranger.address, value: 1n, nonce: 0n })
    await carryOut(safe, paid.safeTxHash)
    const asked = { chainId, safeAddress, kinds: ['transfer-out' as const] }
    await expect.poll(async () => (await call(script.options, listHistory, asked)).entries.length).toBe(1)
    await proposeByScript(script, safe, { to: stranger.address, value: 2n, nonce: 4n })
    await openForm(anna, safe)

    // The team's name with its author, the reader's own Safe, whom the Safe has paid.
    const options = page.locator('#known-addresses option')
    const shown = () =>
      options.evaluateAll((all) => all.map((one) => `${one.getAttribute('value')} ${one.getAttribute('label')}`))
    await expect
      .poll(shown)
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(new RegExp(`^${relayer.address} .*Supplier`)),
          expect.stringMatching(new RegExp(`^${other.safeAddress} `)),
          expect.stringMatching(new RegExp(`^${stranger.address} `)),
        ]),
      )

    // All that is left, also of a second entry. Whoever executes pays the fee, not the Safe.
    const amount = page.getByLabel(names.amount, { exact: true })
    await fill(page, names.recipient, stranger.address)
    await press(page, 'Max')
    expect(await amount.inputValue()).toBe('4.999999999999999999')
    await fill(page, names.amount, '1')
    await press(page, 'Add a payment')
    await press(page, 'Max')
    expect(await amount.inputValue()).toBe('3.999999999999999999')
    await choose(page, names.asset, { label: 'Test Dollar (TUSD)' })
    await press(page, 'Max')
    expect(await amount.inputValue()).toBe('1000')
    await fill(page, names.recipient, relayer.address)

    // The nonce says what it means beside what waits.
    await page.getByText('Nobody has proposed 1 yet, and what is proposed from 4 on waits for it. Enter 5').waitFor()
    await fill(page, 'Nonce', '3')
    await page.getByText('It waits until a transaction with each nonce from 1 up to it is executed.').waitFor()
    await fill(page, 'Nonce', '4')
    await page.getByText(/^This would replace “Send /).waitFor()
    await fill(page, 'Nonce', '0')
    await press(page, names.review)
    await page.getByText('The Safe has already used nonce 0; the next one is 1.').waitFor()
    await fill(page, 'Nonce', '1')

    // The review beside the form is under way, and its reading ends with the session.
    anna.watch.expect(/^response: 401 \S+\/(?:rpc|block-hashes\/\d+)( NOT_SIGNED_IN)?$/)
    await signOut(page)
    await sessionStatus(page, 'unauthenticated').waitFor({ state: 'attached' })
    await page.reload()
    await sessionStatus(page, 'unauthenticated').waitFor({ state: 'attached' })
    await verify(anna)
    await page.goto(`${url}${safePath(chainId, safeAddress)}/new`)
    await expect.poll(() => page.locator('[data-entry]').count()).toBe(2)
    await press(page, names.review)
    await tickAll(page)
    await press(page, names.propose)
    const before = await tokenBalance(scene, relayer.address)
    await carryOut(safe, await safeTxHashOf(page))
    expect((await tokenBalance(scene, relayer.address)) - before).toBe(1_000_000_000n)
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

describe('settings', () => {
  test.each(['1.1.1', '1.3.0', '1.5.0'] as const)(
    'behavior: the threshold of a Safe %s, from its settings, with before and after',
    async (version) => {
      const owners = [team.anna.address, team.bruno.address]
      const safe: SafeAt =
        version === '1.1.1'
          ? {
              chainId: scene.chainId,
              version,
              safeAddress: await deployOldSafe({
                rpcUrl: scene.rpcUrl,
                version,
                owners,
                threshold: 2,
                saltNonce: BigInt(Date.now()),
              }),
            }
          : await newSafe({ ...scene, version })
      const anna = await annaAt(safe)
      const { page } = anna
      await page.goto(`${anna.url}${sectionPath(safe.chainId, safe.safeAddress, 'settings')}`)
      await page.getByRole('link', { name: 'Change the threshold' }).click()
      // The threshold that is there changes nothing.
      await press(page, names.review)
      await page.getByText('That is how it is already').waitFor()
      await choose(page, 'Confirmations needed', '1')
      await page.locator('[data-settings="now"]').getByText('Now · 2 of 2').waitFor()
      await page.locator('[data-settings="afterwards"]').getByText('Afterwards · 1 of 2').waitFor()
      await press(page, names.review)
      await tickAll(page)
      for (const finding of await page.locator('[data-way="typed"]').all())
        await typeChange(page, (await finding.getAttribute('data-demand')) ?? '', '1')
      await press(page, names.propose)
      await carryOut(safe, await safeTxHashOf(page))
      expect((await stateOf(safe)).threshold).toBe(1)
    },
  )

  test('behavior: dangerous orders are refused with the reason', async () => {
    const safe = await scene.newSafe()
    const anna = await annaAt(safe)
    const { page } = anna
    await openForm(anna, safe)
    await choose(page, 'Type', 'remove-owner')
    await choose(page, 'Owner who leaves', team.bruno.address)
    await press(page, names.review)
    await page.getByText(/The Safe then has 1 owner: with more confirmations/).waitFor()
    await choose(page, 'Type', 'set-handler')
    await fill(page, 'Fallback handler', team.stranger.address)
    await page.getByText('This address is not a contract, and a handler is one.').waitFor()
    await choose(page, 'Type', 'set-guard')
    await fill(page, 'Guard', testContracts.erc721.address)
    await page.getByText(/the Safe could never execute anything again/).waitFor()
    expect(await page.locator('[data-propose]').getAttribute('data-propose')).toBe('edit')
  })
})

describe('an item of a collection', () => {
  test('behavior: sent from a phone; the form says whether the Safe holds it', async () => {
    const safe = await scene.newSafe()
    const tokenId = BigInt(Date.now())
    await fundItems(scene, safe.safeAddress, [tokenId])
    const anna = await annaAt(safe)
    const { page } = anna
    await page.setViewportSize({ width: 360, height: 740 })
    await openForm(anna, safe)
    await choose(page, 'Type', 'item')
    await fill(page, 'Collection', testContracts.erc721.address)
    await fill(page, 'Number of the item (token ID)', `${tokenId + 1n}`)
    await page.getByText(/does not say whether the Safe holds|does not hold this item/).waitFor()
    await fill(page, 'Number of the item (token ID)', `${tokenId}`)
    await page.getByText('The Safe holds 1 of it.').waitFor()
    await fill(page, names.recipient, team.stranger.address)
    await sendProposal(anna)
    await carryOut(safe, await safeTxHashOf(page))
    const args = [tokenId] as const
    const { address } = testContracts.erc721
    expect(await chain().readContract({ address, abi: erc721Abi, functionName: 'ownerOf', args })).toBe(
      team.stranger.address,
    )
  })
})

describe('a draft of the team', () => {
  test('behavior: a template is used by another owner with one press, and reviewed; a draft goes once it is proposed', async () => {
    const safe = await scene.newSafe()
    const anna = await annaAt(safe)
    await openForm(anna, safe)
    await pay(anna.page, team.stranger.address, '0.25')
    await anna.page.getByText('Drafts and templates of the team').click()
    await fill(anna.page, 'Name', 'Rent')
    await choose(anna.page, 'Keep it as', 'template')
    await press(anna.page, 'Keep for the team')
    await anna.page.locator('[data-team-draft]').getByText('Rent').waitFor()
    await fill(anna.page, 'Name', 'Once')
    await choose(anna.page, 'Keep it as', 'draft')
    await press(anna.page, 'Keep for the team')
    await anna.page.locator('[data-team-draft]').getByText('Once').waitFor()

    const bruno = await scene.owner(team.bruno.privateKey)
    await comeBack(bruno)
    const { page } = bruno
    await openForm(bruno, safe)
    await page.getByText('Drafts and templates of the team').click()
    await press(page, 'Use Once')
    expect(await page.getByLabel(names.amount, { exact: true }).inputValue()).toBe('0.25')
    await press(page, names.review)
    await tickAll(page)
    await press(page, names.propose)
    await safeTxHashOf(page)
    // Anna sees it go, and what she has opened of it is not proposed a second time.
    await expect.poll(() => anna.page.locator('[data-team-draft]').count()).toBe(1)
    await press(anna.page, 'Use Rent')
    await press(anna.page, names.review)
    await anna.page.locator('[data-propose="review"]').waitFor()
  })
})

describe('a draft that somebody else wrote', () => {
  test('error: its fields show what is read of it, far out of range and of no list as well', async () => {
    const safe = await scene.newSafe()
    const unlisted = await deployHostileToken(scene.rpcUrl, team.relayer.address, 'has its texts in one word')
    const anna = await annaAt(safe)
    const { page } = anna
    await openForm(anna, safe)
    await page.getByText('Import or export a file').click()
    const chosenIn = (label: string) => page.getByLabel(label, { exact: true }).locator('option:checked')
    const open = async (kind: string, typed: Record<string, string>) => {
      const content = { entries: [{ id: 1, kind, typed }], origin: 'Theirs', nonce: null }
      const file = JSON.stringify({ countersign: 'draft', chainId: String(safe.chainId), content })
      await page
        .getByRole('group')
        .filter({ hasText: 'Import or export a file' })
        .getByLabel('Or choose the file')
        .setInputFiles({ name: 'draft.json', mimeType: 'application/json', buffer: Buffer.from(file) })
      await page.getByText('1 call is added.').waitFor()
    }
    await open('change-threshold', { threshold: '999999999' })
    await expect.poll(() => chosenIn('Confirmations needed').textContent()).toMatch(/^999.?999.?999 of 2$/)
    await press(page, names.review)
    await page.getByText('Choose 2 or less').waitFor()
    await press(page, 'Discard the draft')
    await open('transfer', { asset: unlisted.toLowerCase(), recipient: team.stranger.address, amount: '1' })
    await expect.poll(() => chosenIn(names.asset).textContent()).toContain(unlisted)
  })
})

describe('a draft that was sent', () => {
  test('behavior: whose answer got lost is not offered a second time', async () => {
    const safe = await scene.newSafe()
    const anna = await annaAt(safe)
    const { page } = anna
    await openForm(anna, safe)
    await pay(page, team.stranger.address, '0.1')
    await press(page, names.review)
    await tickAll(page)
    anna.watch.expect(/Failed to load resource|ERR_FAILED|requestfailed|request failed/i)
    // The server stores it, and the page never hears of it.
    await page.route(/\/transactions$/, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      return route.abort()
    })
    await press(page, names.propose)
    await page.getByRole('alert').first().waitFor()
    await page.unroute(/\/transactions$/)
    await page.goto(`${anna.url}${safePath(safe.chainId, safe.safeAddress)}/new`)
    await page.getByText('This draft was proposed').waitFor()
    await press(page, 'Start a new one')
    expect(await page.getByLabel(names.amount, { exact: true }).inputValue()).toBe('')
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

describe('a new Safe', () => {
  test('behavior: its address is shown before it is paid for, and it is there with its names', async () => {
    const anna = await scene.owner(team.anna.privateKey)
    const { page, url } = anna
    await comeBack(anna, '/')
    await page.getByRole('link', { name: 'Create a Safe', exact: true }).click()
    await fill(page, 'Name of the Safe', 'Fresh treasury')
    await fill(page, 'Address of owner 2', team.anna.address)
    await press(page, 'Review')
    await page.getByText('This address is already an owner.').waitFor()
    await fill(page, 'Address of owner 2', team.bruno.address)
    await press(page, 'Add an owner')
    await fill(page, 'Address of owner 3', team.relayer.address)
    await fill(page, 'Name of owner 3', 'Carla')
    // Nothing that was typed is lost by a reload, and a phone shows it too.
    await page.setViewportSize({ width: 360, height: 740 })
    await page.reload()
    await expect.poll(() => page.getByLabel('Name of owner 3', { exact: true }).inputValue()).toBe('Carla')
    await press(page, 'Review')

    const address = (await page
      .locator('[data-create="review"] dl [data-address]')
      .first()
      .getAttribute('data-address')) as Address
    await verdict(page, /1 warning/).waitFor()
    // The review lists owners without a name.
    await demand(page, 'CREATION-UNNAMED').waitFor()
    expect(await page.locator('[data-evidence="newOwners"]').first().textContent()).toContain(team.bruno.address)
    await page.locator('[data-cost]').waitFor()
    expect(await page.locator('[data-code-hash]').count()).toBe(3)
    expect(await chain().getCode({ address })).toBeUndefined()
    await tick(page, 'CREATION-UNNAMED')
    await press(page, 'Create the Safe')
    await page.getByRole('link', { name: 'Open the Safe' }).click()

    await page.waitForURL(`${url}${safePath(scene.chainId, address)}`)
    await page.getByText('Fresh treasury').first().waitFor()
    const { owners, threshold, version } = await stateOf({
      chainId: scene.chainId,
      safeAddress: address,
      version: '1.5.0',
    })
    expect({ owners, threshold, version }).toEqual({
      owners: [team.anna.address, team.bruno.address, team.relayer.address],
      threshold: 2,
      version: '1.5.0+L2',
    })
  })
})
