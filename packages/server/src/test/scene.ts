import { addSafe, call, getTransaction, listActivity, listQueue, proposeTransaction } from '@countersign/contract'
import { type DemoAccount, type Devnet, demoAccounts, startDevnet } from '@countersign/devnet'
import type { SafeTx, Steps } from '@countersign/safe'
import { eq } from 'drizzle-orm'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll } from 'vitest'
import type { Ctx } from '../context.ts'
import { delegate } from '../db/team-schema.ts'
import { type Actor, createActor, settingsAbi } from './safe-actor.ts'
import {
  type Browser,
  devnetChain,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
  type TestServer,
} from './test-server.ts'

/* Scene of a test file: a chain, a server and browsers of its people. A worker runs one file at a time. */

export const [alice, bob, carol, stranger, dave] = demoAccounts
export const chainId = 31337

const closing: (() => Promise<void>)[] = []

export let devnet: Devnet
export let actor: Actor
export let server: TestServer
export let asAlice: Browser
export let asBob: Browser
export let asDave: Browser
export let asStranger: Browser

type Settings = Partial<Parameters<typeof startTestServer>[0]>

/** Starts a chain before the tests of a file, and ends it after them. */
export function openChain(): void {
  beforeAll(startChain)
  afterAll(closeScene)
}

/** Starts a chain and a server before the tests of a file, signs people in, and ends all of it after them. */
export function openScene(people: readonly DemoAccount[], settings?: () => Settings): void {
  beforeAll(() => startScene(people, settings))
  afterAll(closeScene)
}

/** Starts a scene of alice, bob, dave and a stranger, for tests of what each of them may do. */
export function openTeam(): void {
  openScene([alice, bob, dave, stranger], () => ({ hasRateLimits: false }))
}

async function startChain(): Promise<void> {
  const started = await startDevnet({ port: 0 })
  devnet = started
  closing.push(() => started.close())
  actor = createActor(devnet.rpcUrl)
}

/** Starts a scene for one test. Settings, which may ask the chain, replace those of a server of the devnet alone. */
export async function startScene(people: readonly DemoAccount[], settings?: () => Settings): Promise<void> {
  await startChain()
  const started = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)], ...settings?.() })
  server = started
  closing.push(() => started.stop())
  const seats = new Map<DemoAccount, (browser: Browser) => void>([
    [alice, (browser) => (asAlice = browser)],
    [bob, (browser) => (asBob = browser)],
    [dave, (browser) => (asDave = browser)],
    [stranger, (browser) => (asStranger = browser)],
  ])
  await Promise.all(
    people.map(async (account) => {
      const seat = seats.get(account)
      if (!seat) throw new Error(`${account.address} has no browser in a scene`)
      seat(await signInAs(started, account))
    }),
  )
}

/** Ends what was started last first. */
export async function closeScene(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close()
}

export async function addedSafe(options: Parameters<typeof newSafe>[1] = {}): Promise<Address> {
  const address = await newSafe(devnet.rpcUrl, options)
  await call(asAlice, addSafe, { chainId, address })
  return address
}

export type Version = '1.3.0' | '1.4.1' | '1.5.0'

export async function proposed(safeAddress: Address, fields: Partial<SafeTx> = {}, account: DemoAccount = alice) {
  const signed = await signedTx(safeAddress, account, fields)
  await call(account === alice ? asAlice : asBob, proposeTransaction, { chainId, safeAddress, ...signed })
  return signed
}

export async function makeDelegate(safeAddress: Address | null, delegator: Address, expiryDate: Date | null = null) {
  const who = { delegate: dave.address, delegator, label: 'Dave' }
  await server.db.insert(delegate).values({ chainId, safeAddress, ...who, createdAt: new Date(), expiryDate })
}

export async function removeDelegate(delegator: Address) {
  await server.db.delete(delegate).where(eq(delegate.delegator, delegator))
}

/** The verbs as another transport calls them. */
export function transport(): Ctx {
  const { db, chains } = server
  const work: Ctx['work'] = { run: async (_atMost, steps) => finish(steps) }
  return { db, chains, work, clock: () => new Date() } as Partial<Ctx> as Ctx
}

/** Does all the steps of some work at once. */
function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

export function queueOf(safeAddress: Address, browser = asAlice) {
  return call(browser, listQueue, { chainId, safeAddress }).then(({ transactions }) => transactions)
}

export function found(safeTxHash: Hex, browser = asAlice) {
  return call(browser, getTransaction, { chainId, safeTxHash }).then(({ transaction }) => transaction)
}

export function isExecuted(safeTxHash: Hex): Promise<boolean> {
  return found(safeTxHash).then(
    (transaction) => transaction.isExecuted,
    () => false,
  )
}

export function approve(safeAddress: Address, hash: Hex, from: Address = bob.address): Promise<Hex> {
  const data = encodeFunctionData({ abi: settingsAbi, functionName: 'approveHash', args: [hash] })
  return actor.send({ from, to: safeAddress, data })
}

export async function verbsOf(safeAddress: Address): Promise<string[]> {
  const { entries } = await call(asAlice, listActivity, { chainId, safeAddress })
  return entries.map(({ verb }) => verb)
}
