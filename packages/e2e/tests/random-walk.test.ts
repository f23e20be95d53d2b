import { call, proposeMessage } from '@countersign/contract'
import { testContracts } from '@countersign/devnet'
import {
  hashSafeMessage,
  hashSafeTx,
  newSafeTx,
  parseMessageContent,
  safeAbi,
  safeMessageTypedData,
} from '@countersign/safe'
import { decodeExecTransaction } from '@countersign/safe/calls'
import type { Page, Request, Route } from 'playwright-core'
import {
  createTestClient,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hashTypedData,
  http,
  keccak256,
  maxUint256,
  parseEther,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandomInt, isSoak, runs, seed } from '../../../scripts/testing/random-tests.mjs'
import { comeBack, names, type Owner, safePath, transactionPath } from '../src/people/owner.ts'
import {
  addSafeByScript,
  confirmByScript,
  proposeByScript,
  type SafeAt,
  type ScriptOwner,
  signInByScript,
} from '../src/people/script-owner.ts'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

type Needs = Record<string, string | true>

/** One thing that the walker may come to sign, on its page or while proposing it, and the answers that must be given before. */
type Stop = {
  kind: 'transaction' | 'message' | 'new transaction' | 'new message'
  hash: Hex
  needs: Needs | 'nothing opens it'
  /** Further answers once the Safe holds little. */
  needsWhenPoor?: Needs
  executes?: true
  /** Fields that the tab stores as the form of a new proposal does. */
  draft?: object
}

/** A tab, and all that was answered in it: by hash, then by finding. */
type Tab = {
  page: Page
  answers: Map<Hex, Map<string, string>>
  at: Hex | null
  network: Network
  /** Requests on their way: their replies are of the network at their start. */
  waiting: Set<Request>
  /** How it stood whenever a button was pressed since the page was loaded. */
  pressed: Before[]
  /** The last contents of its forms. */
  drafts: { [kind in Stop['kind']]?: Hex }
}
/** `by`: the button that must have been pressed for it. */
type Asked = { by: 'sign' | 'execute' | 'approve' | 'import'; hash: Hex }
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
/** Whether the Safe holds little: on the chain, so for every tab. */
let isPoor = false
/** Anna's, on a proposal that exists in no queue. */
let signatureOfOther: Hex
/** Bruno's own on each stop that is proposed: made elsewhere, and pasted. */
const signaturesOfBruno = new Map<Hex, Hex>()
/** Signatures that a page sent to the server, by the hash that they are on: none arrives there. */
const imported: Hex[] = []
/** Requests that reached the wallet or the server, by button and hash; and how many of them were looked at. */
const asked = new Set<`${Asked['by']} ${Hex}`>()
let seen = { wallet: 0, imported: 0 }
/** A walker gives up soon, and somebody careful waits for a slow machine. */
let patience = 0.3

beforeAll(async () => {
  scene = await (isSoak ? startScene({ env: { COUNTERSIGN_RATE_LIMITS: 'off' } }) : startScene())
  safe = await scene.newSafe()
  const byAnna = await signInByScript(scene.product.url, team.anna.privateKey, safe.chainId)
  const byBruno = await signInByScript(scene.product.url, team.bruno.privateKey, safe.chainId)
  await addSafeByScript(byAnna, safe.safeAddress)
  stops = [...(await proposeStops(byAnna, byBruno)), ...(await messageStops(byAnna)), ...draftStops()]
  signatureOfOther = await byAnna.account.sign({ hash: OTHER })
  for (const { hash, draft } of stops)
    if (draft === undefined) signaturesOfBruno.set(hash, await byBruno.account.sign({ hash }))
  bruno = await scene.owner(team.bruno.privateKey)
  await comeBack(bruno)
  // A form asks whether what stands in it was proposed already.
  bruno.watch.expect(/^response: 404 \S+( \w+_NOT_FOUND)?$/)
  // Replies of a network that is away.
  bruno.watch.expect(/net::ERR_FAILED$/)
  // The walk ends at the wallet: nothing is signed, and every page stays as it is.
  bruno.wallet.behave('sign', 'reject')
  bruno.wallet.behave('send', 'reject')
})
afterAll(() => scene?.close())

