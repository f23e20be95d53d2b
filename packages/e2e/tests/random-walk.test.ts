import { testContracts } from '@countersign/devnet'
import { safeAbi } from '@countersign/safe-core'
import type { Page, Route } from 'playwright-core'
import { encodeFunctionData, erc20Abi, type Hex, hashTypedData, keccak256, maxUint256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandomInt, runs, seed } from '../../../scripts/random-tests.mjs'
import { type Owner, signIn, transactionPath } from '../src/owner.ts'
import { type Scene, startScene } from '../src/scene.ts'
import {
  addSafeByScript,
  confirmByScript,
  proposeByScript,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
} from '../src/script-owner.ts'
import { team } from '../src/team.ts'

/** A transaction on the walker's way, and the answers that must be given before the wallet is asked. */
type Stop = { hash: Hex; needs: Record<string, string | true> | 'nothing opens it'; executes?: true }

/** A tab, and all that was answered in it: by transaction, then by finding. */
type Tab = { page: Page; answers: Map<Hex, Map<string, string>>; at: Hex | null; network: Network }
type Network = 'as it is' | 'slow' | 'another proposal comes up' | 'a field is changed' | 'away'

const OTHER = keccak256('0x01')
const spender = team.stranger.address
const token = testContracts.erc20.address
const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, maxUint256] })
const lower = encodeFunctionData({ abi: safeAbi, functionName: 'changeThreshold', args: [1n] })
const randomInt = createRandomInt()
const pick = <One>(list: readonly One[]): One => list[randomInt(list.length)] as One

let scene: Scene
let safe: SafeAt
let bruno: Owner
let stops: Stop[]
/** Anna's, on a proposal that exists in no queue. */
let signatureOfOther: Hex
/** Transactions for which the wallet was asked, and how many of its requests were looked at. */
const asked = new Set<Hex>()
let seen = 0

beforeAll(async () => {
  scene = await startScene({ env: { COUNTERSIGN_RATE_LIMITS: 'off' } })
  safe = await scene.newSafe()
  const byAnna = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  const byBruno = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
  await addSafeByScript(byAnna, safe.safeAddress)
  stops = await proposeStops(byAnna, byBruno)
  signatureOfOther = await byAnna.account.sign({ hash: OTHER })
  bruno = await scene.owner(team.bruno.privateKey)
  await signIn(bruno)
  // The walk ends at the wallet: nothing is signed, and every page stays as it is.
  bruno.wallet.behave('sign', 'reject')
  bruno.wallet.behave('send', 'reject')
})
afterAll(async () => {
  for (const { context } of bruno ? [bruno] : []) await context.close()
  await scene?.close()
})

async function proposeStops(byAnna: ScriptOwner, byBruno: ScriptOwner): Promise<Stop[]> {
  const by = async (fields: Parameters<typeof proposeByScript>[2]) =>
    (await proposeByScript(byAnna, safe, fields)).safeTxHash
  const unlimited = { 'APPROVE-UNLIMITED': true, 'APPROVE-EOA': true } as const
  const complete = await by({ to: token, data: approve, nonce: 0n })
  await confirmByScript(byBruno, safe, complete)
  return [
    { hash: complete, needs: unlimited, executes: true },
    { hash: await by({ to: spender, value: 1n, nonce: 1n }), needs: {} },
    { hash: await by({ to: token, data: approve, nonce: 2n }), needs: unlimited },
    {
      hash: await by({ to: safe.safeAddress, data: lower, nonce: 3n }),
      needs: { 'THRESHOLD-DOWN': '1', 'THRESHOLD-ONE': true },
    },
    { hash: await by({ to: token, data: '0xdeadbeef', operation: 1, nonce: 4n }), needs: 'nothing opens it' },
    { hash: await by({ to: token, data: '0xdeadbeef', nonce: 5n }), needs: 'nothing opens it' },
  ]
}

