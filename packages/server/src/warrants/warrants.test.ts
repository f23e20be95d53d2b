import { setTimeout as sleep } from 'node:timers/promises'
import {
  addDelegate,
  addSafe,
  call,
  createApiToken,
  createWebhook,
  getSession,
  inviteViewer,
  keepWaitingSignIn,
  listNames,
  listQueue,
  listSessions,
  listWebhooks,
  nameAddress,
  prepareSignIn,
  signIn,
} from '@countersign/contract'
import { type DemoAccount, deployContractAccount } from '@countersign/devnet'
import {
  encodeContractSignature,
  encodeSignatures,
  type MessageContent,
  nestedContentForSafeMessage,
  safeMessageTypedData,
} from '@countersign/safe'
import { delegateTypedData, serviceHour } from '@countersign/safe/service'
import { type Address, encodeFunctionData, type Hex, hashMessage, numberToHex, pad, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { WINDOW_BLOCKS } from '../indexer/write/apply.ts'
import { chainOf } from '../rpc/clients.ts'
import { saveSafe } from '../safes/save-safe.ts'
import { settingsAbi } from '../test/safe-actor.ts'
import {
  actor,
  alice,
  asAlice,
  asBob,
  asDave,
  bob,
  carol,
  chainId,
  dave,
  devnet,
  openTeam,
  server,
} from '../test/scene.ts'
import {
  type Browser,
  codeOf,
  eventually,
  newBrowser,
  newSafe,
  signedForSafe,
  signInAsSafe,
} from '../test/test-server.ts'
import { CHECK_WARRANTS_MS, checkWarrants } from './check.ts'
import { FINAL_BLOCKS } from './standing.ts'

openTeam()

const stranger = pad('0x77', { size: 20 })
let passed = 0
/** Warrants without a session or token are checked less often. */
const IDLE = { after: 600_000 }

/** Checks all warrants at a later time, with the answer of one node or of nodes that agree. */
function check({ agreement = 1, after = 2 * CHECK_WARRANTS_MS, askMs = 0 } = {}): Promise<void> {
  const chain = chainOf(server.chains, chainId)
  const ask: typeof chain.ask = async (...given) => {
    await sleep(askMs)
    return chain.ask(...given)
  }
  passed += after
  const agreed = { ...chain, ask, settings: { ...chain.settings, agreement } }
  return checkWarrants({
    db: server.db,
    chains: new Map([[chainId, agreed]]),
    clock: () => new Date(Date.now() + passed),
    log: { debug: () => {} } as unknown as Parameters<typeof checkWarrants>[0]['log'],
  })
}

const endOf = async (browser: Browser) => (await call(browser, getSession, {})).ended?.reason ?? 'open'

/** A change of a Safe that alice alone may execute for. */
const settings = (safeAddress: Address, data: Hex) => actor.execute(safeAddress, { to: safeAddress, data })
const encode = <name extends 'addOwnerWithThreshold' | 'removeOwner' | 'changeThreshold' | 'enableModule'>(
  functionName: name,
  args: readonly unknown[],
) => encodeFunctionData({ abi: settingsAbi, functionName, args } as never)

/** Signs in as the first of some Safes, each of which is an owner of the one before, by a key of the last. */
async function signInNested(
  [outer, ...others]: readonly [Address, ...Address[]],
  signer: DemoAccount,
): Promise<Browser> {
  const browser = newBrowser(server)
  const { message } = await call(browser, prepareSignIn, { address: outer, chainId, waitsForOwners: true })
  const sign = async (safeAddress: Address, content: MessageContent, inner: readonly Address[]): Promise<Hex> => {
    const context = { chainId, safeAddress, version: '1.4.1', content }
    const [next, ...rest] = inner
    if (!next) return privateKeyToAccount(signer.privateKey).signTypedData(safeMessageTypedData(context))
    const signature = await sign(next, nestedContentForSafeMessage(context, '1.4.1'), rest)
    return encodeSignatures([{ owner: next, signature: encodeContractSignature(next, signature) }])
  }
  const signature = await sign(outer, { encoding: 'RAW', bytes: hashMessage(message) }, others)
  await call(browser, signIn, { message, signature })
  return browser
}

/** A Safe that alice and bob own, each alone. */
const ofBoth = () => newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 1 })
const ownedBy = (owner: Address) => newSafe(devnet.rpcUrl, { owners: [owner], threshold: 1 })