async function proposeStops(byAnna: ScriptOwner, byBruno: ScriptOwner): Promise<Stop[]> {
  const by = async (fields: Parameters<typeof proposeByScript>[2]) =>
    (await proposeByScript(byAnna, safe, fields)).safeTxHash
  const complete = await by({ to: token, data: approve, nonce: 0n })
  await confirmByScript(byBruno, safe, complete)
  const stopsOf: Omit<Stop, 'kind'>[] = [
    { hash: complete, needs: unlimited, executes: true },
    { hash: await by({ to: spender, value: 1n, nonce: 1n }), needs: {} },
    { hash: await by({ to: token, data: approve, nonce: 2n }), needs: unlimited },
    { hash: await by({ to: safe.safeAddress, data: lower, nonce: 3n }), needs: toOne },
    { hash: await by({ to: token, data: '0xdeadbeef', operation: 1, nonce: 4n }), needs: 'nothing opens it' },
    { hash: await by({ to: token, data: '0xdeadbeef', nonce: 5n }), needs: 'nothing opens it' },
  ]
  return stopsOf.map((stop) => ({ ...stop, kind: 'transaction' }))
}

const unlimited = { 'APPROVE-UNLIMITED': true, 'APPROVE-EOA': true } as const
const toOne = { 'THRESHOLD-DOWN': '1', 'THRESHOLD-ONE': true } as const

/** Typed data of one field each: a right to take tokens, what nobody knows, a transaction in disguise. */
function typed(primaryType: string, field: { name: string; type: string; value: string }): string {
  const { name, type, value } = field
  return JSON.stringify({
    domain: { name: 'Shop' },
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], [primaryType]: [{ name, type }] },
    primaryType,
    message: { [name]: value },
  })
}

const messages: { json: string; needs: Stop['needs'] }[] = [
  { json: JSON.stringify('We agree.'), needs: {} },
  { json: JSON.stringify(OTHER), needs: { 'MSG-HEX-AMBIGUOUS': true } },
  { json: typed('Permit', { name: 'spender', type: 'address', value: spender }), needs: { 'PERMIT-SIGN': true } },
  {
    json: typed('Greeting', { name: 'words', type: 'string', value: 'Hello' }),
    needs: { 'TYPED-DATA-UNKNOWN': true },
  },
  { json: typed('SafeTx', { name: 'nonce', type: 'uint256', value: '7' }), needs: 'nothing opens it' },
]

const contextOf = (json: string) => ({ ...safe, content: parseMessageContent(json) })

async function messageStops({ account, options }: ScriptOwner): Promise<Stop[]> {
  const { chainId, safeAddress } = safe
  return Promise.all(
    messages.map(async ({ json, needs }) => {
      const { safeMessageHash } = hashSafeMessage(contextOf(json))
      const signature = await account.signTypedData(safeMessageTypedData(contextOf(json)))
      await call(options, proposeMessage, { chainId, safeAddress, content: json, safeMessageHash, signature })
      return { kind: 'message' as const, hash: safeMessageHash, needs }
    }),
  )
}

