import {
  addSafe,
  call,
  createApiToken,
  getSession,
  keepWaitingSignIn,
  listNames,
  nameAddress,
  prepareSignIn,
  signIn,
} from '@countersign/contract'
import { encodeFunctionData, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { settingsAbi } from '../test/safe-actor.ts'
import { actor, alice, asAlice, bob, chainId, devnet, openTeam, server } from '../test/scene.ts'
import { codeOf, eventually, newBrowser, newSafe, signedForSafe, signInAsSafe } from '../test/test-server.ts'

openTeam()

test('behavior: a token of a Safe neither reads nor writes once its owners are others', async () => {
  const holding = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address], threshold: 1 })
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, holding], threshold: 1 })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const asHolding = await signInAsSafe(server, holding, [bob])
  const { token } = await call(asHolding, createApiToken, { name: 'x', scopes: ['read', 'propose'], expiresAt: null })
  const byToken = { baseUrl: server.origin, headers: { authorization: `Bearer ${token}` } }
  const named = { chainId, safeAddress, address: zeroAddress, name: 'x' } as const
  await call(byToken, nameAddress, named)
  const args = [alice.address, bob.address, 1n] as const
  await actor.execute(holding, {
    to: holding,
    data: encodeFunctionData({ abi: settingsAbi, functionName: 'removeOwner', args }),
  })
  await eventually(async () => (await call(asHolding, getSession, {})).session === null)
  expect(await codeOf(call(byToken, nameAddress, named))).toBe('OWNERS_CHANGED')
  expect(await codeOf(call(byToken, listNames, { chainId, safeAddress }))).toBe('OWNERS_CHANGED')
})

test('error: SIWE_REFUSED for a sign-in that was cancelled, signed by enough or not', async () => {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
  const browser = newBrowser(server)
  const { message } = await call(browser, prepareSignIn, { address: safeAddress, chainId, waitsForOwners: true })
  const signature = await signedForSafe(safeAddress, message, alice)
  await call(browser, keepWaitingSignIn, { message, pending: null })
  expect(await codeOf(call(browser, signIn, { message, signature }))).toBe('SIWE_REFUSED')
})