/** One answer of a person who is careful, or is not. */
async function answer(tab: Tab, isCareful: boolean): Promise<void> {
  const { at, page } = tab
  const stop = stops.find(({ hash }) => hash === at)
  if (at === null || stop === undefined) return
  const known = stop.needs === 'nothing opens it' ? {} : stop.needs
  const right = Object.fromEntries(Object.entries(known).filter(([, typed]) => typed !== true)) as Record<
    string,
    string
  >
  const choice = { isCareful, at: randomInt(100), typed: pick(['1', '2', '', '0x', ' ', '01']), right }
  const said = await page.evaluate(({ isCareful, at, typed, right }) => {
    const write = (field: HTMLInputElement, value: string) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    const demands = [...document.querySelectorAll<HTMLElement>('[data-demand]')]
    const answered: [string, string][] = []
    for (const [index, demand] of demands.entries()) {
      if (!isCareful && index !== at % demands.length) continue
      const id = demand.dataset.demand ?? ''
      const box = demand.querySelector<HTMLInputElement>('input[type="checkbox"]')
      if (box) {
        if (!isCareful || !box.checked) box.click()
        answered.push([id, box.checked ? (demand.textContent ?? '') : ''])
        continue
      }
      const [change, reason] = demand.querySelectorAll<HTMLInputElement>('input')
      if (!change || !reason) continue
      write(change, isCareful ? (right[id] ?? typed) : typed)
      write(reason, isCareful || at % 2 === 0 ? 'Decided' : '')
      answered.push([id, reason.value === '' ? '' : change.value])
    }
    return answered
  }, choice)
  const answers = tab.answers.get(at) ?? new Map<string, string>()
  for (const [id, words] of said) {
    if (words === '') answers.delete(id)
    else answers.set(id, words)
  }
  tab.answers.set(at, answers)
}

/** Presses every button that could sign, also one that is disabled, in the ways a page can be pressed. */
async function press(tab: Tab): Promise<void> {
  const way = pick(['click', 'enabled by force', 'Enter', 'twice'] as const)
  await tab.page.evaluate((way) => {
    for (const button of document.querySelectorAll<HTMLButtonElement>(
      '[data-confirm] button, [data-execution] button',
    )) {
      if (!/^(Confirm|Execute)/.test(button.textContent ?? '')) continue
      if (way === 'enabled by force') button.disabled = false
      button.focus()
      if (way === 'Enter') button.form?.requestSubmit()
      button.click()
      if (way === 'twice') button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    }
  }, way)
  if (way === 'Enter') await tab.page.keyboard.press('Enter')
}

/** Whatever runs behind a button has come to its end, or to the wallet. */
async function settled({ page }: Tab): Promise<void> {
  await page.waitForFunction(() => document.querySelector('button[aria-busy="true"]') === null)
}

async function open(tab: Tab, stop: Stop): Promise<void> {
  tab.at = stop.hash
  await tab.page.goto(`${bruno.url}${transactionPath(safe.chainId, safe.safeAddress, stop.hash)}`).catch(() => null)
  // A walker who waits for the review gets further than one who presses at once.
  if (randomInt(2) === 0) await reviewed(tab)
}

async function reviewed({ page }: Tab): Promise<void> {
  await page
    .locator('[data-verdict]')
    .first()
    .waitFor({ timeout: 5_000 })
    .catch(() => null)
}

/** Every reply about a transaction goes through what the network of the tab is just now. */
async function watchNetwork(tab: Tab): Promise<void> {
  await tab.page.route(/\/api\/chains\/\d+\/transactions\/0x[0-9a-f]{64}$/, async (route: Route) => {
    const { network } = tab
    if (network === 'as it is' || route.request().method() !== 'GET') return route.continue().catch(() => null)
    if (network === 'away') return route.abort().catch(() => null)
    if (network === 'slow') await new Promise((resolve) => setTimeout(resolve, 300))
    const response = await route.fetch().catch(() => null)
    const body = await response?.json().catch(() => null)
    if (!response || !body?.transaction) return route.abort().catch(() => null)
    const { confirmations: given, safeTx } = body.transaction
    const confirmations = [{ ...given[0], signature: signatureOfOther }]
    if (network === 'another proposal comes up') {
      body.others = [
        { safeTxHash: OTHER, nonce: safeTx.nonce, isCancellation: false, confirmations, formerConfirmations: [] },
      ]
    } else if (network === 'a field is changed') safeTx.value = '7'
    return route.fulfill({ response, json: body }).catch(() => null)
  })
}

/** Whether this tab has answered everything that this transaction needs, as the network shows it. */
function isAnswered({ answers, network }: Pick<Tab, 'network'> & { answers: ReadonlyMap<string, string> }, stop: Stop) {
  if (stop.needs === 'nothing opens it' || network === 'a field is changed') return false
  const conflict = answers.get('NONCE-CONFLICT')?.replaceAll(/\s/g, '') ?? ''
  if (network === 'another proposal comes up' && !conflict.includes(OTHER.slice(2, 10))) return false
  return Object.entries(stop.needs).every(([id, typed]) => {
    const given = answers.get(id)
    return given !== undefined && (typed === true || given.trim() === typed)
  })
}