/** Proposals that stand in forms alone. */
function draftStops(): Stop[] {
  const transaction = (
    fields: Parameters<typeof newSafeTx>[0],
    { kind, ...typed }: { kind: string; amount?: string; data?: string },
    needs: Stop['needs'],
  ): Stop => ({
    kind: 'new transaction',
    hash: hashSafeTx({ ...safe, safeTx: newSafeTx(fields) }).safeTxHash,
    draft: {
      nonce: String(fields.nonce),
      origin: '',
      entries: [{ id: 1, kind, typed: { recipient: fields.to, contract: fields.to, ...typed } }],
    },
    needs,
  })
  const called = (fields: { to: Hex; data: Hex; nonce: bigint }, needs: Stop['needs']) =>
    transaction(fields, { kind: 'call', data: fields.data }, needs)
  const written = messages.map(({ json, needs }): Stop => {
    const other = json
      .replace('agree', 'disagree')
      .replace('Shop', 'Other shop')
      .replace(spender, team.relayer.address)
      .replace(OTHER, keccak256('0x02'))
    const isTyped = other.startsWith('{')
    const text = isTyped ? '' : JSON.parse(other)
    return {
      kind: 'new message',
      hash: hashSafeMessage(contextOf(other)).safeMessageHash,
      draft: { kind: isTyped ? 'typed' : 'text', text, typed: isTyped ? other : '', origin: '' },
      needs,
    }
  })
  const most = transaction(
    { to: spender, value: parseEther('0.97'), nonce: 6n },
    { kind: 'transfer', amount: '0.97' },
    {},
  )
  return [
    { ...most, needsWhenPoor: { 'VALUE-DRAIN': true } },
    called({ to: token, data: approve, nonce: 7n }, unlimited),
    called({ to: safe.safeAddress, data: lower, nonce: 8n }, toOne),
    called({ to: token, data: '0xdeadbeef', nonce: 9n }, 'nothing opens it'),
    ...written,
  ]
}

/** One answer of a person who is careful, or is not. */
async function answer(tab: Tab, isCareful: boolean): Promise<void> {
  const { at, page } = tab
  const stop = stops.find(({ hash }) => hash === at)
  if (at === null || stop === undefined) return
  await review(tab, stop)
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
  const before = standing(tab)
  const way = pick(['click', 'enabled by force', 'Enter', 'twice'] as const)
  const count = await tab.page.evaluate((way) => {
    let count = 0
    for (const button of document.querySelectorAll<HTMLButtonElement>(
      '[data-confirm] button, [data-execution] button, [data-approve-hash] button, [data-execute-several] button',
    )) {
      if (!/^(Confirm|Execute|Sign and propose|Approve on the chain)/.test(button.textContent ?? '')) continue
      count += 1
      if (way === 'enabled by force') button.disabled = false
      button.focus()
      if (way === 'Enter') button.form?.requestSubmit()
      button.click()
      if (way === 'twice') button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    }
    return count
  }, way)
  // A press goes on where its button is gone meanwhile: answers that are taken back then come too late.
  if (count > 0) tab.pressed.push(before)
  if (way === 'Enter') await tab.page.keyboard.press('Enter')
}

/** Presses, and waits until the wallet is asked: what is behind the button checks everything again before. */
async function pressAndWait(tab: Tab): Promise<void> {
  const before = bruno.wallet.requests.length
  await press(tab)
  await expect
    .poll(() => bruno.wallet.requests.length > before, { timeout: 15_000 * patience })
    .toBe(true)
    .catch(() => null)
}

/** Pastes a signature that was made elsewhere, and sends it before it was looked at, and again when it was. */
async function paste(tab: Tab): Promise<void> {
  const { page, at } = tab
  const signature = at === null ? undefined : signaturesOfBruno.get(at)
  if (signature === undefined) return
  const before = standing(tab)
  const isThere = await page.evaluate((signature) => {
    const field = document.querySelector<HTMLTextAreaElement>('[data-import] textarea')
    if (!field) return false
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, signature)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.form?.requestSubmit()
    return true
  }, signature)
  if (!isThere) return
  tab.pressed.push(before)
  const button = page.locator('[data-import] button[type="submit"]')
  await page
    .locator('[data-import] button[type="submit"]:enabled, [data-import-problem]')
    .first()
    .waitFor({ state: 'attached', timeout: 5_000 * patience })
    .catch(() => null)
  await button
    .evaluate((element: HTMLButtonElement) => element.click(), undefined, { timeout: 1_000 * patience })
    .catch(() => null)
}

