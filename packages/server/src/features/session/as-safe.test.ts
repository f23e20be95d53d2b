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
  type OwnersPending,
  prepareSignIn,
  proposeMessage,
  proposeTransaction,
  signIn,
} from '@countersign/contract'
import type { DemoAccount } from '@countersign/devnet'
import { encodeContractSignature, hashSafeMessage, parseMessageContent, safeMessageTypedData } from '@countersign/safe'
import { eq } from 'drizzle-orm'
import { type Address, encodeFunctionData, type Hex, hashMessage, size } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { messageConfirmation } from '../../db/team-schema.ts'
import { settingsAbi } from '../../test/safe-actor.ts'
import {
  actor,
  alice,
  asAlice,
  asBob,
  asDave,
  asStranger,
  bob,
  carol,
  chainId,
  dave,
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

/** A browser that waits for the owners of a Safe, and what it and they do. */
async function waitFor(safeAddress: Address, version = '1.4.1') {
  const browser = newBrowser(server)
  const { message } = await call(browser, prepareSignIn, { address: safeAddress, chainId, waitsForOwners: true })
  const content = JSON.stringify(message)
  const context = { chainId, safeAddress, version, content: parseMessageContent(content) }
  const { safeMessageHash } = hashSafeMessage(context)
  return {
    browser,
    message,
    safeMessageHash,
    keep: (pending: OwnersPending | null = { messageHash: null, safeTxHash: null }) =>
      call(browser, keepWaitingSignIn, { message, pending }),
    collected: async (by = browser) =>
      (await call(by, getWaitingSignIn, { address: safeAddress, chainId })).waiting?.collected,
    sign: async (by: typeof asAlice, owner: DemoAccount) => {
      const signature = await privateKeyToAccount(owner.privateKey).signTypedData(safeMessageTypedData(context))
      return call(by, proposeMessage, { chainId, safeAddress, content, safeMessageHash, signature })
    },
  }
}

const requestsOf = async (safeAddress: Address, nonce?: string) =>
  (await call(asAlice, listSignInRequests, { chainId, safeAddress, nonce })).requests
const nonceOf = (message: string) => /Nonce: (.*)/.exec(message)?.[1]

test('behavior: owners sign a sign-in here, as a message; the browser that waits is told how many, then signs in', async () => {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 2 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const { browser, message, safeMessageHash, keep, collected, sign } = await waitFor(safeAddress)
  const requests = () => requestsOf(safeAddress)
  const awaiting = async (by: typeof asAlice) => (await call(by, getSafe, { chainId, safeAddress })).messagesAwaitingMe
  expect(await requests()).toEqual([])
  // A Safe interface that has it in hand leaves no work for anybody here.
  await keep({ messageHash: hashMessage('x'), safeTxHash: null })
  expect(await requests()).toEqual([])
  expect(await awaiting(asAlice)).toBe(0)
  await keep()
  expect(await requests()).toMatchObject([{ message, safeMessageHash: null }])
  expect(await awaiting(asAlice)).toBe(1)
  expect(await codeOf(call(asStranger, listSignInRequests, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
  expect(await collected()).toBeNull()

  await sign(asAlice, alice)
  expect(await collected()).toEqual({ confirmations: 1, threshold: 2, signature: null })
  expect(await collected(newBrowser(server))).toBeUndefined()
  // It is a message of theirs from now on; by its link it is found all the same.
  expect(await requests()).toEqual([])
  expect(await requestsOf(safeAddress, nonceOf(message))).toMatchObject([{ message, safeMessageHash }])
  expect([await awaiting(asAlice), await awaiting(asBob)]).toEqual([0, 1])
  // Proposed once more it has the confirmation that is missing.
  await sign(asBob, bob)
  const enough = await collected()
  expect(enough).toMatchObject({ confirmations: 2, threshold: 2, signature: expect.stringMatching(/^0x/) })
  const signature = enough?.signature ?? ''
  expect(await codeOf(call(newBrowser(server), signIn, { message, signature }))).toBe('SIWE_NONCE_FOREIGN')
  await call(browser, signIn, { message, signature })
  expect((await call(browser, getSession, {})).session).toMatchObject({ address: safeAddress, provenBy: 'contract' })
  expect(await requestsOf(safeAddress, nonceOf(message))).toEqual([])
  expect(await codeOf(call(browser, listSignInRequests, { chainId, safeAddress }))).toBe('NOT_AN_OWNER')
})

test('behavior: a flood of requests hides none from who has its link, and counts as one', async () => {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const own = await waitFor(safeAddress)
  await own.keep()
  for (let more = 0; more < 10; more++) await (await waitFor(safeAddress)).keep()
  const listed = await call(asAlice, listSignInRequests, { chainId, safeAddress })
  expect(listed).toMatchObject({ hasMore: true })
  expect(listed.requests).toHaveLength(10)
  expect(listed.requests.map(({ message }) => message)).not.toContain(own.message)
  expect(await requestsOf(safeAddress, nonceOf(own.message))).toMatchObject([{ message: own.message }])
  expect((await call(asAlice, getSafe, { chainId, safeAddress })).messagesAwaitingMe).toBe(1)
  await own.keep(null)
  expect(await requestsOf(safeAddress, nonceOf(own.message))).toEqual([])
})

test('behavior: more signatures than the Safe asks for: those that it needs are joined, in the order of its contract', async () => {
  const owners = [alice, bob, dave]
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: owners.map(({ address }) => address), threshold: 2 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const { browser, message, keep, collected, sign } = await waitFor(safeAddress)
  await keep()
  await sign(asAlice, alice)
  await sign(asBob, bob)
  await sign(asDave, dave)
  const enough = await collected()
  expect(enough).toMatchObject({ confirmations: 3, threshold: 2 })
  expect(size(enough?.signature as Hex)).toBe(2 * 65)
  await call(browser, signIn, { message, signature: enough?.signature ?? '' })
})

test('behavior: keys are joined before contracts, whose owners may be others by now', async () => {
  const nested = await newSafe(devnet.rpcUrl, { owners: [dave.address], threshold: 1 })
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address, nested], threshold: 2 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const { browser, message, safeMessageHash, keep, collected, sign } = await waitFor(safeAddress)
  await keep()
  await sign(asAlice, alice)
  await sign(asBob, bob)
  // As it was kept while the contract said yes; its owner is another since.
  const [one] = await server.db.select().from(messageConfirmation).where(eq(messageConfirmation.owner, alice.address))
  const signature = encodeContractSignature(nested, `0x${'11'.repeat(65)}`)
  const submissionDate = new Date(0)
  const kept = { owner: nested, signature, signatureType: 'CONTRACT_SIGNATURE', submissionDate } as const
  await server.db.insert(messageConfirmation).values({ ...(one as NonNullable<typeof one>), safeMessageHash, ...kept })
  const enough = await collected()
  expect(enough).toMatchObject({ confirmations: 3 })
  await call(browser, signIn, { message, signature: enough?.signature ?? '' })
})

test('behavior: a former owner’s signature is joined to nothing', async () => {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 1 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const { keep, collected, sign, browser, message } = await waitFor(safeAddress)
  await keep()
  await sign(asBob, bob)
  const signature = (await collected())?.signature ?? '0x'
  const data = encodeFunctionData({
    abi: settingsAbi,
    functionName: 'removeOwner',
    args: [alice.address, bob.address, 1n],
  })
  await actor.execute(safeAddress, { to: safeAddress, data })
  await eventually(async () => (await collected())?.confirmations === 0)
  expect(await collected()).toEqual({ confirmations: 0, threshold: 1, signature: null })
  expect(await codeOf(call(browser, signIn, { message, signature }))).toBe('SIWE_SIGNATURE_INVALID')
})

test('error: NOT_A_SAFE for a contract that has no owners to ask, before anybody waits for them', async () => {
  const multiSend = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'
  const asked = { address: multiSend, chainId, waitsForOwners: true } as const
  expect(await codeOf(call(newBrowser(server), prepareSignIn, asked))).toBe('NOT_A_SAFE')
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

test('error: OWNERS_CHANGED after the owners of the Safe change, also for its streams', async () => {
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
    code: 'OWNERS_CHANGED',
    data: { address: safeAddress, reason: 'suspended', endedAt: expect.any(String) },
  })
  expect(await call(asSafe, getSession, {})).toMatchObject({ session: null, ended: { reason: 'suspended' } })
  // It ends with the next event at the latest.
  const ended = stream.text()
  await actor.execute(safeAddress, { to: safeAddress })
  await ended
  // The key of an owner proves that owner, whatever becomes of the Safe.
  await call(asAlice, getSafe, { chainId, safeAddress })
})
