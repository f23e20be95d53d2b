import {
  addSafe,
  call,
  createApiToken,
  getSession,
  listSafes,
  prepareSignIn,
  proposeTransaction,
} from '@countersign/contract'
import type { SafeTx } from '@countersign/safe'
import { type Address, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccessSettings, safeKey } from '../config/access.ts'
import { warrant } from '../db/schema.ts'
import { settingsAbi } from '../test/safe-actor.ts'
import { actor, alice, bob, carol, chainId, closeScene, devnet, openChain, stranger } from '../test/scene.ts'
import {
  type Browser,
  codeOf,
  createDatabase,
  devnetChain,
  eventually,
  everybody,
  newBrowser,
  newSafe,
  signedTx,
  signInAs,
  signInAsSafe,
  startTestServer,
  type TestServer,
} from '../test/test-server.ts'
import { newTxClient } from '../test/tx-client.ts'

openChain()

let databaseUrl: string
let server: TestServer | undefined
beforeAll(async () => {
  databaseUrl = await createDatabase()
})
afterAll(async () => {
  await server?.stop()
  await closeScene()
})

/** Starts the installation again at its address, by an operator who has changed the rules. */
async function restart(access: Partial<AccessSettings>): Promise<TestServer> {
  const port = server?.port ?? 0
  await server?.stop()
  server = await startTestServer({
    chains: [devnetChain(devnet.rpcUrl)],
    databaseUrl,
    port,
    access: { ...everybody, ...access },
  })
  return server
}

const add = (browser: Browser, address: Address) => codeOf(call(browser, addSafe, { chainId, address }))
const signInCode = (running: TestServer, account: Parameters<typeof signInAs>[1]) => codeOf(signInAs(running, account))
const safesOf = (browser: Browser) => codeOf(call(browser, listSafes, {}))

test('behavior: the operator names who may sign in, and ends the sessions and tokens of all others', async () => {
  const open = await restart({})
  const [asAlice, asBob] = [await signInAs(open, alice), await signInAs(open, bob)]
  const { token } = await call(asBob, createApiToken, { name: 'script', scopes: ['read'], expiresAt: null })
  const byToken = { baseUrl: open.origin, headers: { authorization: `Bearer ${token}` } }
  const wire = await newTxClient(open, asBob)
  expect(await safesOf(asBob)).toBe('no error')

  const closed = await restart({
    signIn: 'accounts',
    accounts: new Set([alice.address]),
    admins: new Set([carol.address]),
  })
  expect(await safesOf(asAlice)).toBe('no error')
  expect(await safesOf(asBob)).toBe('ACCOUNT_NOT_ALLOWED')
  expect(await codeOf(call(byToken, listSafes, {}))).toBe('ACCOUNT_NOT_ALLOWED')
  expect(await wire.ask(`/v1/owners/${bob.address}/safes`)).toMatchObject({ status: 403 })
  expect((await asBob.fetch(`${closed.origin}/api/events`)).status).toBe(403)
  expect(await call(asBob, getSession, {})).toMatchObject({ session: null, ended: { reason: 'not-allowed' } })
  // A message alone does not say who is let in.
  await call(newBrowser(closed), prepareSignIn, { address: bob.address, chainId })
  await expect(signInAs(closed, bob)).rejects.toMatchObject({
    code: 'ACCOUNT_NOT_ALLOWED',
    data: { reason: 'accounts', address: bob.address },
  })
  expect(await signInCode(closed, carol)).toBe('no error')

  // Nothing of the account is lost meanwhile.
  await restart({})
  expect(await safesOf(asBob)).toBe('no error')
})

test('behavior: where teams alone sign in, an account comes with its Safe, and goes with it', async () => {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 1 })
  const running = await restart({ signIn: 'owners', admins: new Set([carol.address]) })
  expect(await signInCode(running, bob)).toBe('ACCOUNT_NOT_ALLOWED')
  expect(await codeOf(signInAsSafe(running, safeAddress, [alice]))).toBe('ACCOUNT_NOT_ALLOWED')
  expect(await running.db.$count(warrant)).toBe(0)
  expect(await add(await signInAs(running, carol), safeAddress)).toBe('no error')
  const asBob = await signInAs(running, bob)
  await signInAsSafe(running, safeAddress, [alice])
  expect(await signInCode(running, stranger)).toBe('ACCOUNT_NOT_ALLOWED')

  const data = encodeFunctionData({
    abi: settingsAbi,
    functionName: 'removeOwner',
    args: [alice.address, bob.address, 1n],
  })
  await actor.execute(safeAddress, { to: safeAddress, data })
  expect(await eventually(async () => (await safesOf(asBob)) === 'ACCOUNT_NOT_ALLOWED')).toBe(true)
})