/** Opens the page on which all that has its confirmations is executed in turn. */
async function openSeveral(tab: Tab): Promise<void> {
  tab.at = stops.find(({ executes }) => executes)?.hash ?? null
  await tab.page.goto(`${bruno.url}${severalPath()}`).catch(() => null)
  await tab.page
    .locator('[data-several-verdict]')
    .first()
    .waitFor({ timeout: 5_000 * patience })
    .catch(() => null)
}

const severalPath = () => `${safePath(safe.chainId, safe.safeAddress)}/execute`

/**
 * Whatever runs behind a button has come to its end, or to the wallet. A button that was pressed is drawn as busy a moment later:
 * without waiting for it, the next step would change what the press is still going to ask for.
 */
async function settled({ page }: Tab): Promise<void> {
  await page
    .evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(drawn)))))
    // A page that is left meanwhile has nothing to draw.
    .catch(() => null)
  await page.waitForFunction(() => document.querySelector('button[aria-busy="true"]') === null)
}

async function open(tab: Tab, stop: Stop): Promise<void> {
  tab.at = stop.hash
  await (stop.draft === undefined ? openProposed(tab, stop) : openForm(tab, stop))
  // A walker who waits for the review gets further than one who presses at once.
  if (randomInt(2) === 0) await reviewed(tab)
}

async function openProposed({ page }: Tab, { kind, hash }: Stop): Promise<void> {
  const ofMessage = `${safePath(safe.chainId, safe.safeAddress)}/messages/${hash}`
  const path = kind === 'message' ? ofMessage : transactionPath(safe.chainId, safe.safeAddress, hash)
  await page.goto(`${bruno.url}${path}`).catch(() => null)
}

/** Opens a form with what the tab has kept of it, and asks for the review. */
async function openForm(tab: Tab, stop: Stop): Promise<void> {
  const { page } = tab
  const isMessage = stop.kind === 'new message'
  if (!page.url().startsWith(bruno.url)) await page.goto(bruno.url)
  const place = `${team.bruno.address}.${safe.chainId}.${safe.safeAddress}`
  const key = `countersign.${isMessage ? 'message-draft' : 'draft'}.${place}`
  await page.evaluate(([key, draft]) => sessionStorage.setItem(key, draft), [key, JSON.stringify(stop.draft)] as const)
  tab.drafts[stop.kind] = stop.hash
  await page
    .goto(`${bruno.url}${safePath(safe.chainId, safe.safeAddress)}${isMessage ? '/messages' : ''}/new`)
    .catch(() => null)
  await review(tab, stop)
}

/** Goes from the form to its review, where the tab still shows the form. */
async function review({ page }: Tab, { draft }: Stop): Promise<void> {
  if (draft === undefined) return
  await page
    .locator('[data-propose], [data-new-message]')
    .getByRole('button', { name: names.review, exact: true })
    .or(page.locator('[data-verdict]'))
    .first()
    .waitFor({ timeout: 5_000 * patience })
    .catch(() => null)
  await page.evaluate((name) => {
    const form = document.querySelector('[data-propose="edit"], [data-new-message="edit"]')
    for (const button of form?.querySelectorAll('button') ?? []) if (button.textContent === name) button.click()
  }, names.review)
}

async function reviewed({ page }: Tab): Promise<void> {
  await page
    .locator('[data-verdict]')
    .first()
    .waitFor({ timeout: 5_000 * patience })
    .catch(() => null)
}

/** A review that its run, the chain or the server has overtaken opens its button once it has caught up. */
async function opened({ page }: Tab): Promise<void> {
  await page
    .locator('[data-confirm] button:enabled, [data-execution] button:enabled, [data-execute-several] button:enabled')
    .filter({ hasText: /^(Confirm|Execute|Sign and propose)/ })
    .first()
    .waitFor({ timeout: 8_000 * patience })
    .catch(() => null)
}

const ofConfirmations = /\/(?:transactions|messages)\/(0x[0-9a-f]{64})\/confirmations$/