test('behavior: a token of a Safe can neither read nor write after its owners change', async () => {
  const holding = await ofBoth()
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, holding], threshold: 1 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const asHolding = await signInAsSafe(server, holding, [bob])
  const { token } = await call(asHolding, createApiToken, { name: 'x', scopes: ['read', 'propose'], expiresAt: null })
  const byToken = { baseUrl: server.origin, headers: { authorization: `Bearer ${token}` } }
  const named = { chainId, safeAddress, address: zeroAddress, name: 'x' } as const
  await call(byToken, nameAddress, named)
  const wire = () =>
    fetch(`${server.origin}/tx-service/${chainId}/api/v1/safes/${safeAddress}/`, { headers: byToken.headers })
  expect((await wire()).status).toBe(200)
  const stream = await fetch(`${server.origin}/api/events`, { headers: byToken.headers })
  await settings(holding, encode('removeOwner', [alice.address, bob.address, 1n]))
  await eventually(async () => (await endOf(asHolding)) !== 'open')
  expect(await codeOf(call(byToken, nameAddress, named))).toBe('OWNERS_CHANGED')
  expect(await codeOf(call(byToken, listNames, { chainId, safeAddress }))).toBe('OWNERS_CHANGED')
  expect((await wire()).status).toBe(401)
  await check()
  await stream.text()
})

test('error: SIWE_REFUSED for a cancelled sign-in, even if enough owners signed', async () => {
  const safeAddress = await ownedBy(alice.address)
  const browser = newBrowser(server)
  const { message } = await call(browser, prepareSignIn, { address: safeAddress, chainId, waitsForOwners: true })
  const signature = await signedForSafe(safeAddress, message, alice)
  await call(browser, keepWaitingSignIn, { message, pending: null })
  expect(await codeOf(call(browser, signIn, { message, signature }))).toBe('SIWE_REFUSED')
})

describe('a change of owners or settings', () => {
  const changes: Record<string, Hex> = {
    'another owner': encode('addOwnerWithThreshold', [carol.address, 1n]),
    'an owner less': encode('removeOwner', [alice.address, bob.address, 1n]),
    'another threshold': encode('changeThreshold', [2n]),
    'a module': encode('enableModule', [stranger]),
    'another fallback handler': encodeFunctionData({
      abi: settingsAbi,
      functionName: 'setFallbackHandler',
      args: [stranger],
    }),
  }
  test.each(Object.entries(changes))('behavior: suspends the session of the Safe: %s', async (_, data) => {
    const safeAddress = await ofBoth()
    const browser = await signInAsSafe(server, safeAddress, [alice])
    await settings(safeAddress, data)
    await check()
    expect(await endOf(browser)).toBe('suspended')
    expect(await codeOf(call(browser, listSessions, {}))).toBe('OWNERS_CHANGED')
  })

  test.each(Object.entries(changes))('behavior: and of the Safe that it is an owner of: %s', async (_, data) => {
    const nested = await ofBoth()
    const browser = await signInNested([await ownedBy(nested), nested], alice)
    await check()
    expect(await endOf(browser)).toBe('open')
    await settings(nested, data)
    await check()
    expect(await endOf(browser)).toBe('suspended')
  })

  test('behavior: at any depth', async () => {
    const innermost = await ofBoth()
    const inner = await ownedBy(innermost)
    const browser = await signInNested([await ownedBy(inner), inner, innermost], bob)
    await settings(innermost, changes['an owner less'] ?? '0x')
    await check()
    expect(await endOf(browser)).toBe('suspended')
  })

  test('behavior: not for a nested owner who did not sign', async () => {
    const nested = await ofBoth()
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, nested], threshold: 1 })
    const browser = await signInAsSafe(server, safeAddress, [alice])
    await settings(nested, changes['an owner less'] ?? '0x')
    await check()
    expect(await endOf(browser)).toBe('open')
  })

  test('behavior: for every owner if it was signed on the chain and the bytes do not show the signers', async () => {
    const nested = await ofBoth()
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, nested], threshold: 1 })
    const browser = newBrowser(server)
    const { message } = await call(browser, prepareSignIn, { address: safeAddress, chainId, waitsForOwners: true })
    const data = encodeFunctionData({ abi: settingsAbi, functionName: 'signMessage', args: [hashMessage(message)] })
    await actor.execute(safeAddress, { to: '0xd53cd0aB83D845Ac265BE939c57F53AD838012c9', data, operation: 1 })
    await call(browser, signIn, { message, signature: '0x' })
    await settings(nested, changes['an owner less'] ?? '0x')
    await check()
    expect(await endOf(browser)).toBe('suspended')
  })

  test('behavior: for a contract account that is not a Safe and has a new signer', async () => {
    const payer = dave.address
    const account = await deployContractAccount(devnet.rpcUrl, payer, alice.address)
    const other = await deployContractAccount(devnet.rpcUrl, payer, bob.address)
    const browser = newBrowser(server)
    const { message } = await call(browser, prepareSignIn, { address: account, chainId })
    const signature = await privateKeyToAccount(alice.privateKey).signMessage({ message })
    await call(browser, signIn, { message, signature })
    await check()
    expect(await endOf(browser)).toBe('open')
    const codeAt = (address: Address) => actor.rpc('eth_getCode', address, 'latest')
    const before = await codeAt(account)
    const becomes = async (code: unknown) => {
      await actor.rpc('anvil_setCode', account, code)
      // A node that is told to change without a block is believed to be what it was.
      await actor.rpc('anvil_mine', '0x1')
      await check()
    }
    await becomes(await codeAt(other))
    expect(await endOf(browser)).toBe('suspended')
    await becomes(before)
    expect(await endOf(browser)).toBe('open')
  })
})

