import {
  addSafe,
  call,
  createApiToken,
  getSafe,
  getSession,
  getWaitingSignIn,
  keepWaitingSignIn,
  listQueue,
  listSafes,
  listSignInRequests,
  prepareSignIn,
  proposeMessage,
  proposeTransaction,
  signIn,
} from '@countersign/contract'
import type { DemoAccount } from '@countersign/devnet'
import { hashSafeMessage, parseMessageContent, safeMessageTypedData } from '@countersign/safe-core'
import { encodeFunctionData, hashMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { settingsAbi } from '../../test/safe-actor.ts'
import {
  actor,
  alice,
  asAlice,
  asBob,
  asStranger,
  bob,
  carol,
  chainId,
  devnet,
  openTeam,
  server,
} from '../../test/scene.ts'
import { codeOf, eventually, newBrowser, newSafe, signedTx, signInAsSafe } from '../../test/test-server.ts'

openTeam()

test('behavior: a Safe sees itself first, told of here before or not, and the Safes that it owns', async () => {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [bob.address, carol.address], threshold: 2 })
  const parent = await newSafe(devnet.rpcUrl, { owners: [alice.address, safeAddress], threshold: 1 })
  await call(asAlice, addSafe, { chainId, address: parent })
  const asSafe = await signInAsSafe(server, safeAddress, [bob, carol])
  expect((await call(asSafe, listSafes, {})).safes).toMatchObject([
    { chainId, address: safeAddress, role: 'viewer', threshold: 2 },
    { chainId, address: parent, role: 'owner' },
  ])
  expect(await call(asSafe, getSafe, { chainId, safeAddress })).toMatchObject({ address: safeAddress, role: 'viewer' })
})

test('behavior: owners sign a sign-in here, as a message; the browser that waits is told how many, then signs in', async () => {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 2 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const browser = newBrowser(server)
  const { message } = await call(browser, prepareSignIn, { address: safeAddress, chainId, waitsForOwners: true })
  const requests = async (by = asAlice) => (await call(by, listSignInRequests, { chainId, safeAddress })).requests
  const collected = async (by = browser) =>
    (await call(by, getWaitingSignIn, { address: safeAddress, chainId })).waiting?.collected
  expect(await requests()).toEqual([])
  // A Safe interface that has it in hand leaves no work for anybody here.
  const elsewhere = { messageHash: hashMessage('x'), safeTxHash: null }
  await call(browser, keepWaitingSignIn, { message, pending: elsewhere })
  expect(await requests()).toEqual([])
  await call(browser, keepWaitingSignIn, { message, pending: { messageHash: null, safeTxHash: null } })
  expect(await requests()).toMatchObject([{ message }])
  expect(await codeOf(call(asStranger, listSignInRequests, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
  expect(await collected()).toBeNull()

  const content = JSON.stringify(message)
  const sign = async (owner: DemoAccount) => {
    const context = { chainId, safeAddress, version: '1.4.1', content: parseMessageContent(content) }
    const { safeMessageHash } = hashSafeMessage(context)
    const signature = await privateKeyToAccount(owner.privateKey).signTypedData(safeMessageTypedData(context))
    return { chainId, safeAddress, content, safeMessageHash, signature }
  }
  await call(asAlice, proposeMessage, await sign(alice))
  expect(await collected()).toEqual({ confirmations: 1, threshold: 2, signature: null })
  expect(await collected(newBrowser(server))).toBeUndefined()
  // By the link the second owner proposes it, too, which adds the confirmation that is missing.
  await call(asBob, proposeMessage, await sign(bob))
  const enough = await collected()
  expect(enough).toMatchObject({ confirmations: 2, threshold: 2, signature: expect.stringMatching(/^0x/) })
  const signature = enough?.signature ?? ''
  expect(await codeOf(call(newBrowser(server), signIn, { message, signature }))).toBe('SIWE_NONCE_FOREIGN')
  await call(browser, signIn, { message, signature })
  expect((await call(browser, getSession, {})).session).toMatchObject({ address: safeAddress, provenBy: 'contract' })
  expect(await requests()).toEqual([])
  expect(await codeOf(call(browser, listSignInRequests, { chainId, safeAddress }))).toBe('NOT_AN_OWNER')
})

test('behavior: a Safe reads its own queue, and writes nothing', async () => {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 2 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const proposal = await signedTx(safeAddress, alice)
  await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal })
  const asSafe = await signInAsSafe(server, safeAddress, [alice, bob])
  const { transactions } = await call(asSafe, listQueue, { chainId, safeAddress })
  expect(transactions.map(({ safeTxHash }) => safeTxHash)).toEqual([proposal.safeTxHash])
  const another = { ...(await signedTx(safeAddress, alice, { nonce: 1n })), sender: safeAddress }
  const proposing = call(asSafe, proposeTransaction, { chainId, safeAddress, ...another })
  expect(await codeOf(proposing)).not.toBe('no error')
  expect((await call(asAlice, listQueue, { chainId, safeAddress })).transactions).toHaveLength(1)
})

test('behavior: an API token of the Safe does not read what its team keeps: it would outlive its owners', async () => {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [bob.address], threshold: 1 })
  const asSafe = await signInAsSafe(server, safeAddress, [bob])
  const { token } = await call(asSafe, createApiToken, { name: 'x', scopes: ['read'], expiresAt: null })
  const byToken = { baseUrl: server.origin, headers: { authorization: `Bearer ${token}` } }
  expect((await call(byToken, listSafes, {})).safes).toEqual([])
  expect(await codeOf(call(byToken, listQueue, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
})

test('error: SESSION_REVOKED once the owners of the Safe are others, with its streams', async () => {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 1 })
  const asSafe = await signInAsSafe(server, safeAddress, [bob])
  const stream = await asSafe.fetch(`${server.origin}/api/events`)
  await call(asSafe, listQueue, { chainId, safeAddress })
  const data = encodeFunctionData({
    abi: settingsAbi,
    functionName: 'removeOwner',
    args: [alice.address, bob.address, 1n],
  })
  await actor.execute(safeAddress, { to: safeAddress, data })
  const refused = await eventually(async () => {
    const error: unknown = await call(asSafe, listQueue, { chainId, safeAddress }).catch((thrown: unknown) => thrown)
    return error instanceof Error && error
  })
  expect(refused).toMatchObject({
    code: 'SESSION_REVOKED',
    data: { address: safeAddress, reason: 'owners-changed', endedAt: expect.any(String) },
  })
  expect(await call(asSafe, getSession, {})).toMatchObject({ session: null, ended: { reason: 'owners-changed' } })
  // It ends with the next event at the latest.
  const ended = stream.text()
  await actor.execute(safeAddress, { to: safeAddress })
  await ended
  // The key of an owner proves that owner, whatever becomes of the Safe.
  await call(asAlice, getSafe, { chainId, safeAddress })
})