/** Every reply about what is signed goes through what the network of the tab is just now. */
async function watchNetwork(tab: Tab): Promise<void> {
  const ofSubject = /\/api\/chains\/\d+\/(?:transactions|messages)\/0x[0-9a-f]{64}$/
  tab.page.on('request', (request) => ofSubject.test(request.url()) && tab.waiting.add(request))
  tab.page.on('requestfinished', (request) => tab.waiting.delete(request))
  tab.page.on('requestfailed', (request) => tab.waiting.delete(request))
  tab.page.on('framenavigated', () => tab.waiting.clear())
  tab.page.on('domcontentloaded', () => tab.pressed.splice(0))
  // A pasted signature ends on its way: the page of every tab stays as it is.
  await tab.page.route(/\/confirmations$/, async (route) => {
    const hash = ofConfirmations.exec(route.request().url())?.[1] as Hex | undefined
    if (hash !== undefined && route.request().method() === 'POST') imported.push(hash)
    await route.abort().catch(() => null)
  })
  await tab.page.route(ofSubject, async (route: Route) => {
    const { network } = tab
    if (network === 'as it is' || route.request().method() !== 'GET') return route.continue().catch(() => null)
    if (network === 'away') return route.abort().catch(() => null)
    if (network === 'slow') await new Promise((resolve) => setTimeout(resolve, 300))
    const response = await route.fetch().catch(() => null)
    const body = await response?.json().catch(() => null)
    // An error has neither, and goes on as it is.
    if (!response || !body) return route.abort().catch(() => null)
    if (!body.transaction && !body.content) return route.fulfill({ response, json: body }).catch(() => null)
    change(body, network)
    return route.fulfill({ response, json: body }).catch(() => null)
  })
}

/** Changes a reply on its way. */
// biome-ignore lint/suspicious/noExplicitAny: a reply as a hostile server would write it
function change(body: any, network: Network): void {
  if (network === 'a field is changed') {
    if (body.transaction) body.transaction.safeTx.value = '7'
    else body.content = body.content.replace(/[a-z](?=[^a-z]*$)/, 'Q')
  } else if (network === 'another proposal comes up' && body.transaction) {
    const { confirmations: given, safeTx } = body.transaction
    const confirmations = [{ ...given[0], signature: signatureOfOther }]
    body.others = [
      { safeTxHash: OTHER, nonce: safeTx.nonce, isCancellation: false, confirmations, formerConfirmations: [] },
    ]
  }
}

type Before = { network: Network; at: Hex | null; isPoor: boolean; answers: ReadonlyMap<string, string> }

function standing({ answers, network, at }: Tab): Before {
  return { network, at, isPoor, answers: new Map(at === null ? [] : answers.get(at)) }
}

/** Whether this tab has answered everything that this stop needs, as the network and the chain show it. */
function isAnswered({ answers, network, isPoor }: Before, stop: Stop): boolean {
  const isServed = stop.draft === undefined
  if (stop.needs === 'nothing opens it' || (isServed && network === 'a field is changed')) return false
  const conflict = answers.get('NONCE-CONFLICT')?.replaceAll(/\s/g, '') ?? ''
  const hasRival = stop.kind === 'transaction' && network === 'another proposal comes up'
  if (hasRival && !conflict.includes(OTHER.slice(2, 10))) return false
  return Object.entries({ ...stop.needs, ...(isPoor ? stop.needsWhenPoor : {}) }).every(([id, typed]) => {
    const given = answers.get(id)
    return given !== undefined && (typed === true || given.trim() === typed)
  })
}

/** The hash that a request to the wallet is about, and its button; null where it is nothing of a Safe. */
function askedFor({ method, params }: { method: string; params: unknown }): Asked | null {
  if (method === 'eth_signTypedData_v4') {
    const [, json] = params as [string, string]
    return { by: 'sign', hash: hashTypedData(typeof json === 'string' ? JSON.parse(json) : json) }
  }
  if (method !== 'eth_sendTransaction') return null
  const [{ data }] = params as [{ data: Hex }]
  const executed = decodeExecTransaction(data)
  // The Safe stays at its first nonce.
  if (executed !== null)
    return { by: 'execute', hash: hashSafeTx({ ...safe, safeTx: { ...executed.safeTx, nonce: 0n } }).safeTxHash }
  const called = decodeFunctionData({ abi: safeAbi, data })
  if (called.functionName !== 'approveHash') throw new Error(`Nobody calls \`${called.functionName}\` here.`)
  return { by: 'approve', hash: called.args[0] }
}