test('behavior: one round checks all contract accounts, even if their contracts are slow', async () => {
  const other = await deployContractAccount(devnet.rpcUrl, dave.address, bob.address)
  const code = await actor.rpc('eth_getCode', other, 'latest')
  const browsers: Browser[] = []
  for (let at = 0; at < 12; at += 1) {
    const signer = privateKeyToAccount(generatePrivateKey())
    const account = await deployContractAccount(devnet.rpcUrl, dave.address, signer.address)
    const browser = newBrowser(server)
    const { message } = await call(browser, prepareSignIn, { address: account, chainId })
    await call(browser, signIn, { message, signature: await signer.signMessage({ message }) })
    await actor.rpc('anvil_setCode', account, code)
    browsers.push(browser)
  }
  await actor.rpc('anvil_mine', '0x1')
  await check({ askMs: 200 })
  expect(await Promise.all(browsers.map(endOf))).toEqual(browsers.map(() => 'suspended'))
})

describe('certainty of a change', () => {
  test('default: as many blocks as the follower undoes', () => expect(FINAL_BLOCKS).toBe(WINDOW_BLOCKS))

  test('behavior: one wrong answer suspends but does not end, however many blocks later', async () => {
    const safeAddress = await ofBoth()
    const browser = await signInAsSafe(server, safeAddress, [alice])
    const state = await chainOf(server.chains, chainId).readSafe(safeAddress)
    await saveSafe(server.db, { ...state, owners: [carol.address] }, { now: new Date(), backfillBlock: 0 })
    expect(await endOf(browser)).toBe('suspended')
    await actor.rpc('anvil_mine', numberToHex(WINDOW_BLOCKS + 2))
    await check()
    expect(await endOf(browser)).toBe('open')
  })

  test('behavior: a reading of replaced blocks is overwritten', async () => {
    const safeAddress = await ofBoth()
    const browser = await signInAsSafe(server, safeAddress, [alice])
    const state = await chainOf(server.chains, chainId).readSafe(safeAddress)
    const late = { ...state, owners: [carol.address], blockNumber: state.blockNumber + 1_000_000n }
    await saveSafe(server.db, late, { now: new Date(), backfillBlock: 0 })
    expect(await endOf(browser)).toBe('suspended')
    await check()
    expect(await endOf(browser)).toBe('open')
  })

  test('behavior: ends once the block that first showed the change is final, and cannot be restored', async () => {
    const nested = await ofBoth()
    const browser = await signInNested([await ownedBy(nested), nested], bob)
    await settings(nested, encode('removeOwner', [alice.address, bob.address, 1n]))
    await check()
    expect(await endOf(browser)).toBe('suspended')
    await actor.rpc('anvil_mine', numberToHex(WINDOW_BLOCKS + 2))
    await check()
    expect(await endOf(browser)).toBe('owners-changed')
    await settings(nested, encode('addOwnerWithThreshold', [bob.address, 1n]))
    await check()
    expect(await endOf(browser)).toBe('owners-changed')
    expect(await codeOf(call(browser, listSessions, {}))).toBe('SESSION_REVOKED')
  })

  test('behavior: ends at once if nodes agree', async () => {
    const nested = await ofBoth()
    const browser = await signInNested([await ownedBy(nested), nested], bob)
    await settings(nested, encode('removeOwner', [alice.address, bob.address, 1n]))
    await check({ agreement: 2 })
    expect(await endOf(browser)).toBe('owners-changed')
  })

  test('behavior: the history shows owners who changed and changed back', async () => {
    const safeAddress = await ofBoth()
    const browser = await signInAsSafe(server, safeAddress, [alice])
    await settings(safeAddress, encode('addOwnerWithThreshold', [carol.address, 1n]))
    await settings(safeAddress, encode('removeOwner', [pad('0x1', { size: 20 }), carol.address, 1n]))
    await check()
    await eventually(async () => (await endOf(browser)) === 'suspended')
  })
})

