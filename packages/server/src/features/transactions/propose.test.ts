import { call, confirmTransaction, getSafe, listSafes, proposeTransaction } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import type { SafeTx } from '@countersign/safe'
import { and, eq } from 'drizzle-orm'
import { concat, encodeFunctionData } from 'viem'
import { describe, expect, test } from 'vitest'
import { confirmation, safe } from '../../db/schema.ts'
import { settingsAbi } from '../../test/safe-actor.ts'
import {
  actor,
  addedSafe,
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
  isExecuted,
  makeDelegate,
  openTeam,
  queueOf,
  removeDelegate,
  server,
  stranger,
  transport,
} from '../../test/scene.ts'
import { startScriptedNode } from '../../test/scripted-node.ts'
import {
  codeOf,
  devnetChain,
  eventually,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
} from '../../test/test-server.ts'
import { type ProposalRequest, propose } from './propose.ts'

const DAY = 86_400_000

openTeam()

describe('propose', () => {
  test('behavior: a delegate proposes for an owner, and confirms nothing', async () => {
    const safeAddress = await addedSafe()
    const signed = await signedTx(safeAddress, dave)
    const attempt = () => call(asDave, proposeTransaction, { chainId, safeAddress, ...signed })
    expect(await codeOf(attempt())).toBe('NOT_OWNER_OR_DELEGATE')
    await makeDelegate(safeAddress, stranger.address)
    await makeDelegate(safeAddress, carol.address, new Date(Date.now() - DAY))
    expect(await codeOf(attempt())).toBe('NOT_OWNER_OR_DELEGATE')
    await makeDelegate(safeAddress, bob.address)
    const stored = await attempt()
    expect(stored).toMatchObject({ proposer: bob.address, proposedByDelegate: dave.address, confirmations: [] })
    expect(await attempt()).toEqual(stored)
    expect(await queueOf(safeAddress)).toEqual([stored])
    expect(await server.db.$count(confirmation, eq(confirmation.safeTxHash, stored.safeTxHash))).toBe(0)

    const { safeTxHash, signature } = signed
    expect(await codeOf(call(asDave, confirmTransaction, { chainId, safeTxHash, signature }))).toBe('NOT_AN_OWNER')
    const bobs = await signedTx(safeAddress, bob, { nonce: 1n })
    const both = concat([(await signedTx(safeAddress, dave, { nonce: 1n })).signature, bobs.signature])
    const together = { ...bobs, sender: dave.address, signature: both }
    expect(await codeOf(call(asDave, proposeTransaction, { chainId, safeAddress, ...together }))).toBe(
      'DELEGATE_SIGNATURE_NOT_ALONE',
    )
    for (const delegator of [stranger, carol, bob]) await removeDelegate(delegator.address)
  })

  test('behavior: a delegate is one until the very moment of the end, and until taken back while the chain is asked', async () => {
    const safeAddress = await addedSafe()
    const end = new Date(Date.now() + DAY)
    await makeDelegate(safeAddress, bob.address, end)
    const { signature, ...rest } = await signedTx(safeAddress, dave)
    const proposal = { chainId, safeAddress, ...rest, signatures: signature, origin: null, account: dave.address }
    const at = (moment: number) => codeOf(propose({ ...transport(), clock: () => new Date(moment) }, proposal))
    expect(await at(end.getTime())).toBe('NOT_OWNER_OR_DELEGATE')
    expect(await at(end.getTime() - 1)).toBe('no error')

    const node = await startScriptedNode(devnet.rpcUrl)
    const slow = await startTestServer({ chains: [devnetChain(node.url)], databaseUrl: server.databaseUrl })
    try {
      const browser = await signInAs(slow, dave)
      const next = await signedTx(safeAddress, dave, { nonce: 1n })
      let answer = () => {}
      const held = new Promise<void>((resolve) => {
        answer = resolve
      })
      let isAsked = false
      node.play(async (asked, truth) => {
        const isOfSafe = asked.some(({ params }) =>
          JSON.stringify(params).toLowerCase().includes(safeAddress.toLowerCase()),
        )
        if (isOfSafe) {
          isAsked = true
          await held
        }
        return truth()
      })
      const proposing = codeOf(call(browser, proposeTransaction, { chainId, safeAddress, ...next }))
      await eventually(async () => isAsked)
      await removeDelegate(bob.address)
      answer()
      expect(await proposing).toBe('NOT_OWNER_OR_DELEGATE')
    } finally {
      await slow.stop()
      await node.close()
    }
    expect(await queueOf(safeAddress)).toHaveLength(1)
  })

  test('behavior: a delegate of an owner for every Safe, until the owner is removed', async () => {
    const owners = [alice.address, bob.address]
    const safeAddress = await addedSafe({ owners, threshold: 1 })
    await makeDelegate(null, bob.address)
    const first = await signedTx(safeAddress, dave)
    await call(asDave, proposeTransaction, { chainId, safeAddress, ...first })
    const args = [alice.address, bob.address, 1n] as const
    await actor.execute(safeAddress, {
      to: safeAddress,
      data: encodeFunctionData({ abi: settingsAbi, functionName: 'removeOwner', args }),
    })
    const second = await signedTx(safeAddress, dave, { nonce: 1n })
    expect(await codeOf(call(asDave, proposeTransaction, { chainId, safeAddress, ...second }))).toBe(
      'NOT_OWNER_OR_DELEGATE',
    )
    await removeDelegate(bob.address)
  })

  test('behavior: several owners at once; what is missing is added later', async () => {
    const safeAddress = await addedSafe()
    const [alices, bobs, carols] = await Promise.all([alice, bob, carol].map((owner) => signedTx(safeAddress, owner)))
    if (!alices || !bobs || !carols) throw new Error('unreachable')
    const both = concat([bobs.signature, alices.signature])
    const stored = await call(asAlice, proposeTransaction, { chainId, safeAddress, ...alices, signature: both })
    expect(stored.confirmations.map(({ owner }) => owner).sort()).toEqual([alice.address, bob.address].sort())
    const three = concat([alices.signature, carols.signature])
    const again = await call(asAlice, proposeTransaction, { chainId, safeAddress, ...alices, signature: three })
    expect(again.confirmations).toHaveLength(3)
    expect(again.confirmations).toEqual(expect.arrayContaining(stored.confirmations))
    const twice = concat([alices.signature, alices.signature])
    const doubled = { ...(await signedTx(safeAddress, alice)), signature: twice }
    expect(await codeOf(call(asAlice, proposeTransaction, { chainId, safeAddress, ...doubled }))).toBe(
      'SIGNATURE_DUPLICATED',
    )
  })

  test('behavior: an owner brings what another proposed elsewhere; nobody else may, and once is enough', async () => {
    const safeAddress = await addedSafe()
    const signed = await signedTx(safeAddress, bob)
    const bring = (browser: typeof asAlice, more: object = {}) =>
      call(browser, proposeTransaction, { chainId, safeAddress, ...signed, isImported: true, ...more })
    expect(await codeOf(call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed }))).toBe('SENDER_MISMATCH')
    expect(await codeOf(bring(asStranger))).toBe('NOT_OWNER_OR_DELEGATE')
    // A signature of an owner for another transaction, and one of an owner who is not the sender.
    const { signature } = await signedTx(safeAddress, bob, { value: 1n })
    expect(await codeOf(bring(asAlice, { signature }))).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(await codeOf(bring(asAlice, { sender: carol.address }))).toBe('SENDER_MISMATCH')
    expect(await queueOf(safeAddress)).toEqual([])
    const stored = await bring(asAlice, { origin: 'rent' })
    expect(stored).toMatchObject({ proposer: bob.address, origin: 'rent', confirmations: [{ owner: bob.address }] })
    expect(await bring(asAlice, { origin: 'another' })).toEqual(stored)
    expect(await queueOf(safeAddress)).toEqual([stored])
  })

  test('behavior: without a signature it waits apart, until one comes', async () => {
    const safeAddress = await addedSafe()
    const { signature, ...rest } = await signedTx(safeAddress, bob)
    const { signature: bobs } = await signedTx(safeAddress, bob)
    const facts = { chainId, safeAddress, ...rest, signatures: null, origin: 'not signed' }
    const attempt = (changes: Partial<ProposalRequest>) => propose(transport(), { ...facts, account: null, ...changes })
    expect(await codeOf(attempt({}))).toBe('NOT_SIGNED_IN')
    expect(await codeOf(attempt({ account: stranger.address }))).toBe('NOT_OWNER_OR_DELEGATE')
    await attempt({ account: alice.address })
    expect(await queueOf(safeAddress)).toEqual([])
    expect((await call(asAlice, getSafe, { chainId, safeAddress })).awaitingMyConfirmation).toBe(0)
    const stored = await attempt({ signatures: bobs, origin: 'signed' })
    expect(stored).toMatchObject({ proposer: bob.address, origin: 'signed' })
    expect(await queueOf(safeAddress)).toEqual([stored])
    expect(await attempt({ signatures: signature, origin: 'signed twice' })).toEqual(stored)
  })

  test('behavior: a Safe that is not known here is read and kept, for its owners alone', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl)
    const strangers = await signedTx(safeAddress, stranger)
    expect(await codeOf(call(asStranger, proposeTransaction, { chainId, safeAddress, ...strangers }))).toBe(
      'NOT_OWNER_OR_DELEGATE',
    )
    const isKept = () => server.db.$count(safe, and(eq(safe.chainId, chainId), eq(safe.address, safeAddress)))
    expect(await isKept()).toBe(0)
    const signed = await signedTx(safeAddress, bob)
    await call(asBob, proposeTransaction, { chainId, safeAddress, ...signed })
    expect(await isKept()).toBe(1)
    expect((await call(asBob, listSafes, {})).safes.map(({ address }) => address)).toContain(safeAddress)
    const none = demoAccounts[7].address
    const nowhere = await signedTx(none, bob)
    expect(await codeOf(call(asBob, proposeTransaction, { chainId, safeAddress: none, ...nowhere }))).toBe('NOT_A_SAFE')
  })

  test('error: TRANSACTION_ALREADY_EXECUTED, NONCE_ALREADY_EXECUTED name what was executed', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address], threshold: 1 })
    const { safeTxHash, transactionHash } = await actor.execute(safeAddress, { to: demoAccounts[5].address })
    await eventually(() => isExecuted(safeTxHash))
    const attempt = async (fields: Partial<SafeTx>) =>
      call(asAlice, proposeTransaction, {
        chainId,
        safeAddress,
        ...(await signedTx(safeAddress, alice, fields)),
      }).catch((error: unknown) => error)
    expect(await attempt({})).toMatchObject({ code: 'TRANSACTION_ALREADY_EXECUTED', data: { transactionHash } })
    expect(await attempt({ value: 1n })).toMatchObject({ code: 'NONCE_ALREADY_EXECUTED', data: { transactionHash } })
  })
})