type Way = (tab: Tab) => Promise<void>

/**
 * From now on every request goes by this network; a reply that is on its way still is of the one before, and waited for. One
 * that leaves while the others are waited for is of this one already.
 */
async function setNetwork(tab: Tab, network: Network): Promise<void> {
  tab.network = network
  await expect.poll(() => tab.waiting.size, { timeout: 15_000 }).toBe(0)
}

const changeNetwork: Way = (tab) =>
  setNetwork(tab, pick(['as it is', 'as it is', 'slow', 'another proposal comes up', 'a field is changed', 'away']))

/** The Safe loses nearly all that it holds, or gets it back: on the chain, and a block tells of it. */
const changeBalance: Way = async ({ page }) => {
  isPoor = !isPoor
  const chain = createTestClient({ mode: 'anvil', transport: http(scene.rpcUrl) })
  await chain.setBalance({ address: safe.safeAddress, value: parseEther(isPoor ? '1' : '5') })
  await chain.mine({ blocks: 1 })
  await page.waitForTimeout(100)
}

/** The next steps of a tab: one, or several in which something changes right before the button is pressed. */
function plan(tab: Tab): Way[] {
  const dice = randomInt(100)
  const openOne: Way = (tab) => open(tab, pick(stops))
  if (tab.at === null || dice < 12) return [openOne]
  if (dice < 15) return [async ({ page }) => void (await page.reload().catch(() => null))]
  if (dice < 17) return [async ({ page }) => void (await page.goBack().catch(() => null))]
  if (dice < 22) return [changeNetwork]
  if (dice < 24) return [changeBalance]
  if (dice < 42) return [(tab) => answer(tab, false)]
  if (dice < 54) return [(tab) => answer(tab, true)]
  const ambush: Way = async (tab) => {
    await setNetwork(tab, pick(['another proposal comes up', 'a field is changed']))
    if (randomInt(4) === 0) await changeBalance(tab)
  }
  const isAsItIs: Way = (tab) => setNetwork(tab, 'as it is')
  if (dice < 64) return [isAsItIs, openOne, reviewed, (tab) => answer(tab, true), ambush, press]
  if (dice < 67) return [isAsItIs, openSeveral, (tab) => answer(tab, randomInt(2) === 0), press]
  if (dice < 70) return [isAsItIs, openOne, reviewed, (tab) => answer(tab, true), ambush, paste]
  if (dice < 74) return [paste]
  // An answer that is taken back meanwhile comes too late: what was pressed had it.
  return [dice > 92 ? (tab) => press(tab).then(() => answer(tab, false)) : press]
}

/** Takes one step, and holds every request that reached the wallet by it against what was answered before. */
async function take(tabs: readonly Tab[], tab: Tab, way: Way): Promise<void> {
  const before = tabs.map(standing)
  await way(tab)
  await settled(tab)
  tab.at = hashOf(tab)
  const requests = bruno.wallet.requests.slice(seen.wallet).map(askedFor)
  const pasted = imported.slice(seen.imported).map((hash): Asked => ({ by: 'import', hash }))
  for (const request of [...requests, ...pasted]) {
    if (request === null) continue
    const { by, hash } = request
    const stop = stops.find((known) => known.hash === hash)
    const pressed = tabs.flatMap((known) => known.pressed)
    const isMet =
      stop !== undefined &&
      [...before, ...pressed].some((answered) => answered.at === hash && isAnswered(answered, stop))
    // Maps are no JSON, and what went wrong after thousands of steps is wanted in full.
    const how = JSON.stringify({ by, hash, before, pressed }, (_, value) => (value instanceof Map ? [...value] : value))
    expect(isMet, how).toBe(true)
    asked.add(`${by} ${hash}`)
  }
  seen = { wallet: bruno.wallet.requests.length, imported: imported.length }
}

