import { testContracts } from '@countersign/devnet'
import type { Page, Route } from 'playwright-core'
import {
  type Address,
  createPublicClient,
  encodeErrorResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseAbi,
  toHex,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/faults.ts'
import {
  confirmButton,
  demand,
  executeButton,
  type Owner,
  openEvidence,
  openTransaction,
  sectionPath,
  signIn,
  statusText,
  tick,
  tickAll,
  typeChange,
} from '../src/owner.ts'
import { type Scene, startScene } from '../src/scene.ts'
import { addSafeByScript, proposeByScript, type SafeAt, type ScriptOwner, signInByScript } from '../src/script-owner.ts'
import { deployCode, sendAs, team } from '../src/team.ts'

let scene: Scene
let bruno: Owner
let byScript: ScriptOwner
beforeAll(async () => {
  scene = await startScene()
  byScript = await signInByScript(scene.product.url, team.anna.privateKey, scene.chainId)
  bruno = await scene.owner(team.bruno.privateKey)
  await signIn(bruno)
})
afterAll(async () => {
  await scene?.closeOwners()
  await scene?.close()
})
afterEach(() => bruno?.watch.assertNone())

const token: Address = testContracts.erc20.address
const tokenAbi = parseAbi(['function mint(address to, uint256 value)', 'function transfer(address to, uint256 value)'])
const chain = () => createPublicClient({ transport: http(scene.rpcUrl), pollingInterval: 50 })
const balanceOf = (holder: Address) =>
  chain().readContract({ abi: erc20Abi, address: token, functionName: 'balanceOf', args: [holder] })

async function newSafe(): Promise<SafeAt> {
  const safe = await scene.newSafe()
  await addSafeByScript(byScript, safe.safeAddress)
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [safe.safeAddress, 10_000_000_000n] })
  await sendAs(team.relayer.privateKey, scene.rpcUrl, { to: token, data })
  return safe
}

/** A contract that takes coin and mints the caller this many tokens, whatever it is called with. */
function exchangeCode(amount: number): Hex {
  const mint = '6340c10f1960e01b600052336004526b'
  const call = `6024526000600060446000600073${token.slice(2)}5af100`
  return `0x${mint}${toHex(amount, { size: 12 }).slice(2)}${call}`
}

/** A contract that refuses whatever it is called with, in these words. */
function refusingCode(words: string): Hex {
  const said = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [words] }).slice(2)
  const size = toHex(said.length / 2, { size: 1 }).slice(2)
  return `0x60${size}600c60003960${size}6000fd${said}`
}

const moves = (page: Page, account: Address) => page.locator(`[data-moves-of="${account}" i]`)