/** The transaction that the wallet was asked to sign or to execute. */
function askedFor({ method, params }: { method: string; params: unknown }): Hex | null {
  if (method === 'eth_sendTransaction') return stops.find(({ executes }) => executes)?.hash ?? null
  if (method !== 'eth_signTypedData_v4') return null
  const [, json] = params as [string, string]
  return hashTypedData(typeof json === 'string' ? JSON.parse(json) : json)
}

type Way = (tab: Tab) => Promise<void>

const changeNetwork: Way = async (tab) => {
  // A reply that is on its way still is of the network before.
  await tab.page.waitForTimeout(tab.network === 'slow' ? 500 : 100)
  tab.network = pick(['as it is', 'as it is', 'slow', 'another proposal comes up', 'a field is changed', 'away'])
}

/** The next steps of a tab: one, or several in which something changes right before the button is pressed. */
function plan(tab: Tab): Way[] {
  const dice = randomInt(100)
  const openOne: Way = (one) => open(one, pick(stops))
  if (tab.at === null || dice < 12) return [openOne]
  if (dice < 15) return [async ({ page }) => void (await page.reload().catch(() => null))]
  if (dice < 17) return [async ({ page }) => void (await page.goBack().catch(() => null))]
  if (dice < 24) return [changeNetwork]
  if (dice < 42) return [(one) => answer(one, false)]
  if (dice < 54) return [(one) => answer(one, true)]
  const ambush: Way = async (one) => {
    one.network = pick(['another proposal comes up', 'a field is changed'])
  }
  const isAsItIs: Way = async (one) => {
    one.network = 'as it is'
  }
  if (dice < 64) return [isAsItIs, openOne, reviewed, (one) => answer(one, true), ambush, press]
  // An answer that is taken back meanwhile comes too late: what was pressed had it.
  return [dice > 92 ? (one) => press(one).then(() => answer(one, false)) : press]
}

/** Takes one step, and holds every request that reached the wallet by it against what was answered before. */
async function take(tabs: readonly Tab[], tab: Tab, way: Way): Promise<void> {
  const before = tabs.map(({ answers, network, at }) => ({
    ...{ network, at },
    answers: new Map(at === null ? [] : answers.get(at)),
  }))
  await way(tab)
  await settled(tab)
  tab.at = hashOf(tab.page)
  for (const request of bruno.wallet.requests.slice(seen)) {
    const hash = askedFor(request)
    if (hash === null) continue
    const stop = stops.find((one) => one.hash === hash)
    const isMet = stop !== undefined && before.some((one) => one.at === hash && isAnswered(one, stop))
    expect({ hash, isMet, before }).toMatchObject({ isMet: true })
    asked.add(hash)
  }
  seen = bruno.wallet.requests.length
}

function hashOf(page: Page): Hex | null {
  return (/\/transactions\/(0x[0-9a-f]{64})/.exec(page.url())?.[1] as Hex | undefined) ?? null
}

const { numRuns } = runs(120, 10_000)

test(
  `no way leads to the wallet past an answer, in ${numRuns} steps from seed ${seed}`,
  async () => {
    const pages = [bruno.page, await bruno.context.newPage()]
    const tabs = pages.map((page): Tab => ({ page, answers: new Map(), at: null, network: 'as it is' }))
    for (const tab of tabs) await watchNetwork(tab)
    for (let count = 0; count < numRuns; ) {
      const tab = pick(tabs)
      for (const way of plan(tab)) {
        await take(tabs, tab, way)
        count++
      }
    }

    // Walls alone would keep everybody from the wallet: wherever there is a way, who is careful gets there.
    const openable = stops.filter(({ needs }) => needs !== 'nothing opens it')
    const [tab] = tabs as [Tab]
    tab.network = 'as it is'
    for (const stop of openable) {
      await take(tabs, tab, (one) => open(one, stop))
      await reviewed(tab)
      await take(tabs, tab, (one) => answer(one, true))
      await take(tabs, tab, press)
    }
    expect([...asked].toSorted()).toEqual(openable.map(({ hash }) => hash).toSorted())
  },
  numRuns * 5_000,
)