function hashOf({ page, drafts }: Tab): Hex | null {
  const served = /\/(?:transactions|messages)\/(0x[0-9a-f]{64})/.exec(page.url())?.[1] as Hex | undefined
  if (served !== undefined) return served
  if (page.url().endsWith(severalPath())) return stops.find(({ executes }) => executes)?.hash ?? null
  const form = /\/messages\/new$/.test(page.url())
    ? 'new message'
    : /\/new$/.test(page.url())
      ? 'new transaction'
      : null
  return (form && drafts[form]) ?? null
}

/** Picks what is executed, and of each kind the first stop that needs an answer. */
function oneOfEachKind(openable: readonly Stop[]): Stop[] {
  const firsts = new Map<Stop['kind'], Stop>()
  for (const stop of openable)
    if (!stop.executes && Object.keys(stop.needs).length > 0 && !firsts.has(stop.kind)) firsts.set(stop.kind, stop)
  return [...openable.filter(({ executes }) => executes), ...firsts.values()]
}

const { numRuns } = runs(12, 10_000)

test(`no way leads to the wallet past an answer, in ${numRuns} steps from seed ${seed}`, {
  timeout: 10 * 60_000 + numRuns * 5_000,
}, async () => {
  const pages = [await bruno.context.newPage(), await bruno.context.newPage()]
  const tabs = pages.map(
    (page): Tab => ({
      page,
      answers: new Map(),
      at: null,
      network: 'as it is',
      waiting: new Set(),
      pressed: [],
      drafts: {},
    }),
  )
  for (const tab of tabs) await watchNetwork(tab)
  for (let count = 0; count < numRuns; ) {
    const tab = pick(tabs)
    for (const way of plan(tab)) {
      await take(tabs, tab, way)
      count++
      // Hours go by: whoever waits sees how far it is.
      if (isSoak && count % 500 === 0) console.log(`${count} of ${numRuns} steps`)
    }
  }

  // Walls alone would keep everybody from the wallet: wherever there is a way, who is careful gets there.
  patience = 8
  const openable = stops.filter(({ needs }) => needs !== 'nothing opens it')
  const walked = isSoak ? openable : oneOfEachKind(openable)
  const [tab] = tabs as [Tab]
  tab.network = 'as it is'
  if (isPoor) await take(tabs, tab, changeBalance)
  const careful = async (opening: Way, ways: readonly Way[]) => {
    await take(tabs, tab, opening)
    await reviewed(tab)
    await take(tabs, tab, (answering) => answer(answering, true))
    await opened(tab)
    for (const way of ways) await take(tabs, tab, way)
  }
  const sent = () => imported.length
  const pasteAndWait: Way = async (pasting) => {
    const before = sent()
    await paste(pasting)
    await expect.poll(sent, { timeout: 15_000 * patience }).toBeGreaterThan(before)
  }
  for (const stop of walked) {
    const isServed = stop.draft === undefined && !stop.executes
    await careful((opening) => open(opening, stop), isServed ? [pressAndWait, pasteAndWait] : [pressAndWait])
  }
  const byPage = [...asked]
  asked.clear()
  await careful(openSeveral, [pressAndWait])
  expect([...asked]).toEqual(byPage.filter((known) => known.startsWith('execute')))
  const expected = walked.flatMap(({ kind, hash, executes, draft }) => [
    `${executes ? 'execute' : 'sign'} ${hash}`,
    ...(draft === undefined && !executes ? [`import ${hash}`] : []),
    ...(kind === 'transaction' && !executes ? [`approve ${hash}`] : []),
  ])
  // Steps at random may have come to the wallet elsewhere, too.
  const ofWalked = byPage.filter((known) => walked.some(({ hash }) => known.endsWith(hash)))
  expect(ofWalked.toSorted()).toEqual(expected.toSorted())
})
