import { testContracts } from '@countersign/devnet'
import type { SafeTx } from '@countersign/safe'
import type { Page, Route } from 'playwright-core'
import { type Address, createPublicClient, encodeErrorResult, erc20Abi, type Hex, http, parseAbi, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { faultsOf } from '../src/browser/faults.ts'
import {
  confirmButton,
  demand,
  executeButton,
  type Owner,
  openEvidence,
  openTransaction,
  sectionPath,
  statusText,
  tick,
  tickAll,
  typeChange,
} from '../src/people/owner.ts'
import { mint, payStranger, startReview, token } from '../src/people/reviewer.ts'
import { addSafeByScript, proposeByScript, type SafeAt, type ScriptOwner } from '../src/people/script-owner.ts'
import { deployCode, team } from '../src/people/team.ts'
import type { Scene } from '../src/product/scene.ts'

let scene: Scene
let bruno: Owner
let byScript: ScriptOwner
beforeAll(async () => {
  ;({ scene, bruno, byScript } = await startReview())
})
afterAll(() => scene?.close())
afterEach(() => bruno?.watch.assertNone())

const chain = () => createPublicClient({ transport: http(scene.rpcUrl), pollingInterval: 50 })
const balanceOf = (holder: Address) =>
  chain().readContract({ abi: erc20Abi, address: token, functionName: 'balanceOf', args: [holder] })

async function newSafe(): Promise<SafeAt> {
  const safe = await scene.newSafe()
  await addSafeByScript(byScript, safe.safeAddress)
  await mint(scene, safe.safeAddress, 10_000_000_000n)
  return safe
}

/** Proposes the first transaction of a new Safe, and opens its page as Bruno. */
async function openProposal(fields: Partial<SafeTx> & Pick<SafeTx, 'to'>): Promise<{ page: Page; safe: SafeAt }> {
  const safe = await newSafe()
  const { safeTxHash } = await proposeByScript(byScript, safe, { nonce: 0n, ...fields })
  await openTransaction(bruno, safe.safeAddress, safeTxHash)
  return { page: bruno.page, safe }
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
    const { page, safe } = await openProposal({ to: token, data: payStranger(1_250_000_000n) })
    await page.locator('[data-verdict="matches"]').waitFor()
    await moves(page, safe.safeAddress).locator('[data-delta="-1250000000"]').waitFor()
    await moves(page, team.stranger.address).locator('[data-delta="1250000000"]').waitFor()
    await page.locator('[data-run-approvals="none"]').waitFor()
    await page.locator('[data-configuration="no-change"]').waitFor()
    expect(await page.locator('[data-run-grade]').first().getAttribute('data-run-block')).toMatch(/^\d+$/)
    await page.locator('[data-run-node="agrees"]').getByText('The node says the same.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await openEvidence(page, 'What happens in the simulation')
    await page.locator('[data-run-calls]').waitFor()
    expect(
      await page
        .locator('[data-slot-name]')
        .evaluateAll((all) => all.map((slot) => slot.getAttribute('data-slot-name'))),
    ).toEqual(['nonce'])
    // In the queue, its row has the same verdict from the same run.
    await page.goto(`${bruno.url}${sectionPath(safe.chainId, safe.safeAddress, 'queue')}`)
    await page.locator('[data-listed-verdict="matches"]').waitFor()
  })

  test('behavior: a call that nobody read is typed, and does what was shown', async () => {
    const exchange = await deployCode(scene.rpcUrl, exchangeCode(62_761_750_000))
    const { page, safe } = await openProposal({ to: exchange, data: '0x7b3c8f01', value: 10n ** 18n })
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
    const to = testContracts.slotZeroOverwrite.address
    const { page } = await openProposal({ to, data: payStranger(0n), operation: 1 })
    await page.locator('[data-verdict="do-not-sign"]').waitFor()
    await page.locator('[data-finding="CRIT-SLOT-UNEXPLAINED"]').first().waitFor()
    await openEvidence(page, 'What happens in the simulation')
    await page.locator('[data-slot-name="singleton"]').waitFor()
    expect(await page.getByRole('main').textContent()).toContain(team.stranger.address.slice(2, 6))
    expect(await confirmButton(page).count()).toBe(0)
  })

  test('behavior: a contract that reverts says so, with its own words, and is asked about', async () => {
    const to = await deployCode(scene.rpcUrl, refusingCode('Not on Sundays'))
    const { page } = await openProposal({ to, value: 1n })
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
    const { page } = await openProposal({ to: token, data: payStranger(20_000_000_000n) })
    await page.locator('[data-verdict="matches-with-warnings"]').waitFor()
    await page.locator('[data-finding="SIM-REVERT"][data-severity="medium"]').waitFor()
    await page.locator('[data-run-moves="fails"]').waitFor()
    await demand(page, 'BALANCE-EXCEEDED').waitFor()
    expect(await demand(page, 'SIM-REVERT').count()).toBe(0)
    expect(await confirmButton(page).isDisabled()).toBe(true)
  })

  test('behavior: what a busy node did not answer is asked again by itself, runs too', async () => {
    const rpc = '**/api/chains/*/rpc'
    await bruno.page.route(rpc, async (route) => {
      const asked: { id: number; params?: unknown[] }[] = route.request().postDataJSON()
      const isOfToken = JSON.stringify(asked).toLowerCase().includes(token.toLowerCase().slice(2))
      if (!isOfToken) return route.continue()
      const error = { code: -32_000, message: 'busy' }
      await route.fulfill({ json: asked.map(({ id }) => ({ jsonrpc: '2.0', id, error })) })
    })
    const { page } = await openProposal({ to: token, data: payStranger(1_250_000_000n) })
    await page.locator('[data-verdict="cannot-verify"]').waitFor()
    // Nothing on the chain changes from here on: no event leads to another look.
    await page.unroute(rpc)
    await page.locator('[data-verdict="matches"]').waitFor()
  })

  test('behavior: a node that runs it otherwise is never green', async () => {
    await bruno.page.route(/\/api\/chains\/\d+\/rpc$/, (route: Route) => answerOtherwise(route, reverted))
    const { page } = await openProposal({ to: team.stranger.address, value: 1n })
    await page.locator('[data-verdict="cannot-verify"]').waitFor()
    await page.locator('[data-missing-finding="SIM-DIVERGES"]').waitFor()
    expect(await page.locator('[data-configuration="no-change"]').count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('behavior: where the node takes no overrides, the page says that it has not agreed', async () => {
    await bruno.page.route(/\/api\/chains\/\d+\/rpc$/, (route: Route) => answerOtherwise(route, refused))
    const { page } = await openProposal({ to: team.stranger.address, value: 1n })
    await page.locator('[data-verdict="matches"]').waitFor()
    await page.locator('[data-run-node="unasked"]').getByText('The node did not say whether it agrees.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })
})

const reverted = { code: 3, message: 'execution reverted', data: '0x' }
const refused = { code: -32602, message: 'too many arguments, want at most 2' }

/** Answers whatever is asked with overrides by this error; the rest as the node does. */
async function answerOtherwise(route: Route, error: object): Promise<void> {
  const asked = route.request().postDataJSON()
  const response = await route.fetch()
  const answers = await response.json()
  const all: { id: unknown; method: string; params?: unknown[] }[] = Array.isArray(asked) ? asked : [asked]
  const lied = new Set(
    all.filter(({ method, params }) => method === 'eth_call' && params?.length === 3).map(({ id }) => id),
  )
  const json = (Array.isArray(answers) ? answers : [answers]).map((answer) =>
    lied.has(answer.id) ? { jsonrpc: '2.0', id: answer.id, error } : answer,
  )
  await route.fulfill({ response, json: Array.isArray(answers) ? json : json[0] })
}