describe('what a transaction does, seen by running it', () => {
  test('default: a payment shows what moves, what stays and the slots of the Safe, and matches', async () => {
    const safe = await newSafe()
    const data = encodeFunctionData({
      abi: tokenAbi,
      functionName: 'transfer',
      args: [team.stranger.address, 1_250_000_000n],
    })
    const { safeTxHash } = await proposeByScript(byScript, safe, { to: token, data, nonce: 0n })
    const { page } = bruno
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="matches"]').waitFor()
    await moves(page, safe.safeAddress).locator('[data-delta="-1250000000"]').waitFor()
    await moves(page, team.stranger.address).locator('[data-delta="1250000000"]').waitFor()
    await page.locator('[data-run-approvals="none"]').waitFor()
    await page.locator('[data-configuration="no-change"]').waitFor()
    expect(await page.locator('[data-run-grade]').first().getAttribute('data-run-block')).toMatch(/^\d+$/)
    expect(await faultsOf(page)).toEqual([])
    await openEvidence(page, 'What happens in the simulation')
    await page.locator('[data-run-calls]').waitFor()
    expect(
      await page.locator('[data-slot-name]').evaluateAll((all) => all.map((one) => one.getAttribute('data-slot-name'))),
    ).toEqual(['nonce'])
    // In the queue, its row has the same verdict from the same run.
    await page.goto(`${bruno.url}${sectionPath(safe.chainId, safe.safeAddress, 'queue')}`)
    await page.locator('[data-listed-verdict="matches"]').waitFor()
  })

  test('behavior: a call that nobody read is typed, and does what was shown', async () => {
    const safe = await newSafe()
    const exchange = await deployCode(scene.rpcUrl, exchangeCode(62_761_750_000))
    const { safeTxHash } = await proposeByScript(byScript, safe, {
      to: exchange,
      data: '0x7b3c8f01',
      value: 10n ** 18n,
      nonce: 0n,
    })
    const { page } = bruno
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="cannot-verify"]').waitFor()
    await moves(page, safe.safeAddress).locator('[data-delta="-1000000000000000000"]').waitFor()
    await moves(page, safe.safeAddress).locator('[data-delta="62761750000"]').waitFor()
    await page.locator('[data-configuration="no-change"]').waitFor()
    expect(await confirmButton(page).isDisabled()).toBe(true)
    await typeChange(page, 'DECODE-NONE', token.slice(-6))
    expect(await confirmButton(page).isDisabled()).toBe(true)
    await typeChange(page, 'DECODE-NONE', exchange.slice(-6), 'Swap for the payroll, made at the desk')
    await tickAll(page)
    await expect.poll(() => confirmButton(page).isEnabled()).toBe(true)
    await confirmButton(page).click()
    await page.locator('[data-confirm="done"]').waitFor()
    const before = await balanceOf(safe.safeAddress)
    await expect.poll(() => executeButton(page).isEnabled()).toBe(true)
    await executeButton(page).click()
    await statusText(page, 'The chain shows it as executed.').waitFor()
    expect((await balanceOf(safe.safeAddress)) - before).toBe(62_761_750_000n)
  })

  test('behavior: the shape of Bybit shows the singleton that is overwritten, and has no button', async () => {
    const safe = await newSafe()
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [team.stranger.address, 0n] })
    const to = testContracts.slotZeroOverwrite.address
    const { safeTxHash } = await proposeByScript(byScript, safe, { to, data, operation: 1, nonce: 0n })
    const { page } = bruno
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="do-not-sign"]').waitFor()
    await page.locator('[data-finding="CRIT-SLOT-UNEXPLAINED"]').first().waitFor()
    await openEvidence(page, 'What happens in the simulation')
    await page.locator('[data-slot-name="singleton"]').waitFor()
    expect(await page.getByRole('main').textContent()).toContain(team.stranger.address.slice(2, 6))
    expect(await confirmButton(page).count()).toBe(0)
  })

  test('behavior: a contract that reverts says so, with its own words, and is asked about', async () => {
    const safe = await newSafe()
    const to = await deployCode(scene.rpcUrl, refusingCode('Not on Sundays'))
    const { safeTxHash } = await proposeByScript(byScript, safe, { to, value: 1n, nonce: 0n })
    const { page } = bruno
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="matches-with-warnings"]').waitFor()
    await page.locator('[data-finding="SIM-REVERT"][data-severity="high"]').waitFor()
    await page.locator('[data-run-moves="fails"]').waitFor()
    expect(await page.getByRole('main').textContent()).toContain('Not on Sundays')
    await demand(page, 'SIM-REVERT').waitFor()
    expect(await confirmButton(page).isDisabled()).toBe(true)
    await tick(page, 'SIM-REVERT')
    await expect.poll(() => confirmButton(page).isEnabled()).toBe(true)
  })

  test('behavior: where the calls say why it reverts, it is asked once', async () => {
    const safe = await newSafe()
    const data = encodeFunctionData({
      abi: tokenAbi,
      functionName: 'transfer',
      args: [team.stranger.address, 20_000_000_000n],
    })
    const { safeTxHash } = await proposeByScript(byScript, safe, { to: token, data, nonce: 0n })
    const { page } = bruno
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="matches-with-warnings"]').waitFor()
    await page.locator('[data-finding="SIM-REVERT"][data-severity="medium"]').waitFor()
    await page.locator('[data-run-moves="fails"]').waitFor()
    await demand(page, 'BALANCE-EXCEEDED').waitFor()
    expect(await demand(page, 'SIM-REVERT').count()).toBe(0)
    expect(await confirmButton(page).isDisabled()).toBe(true)
  })

  test('behavior: a node that runs it otherwise is never green', async () => {
    const safe = await newSafe()
    const { safeTxHash } = await proposeByScript(byScript, safe, { to: team.stranger.address, value: 1n, nonce: 0n })
    const { page } = bruno
    await page.route(/\/api\/chains\/\d+\/rpc$/, (route: Route) => answerOtherwise(route))
    await openTransaction(bruno, safe.safeAddress, safeTxHash)
    await page.locator('[data-verdict="cannot-verify"]').waitFor()
    await page.locator('[data-missing-finding="SIM-DIVERGES"]').waitFor()
    expect(await page.locator('[data-configuration="no-change"]').count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
  })
})

/** Answers whatever is asked with overrides as if it failed; the rest as the node does. */
async function answerOtherwise(route: Route): Promise<void> {
  const asked = route.request().postDataJSON()
  const response = await route.fetch()
  const answers = await response.json()
  const all: { id: unknown; method: string; params?: unknown[] }[] = Array.isArray(asked) ? asked : [asked]
  const lied = new Set(
    all.filter(({ method, params }) => method === 'eth_call' && params?.length === 3).map(({ id }) => id),
  )
  const json = (Array.isArray(answers) ? answers : [answers]).map((answer) =>
    lied.has(answer.id)
      ? { jsonrpc: '2.0', id: answer.id, error: { code: 3, message: 'execution reverted', data: '0x' } }
      : answer,
  )
  await route.fulfill({ response, json: Array.isArray(answers) ? json : json[0] })
}