test('behavior: the operator says which Safes may be added, whichever way they come', async () => {
  const [allowed, other] = [await newSafe(devnet.rpcUrl), await newSafe(devnet.rpcUrl)]
  const running = await restart({ safes: new Set([safeKey({ chainId, address: allowed })]) })
  const asAlice = await signInAs(running, alice)
  expect(await add(asAlice, allowed)).toBe('no error')
  expect(await add(asAlice, other)).toBe('SAFE_NOT_ALLOWED')
  const signed = await signedTx(other, alice)
  const proposing = call(asAlice, proposeTransaction, { chainId, safeAddress: other, ...signed })
  expect(await codeOf(proposing)).toBe('SAFE_NOT_ALLOWED')
  const wire = await newTxClient(running, asAlice)
  const answer = await wire.post(`/v2/safes/${other}/multisig-transactions/`, {
    ...wireFields(signed.safeTx),
    contractTransactionHash: signed.safeTxHash,
    sender: alice.address,
    signature: signed.signature,
  })
  expect(answer.status).toBe(403)
  expect((await call(asAlice, listSafes, {})).safes.map(({ address }) => address)).not.toContain(other)

  const byAdmins = await restart({ safes: 'admins', admins: new Set([bob.address]) })
  expect(await add(asAlice, other)).toBe('SAFE_NOT_ALLOWED')
  expect(await add(await signInAs(byAdmins, bob), other)).toBe('no error')
  // A Safe that is stored is no new work for the nodes.
  expect(await add(asAlice, other)).toBe('no error')
})

test('behavior: an account adds no more new Safes within a day than the operator allows, at once or one by one', async () => {
  const safes = await Promise.all([1, 2, 3, 4].map(() => newSafe(devnet.rpcUrl)))
  const running = await restart({ newSafesPerDay: 2, admins: new Set([bob.address]) })
  running.pass(86_400_000)
  const asCarol = await signInAs(running, carol)
  const codes = await Promise.all(safes.map((address) => add(asCarol, address)))
  expect(codes.sort()).toEqual(['SAFE_NOT_ALLOWED', 'SAFE_NOT_ALLOWED', 'no error', 'no error'])
  const asBob = await signInAs(running, bob)
  expect(await Promise.all(safes.map((address) => add(asBob, address)))).toEqual(Array(4).fill('no error'))
  const next = await newSafe(devnet.rpcUrl)
  expect(await add(asCarol, next)).toBe('SAFE_NOT_ALLOWED')
  running.pass(86_400_000)
  expect(await add(asCarol, next)).toBe('no error')
})

test('behavior: many accounts together add no more new Safes within a day than the operator allows, admins aside', async () => {
  const safes = await Promise.all([1, 2, 3, 4, 5, 6].map(() => newSafe(devnet.rpcUrl)))
  const running = await restart({ newSafesPerDayOfAll: 3, admins: new Set([bob.address]) })
  running.pass(4 * 86_400_000)
  const browsers = await Promise.all([alice, carol, stranger].map((account) => signInAs(running, account)))
  const asBob = await signInAs(running, bob)
  expect(await Promise.all(safes.slice(4).map((address) => add(asBob, address)))).toEqual(['no error', 'no error'])
  const codes = await Promise.all(
    safes.slice(0, 4).map((address, at) => add(browsers[at % browsers.length] ?? asBob, address)),
  )
  expect(codes.sort()).toEqual(['SAFE_NOT_ALLOWED', 'no error', 'no error', 'no error'])
})

function wireFields({ value, safeTxGas, baseGas, gasPrice, nonce, ...fields }: SafeTx): object {
  const numbers = { value, safeTxGas, baseGas, gasPrice, nonce }
  return { ...fields, ...Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, String(number)])) }
}