test('behavior: accounts that a Safe added stay as long as the owners who signed', async () => {
  const holding = await ofBoth()
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, holding], threshold: 1 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const asHolding = await signInAsSafe(server, holding, [bob])
  const place = { chainId, safeAddress }
  await call(asHolding, inviteViewer, { ...place, account: dave.address, label: 'D' })
  await call(asHolding, addDelegate, { ...place, delegate: bob.address, label: 'B', expiryDate: null })
  await call(asHolding, createWebhook, { ...place, url: 'https://hooks.example.org/x', events: ['proposed'] })
  const webhookOf = async () => (await call(asAlice, listWebhooks, place)).webhooks[0]
  expect(await webhookOf()).toMatchObject({ state: 'on' })
  await call(asDave, listQueue, place)
  await call(asBob, listQueue, place)
  await settings(holding, encode('removeOwner', [alice.address, bob.address, 1n]))
  await check()
  expect(await codeOf(call(asDave, listQueue, place))).toBe('SAFE_NOT_FOUND')
  expect(await codeOf(call(asBob, listQueue, place))).toBe('SAFE_NOT_FOUND')
  expect(await webhookOf()).toMatchObject({ state: 'no-owner' })
  await call(asAlice, listQueue, place)
})

test('behavior: a proposer that a contract’s signature added over the wire is removed with that contract’s signer', async () => {
  const account = await deployContractAccount(devnet.rpcUrl, dave.address, carol.address)
  const other = await deployContractAccount(devnet.rpcUrl, dave.address, bob.address)
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, account], threshold: 1 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const { token } = await call(asAlice, createApiToken, { name: 'x', scopes: ['propose'], expiresAt: null })
  const totp = serviceHour(Date.now() / 1000)
  const typed = delegateTypedData({ chainId, delegate: dave.address, totp })
  const signed = await privateKeyToAccount(carol.privateKey).signTypedData(typed)
  const sent = await fetch(`${server.origin}/tx-service/${chainId}/api/v2/delegates/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({
      safe: safeAddress,
      delegate: dave.address,
      delegator: account,
      label: 'D',
      signature: encodeContractSignature(account, signed),
    }),
  })
  expect(sent.status).toBe(201)
  const place = { chainId, safeAddress }
  await call(asDave, listQueue, place)
  await actor.rpc('anvil_setCode', account, await actor.rpc('eth_getCode', other, 'latest'))
  await actor.rpc('anvil_mine', '0x1')
  await check(IDLE)
  expect(await codeOf(call(asDave, listQueue, place))).toBe('SAFE_NOT_FOUND')
})
