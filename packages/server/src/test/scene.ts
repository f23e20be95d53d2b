import { addSafe, call, getTransaction, listActivity, listQueue, proposeTransaction } from '@countersign/contract'
import { type DemoAccount, type Devnet, demoAccounts, startDevnet } from '@countersign/devnet'
import type { SafeTx } from '@countersign/safe-core'
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

/* What the tests of a file are played on: a chain, a server and browsers of its people. A worker runs one file at a time. */

export const [alice, bob, carol, stranger, dave] = demoAccounts
export const chainId = 31337

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
  devnet = await startDevnet({ port: 0 })
  actor = createActor(devnet.rpcUrl)
}

/** Starts a scene for one test. Settings, which may ask the chain, replace those of a server of the devnet alone. */
export async function startScene(people: readonly DemoAccount[], settings?: () => Settings): Promise<void> {
  await startChain()
  server = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)], ...settings?.() })
  const [first, second, third, fourth] = await Promise.all(
    [alice, bob, dave, stranger].map((account) => (people.includes(account) ? signInAs(server, account) : null)),
  )
  if (first) asAlice = first
  if (second) asBob = second
  if (third) asDave = third
  if (fourth) asStranger = fourth
}

export async function closeScene(): Promise<void> {
  await server?.stop()
  await devnet?.close()
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
  return { db, chains, clock: () => new Date() } as Partial<Ctx> as Ctx
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
