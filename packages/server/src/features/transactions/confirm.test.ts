import {
  call,
  confirmTransaction,
  getReviewLists,
  getSafe,
  getTransaction,
  inviteViewer,
  proposeTransaction,
} from '@countersign/contract'
import {
  encodeApprovedHash,
  encodeContractSignature,
  encodeSignatures,
  hashSafeMessage,
  nestedContentForSafeTx,
  type SafeTx,
} from '@countersign/safe'
import { eq } from 'drizzle-orm'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { confirmation, multisigTransaction } from '../../db/schema.ts'
import { writeLogged } from '../../outbox/write.ts'
import { settingsAbi } from '../../test/safe-actor.ts'
import {
  actor,
  addedSafe,
  alice,
  approve,
  asAlice,
  asBob,
  asDave,
  asStranger,
  bob,
  carol,
  chainId,
  dave,
  devnet,
  found,
  openTeam,
  proposed,
  server,
  transport,
  type Version,
  verbsOf,
} from '../../test/scene.ts'
import { type Browser, codeOf, eventually, newSafe, signedTx } from '../../test/test-server.ts'
import { confirm } from './confirm.ts'
import { storeConfirmations } from './store-confirmations.ts'

openTeam()

describe('confirm', () => {
  test.each<Version>(['1.3.0', '1.4.1', '1.5.0'])('behavior: an owner that is a Safe, %s', async (version) => {
    const nested = await newSafe(devnet.rpcUrl, { owners: [bob.address], threshold: 1, version })
    const safeAddress = await addedSafe({ owners: [alice.address, nested], version })
    const signed = await signedTx(safeAddress, alice, {}, { version })
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed })
    const { safeTx, safeTxHash } = signed
    const content = nestedContentForSafeTx({ chainId, safeAddress, version, safeTx })
    const { safeMessageHash } = hashSafeMessage({ chainId, safeAddress: nested, version, content })
    const inner = await sign({ hash: safeMessageHash, privateKey: bob.privateKey, to: 'hex' })
    const signature = encodeContractSignature(nested, inner)
    const stored = await confirm(transport(), {
      chainId,
      safeTxHash,
      signatures: signature,
      account: null,
      mustSign: null,
    })
    expect(stored.confirmations[1]).toMatchObject({ owner: nested, signature, signatureType: 'CONTRACT_SIGNATURE' })
    const [row] = await server.db.select().from(confirmation).where(eq(confirmation.owner, nested))
    expect(row?.verifiedBlock).toBeGreaterThan(0)
    // The chain has the last word.
    await actor.send({ to: safeAddress, data: encodeFunctionData({ abi: execAbi, args: execArgs(safeTx, stored) }) })
  })

  test('behavior: several at once; an owner keeps the first', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash, signature } = await proposed(safeAddress)
    const raw = await sign({ hash: safeTxHash, privateKey: bob.privateKey, to: 'hex' })
    const carols = await sign({ hash: safeTxHash, privateKey: carol.privateKey, to: 'hex' })
    const many = encodeSignatures([
      { owner: alice.address, signature },
      { owner: bob.address, signature: raw },
      { owner: carol.address, signature: carols },
    ])
    await approve(safeAddress, safeTxHash)
    await eventually(() => found(safeTxHash).then(({ confirmations }) => confirmations.length === 2))
    const stored = await call(asBob, confirmTransaction, { chainId, safeTxHash, signature: many })
    expect(
      stored.confirmations
        .map((confirmation) => [confirmation.owner, confirmation.signatureType, confirmation.signature])
        .sort(),
    ).toEqual(
      [
        [alice.address, 'EOA', signature],
        [bob.address, 'APPROVED_HASH', encodeApprovedHash(bob.address).toLowerCase()],
        [carol.address, 'EOA', carols],
      ].sort(),
    )
  })

  test('behavior: what was executed or deleted in the meantime gets no confirmation', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const signature = await sign({ hash: safeTxHash, privateKey: bob.privateKey, to: 'hex' })
    const signed = [
      { owner: bob.address, signature, signatureType: 'EOA' as const, verifiedBlock: 1, verifiedBlockHash: null },
    ]
    const state = { owners: [alice.address, bob.address], threshold: 2 }
    const store = () =>
      writeLogged({ db: server.db, clock: () => new Date() }, (tx, log) =>
        storeConfirmations(tx, log, { chainId, safeAddress, safeTxHash, signed, account: null, state }),
      )
    const byHash = eq(multisigTransaction.safeTxHash, safeTxHash)
    await server.db.update(multisigTransaction).set({ isExecuted: true }).where(byHash)
    expect(await store()).toBeNull()
    await server.db.update(multisigTransaction).set({ isExecuted: false }).where(byHash)
    expect(await store()).toMatchObject({ added: [bob.address] })
    await server.db.delete(multisigTransaction).where(byHash)
    expect(await store()).toBeNull()
    expect((await verbsOf(safeAddress)).filter((verb) => verb === 'confirmed')).toHaveLength(1)
  })

  test('behavior: many at the same time never double or lose', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const sent = [alice, bob, carol, bob, carol, bob].map(async (account) => {
      const signatures = await sign({ hash: safeTxHash, privateKey: account.privateKey, to: 'hex' })
      return confirm(transport(), { chainId, safeTxHash, signatures, account: null, mustSign: null })
    })
    await Promise.all(sent)
    expect((await found(safeTxHash)).confirmations).toHaveLength(3)
    expect((await verbsOf(safeAddress)).filter((verb) => verb === 'confirmed')).toHaveLength(2)
  })

  test('behavior: what was signed elsewhere is brought by somebody of the team', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const signature = await sign({ hash: safeTxHash, privateKey: carol.privateKey, to: 'hex' })
    const bring = (browser: Browser, isImported: boolean) =>
      call(browser, confirmTransaction, { chainId, safeTxHash, signature, isImported })
    expect(await codeOf(bring(asBob, false))).toBe('ACCOUNT_MISMATCH')
    expect(await codeOf(bring(asStranger, true))).toBe('TRANSACTION_NOT_FOUND')
    await call(asAlice, inviteViewer, { chainId, safeAddress, account: dave.address, label: 'Dave' })
    expect(await codeOf(bring(asDave, true))).toBe('NOT_OWNER_OR_DELEGATE')
    expect((await bring(asBob, true)).confirmations).toHaveLength(2)
  })

  test('behavior: an owner who is removed does not count, and counts again', async () => {
    const owners = [alice.address, bob.address, carol.address]
    const safeAddress = await addedSafe({ owners, threshold: 1 })
    const { safeTxHash } = await proposed(safeAddress, { nonce: 5n })
    const signature = await sign({ hash: safeTxHash, privateKey: bob.privateKey, to: 'hex' })
    await call(asBob, confirmTransaction, { chainId, safeTxHash, signature })
    const change = (functionName: 'removeOwner' | 'addOwnerWithThreshold') =>
      actor.execute(safeAddress, {
        to: safeAddress,
        data:
          functionName === 'removeOwner'
            ? encodeFunctionData({ abi: settingsAbi, functionName, args: [alice.address, bob.address, 1n] })
            : encodeFunctionData({ abi: settingsAbi, functionName, args: [bob.address, 1n] }),
      })
    await change('removeOwner')
    await eventually(() => found(safeTxHash).then(({ confirmations }) => confirmations.length === 1))
    const former = async () => (await call(asAlice, getTransaction, { chainId, safeTxHash })).formerConfirmations
    await eventually(async () => (await former()).length === 1)
    expect(await former()).toEqual([
      { owner: bob.address, signature, removedIn: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    ])
    const { claims } = await call(asAlice, getReviewLists, { chainId, safeAddress, lists: ['claims'] })
    expect(claims?.proposals).toMatchObject([{ safeTxHash, formerConfirmations: await former() }])
    expect(await codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature }))).toBe(
      'TRANSACTION_NOT_FOUND',
    )
    await change('addOwnerWithThreshold')
    await eventually(() => found(safeTxHash).then(({ confirmations }) => confirmations.length === 2))
    expect(await former()).toEqual([])
  })

  test('behavior: nothing waits for an owner while there are enough confirmations', async () => {
    const safeAddress = await addedSafe()
    const waiting = async () => (await call(asBob, getSafe, { chainId, safeAddress })).awaitingMyConfirmation
    const { safeTxHash } = await proposed(safeAddress)
    expect(await waiting()).toBe(1)
    const signatures = await sign({ hash: safeTxHash, privateKey: carol.privateKey, to: 'hex' })
    await confirm(transport(), { chainId, safeTxHash, signatures, account: null, mustSign: null })
    expect(await waiting()).toBe(0)
  })

  test('error: SAFE_TX_HASH_MISMATCH when the Safe is another version by now', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash, signature } = await proposed(safeAddress)
    expect((await found(safeTxHash)).isHashOutdated).toBe(false)
    const byHash = eq(multisigTransaction.safeTxHash, safeTxHash)
    await server.db.update(multisigTransaction).set({ domainVersion: '1.1.1' }).where(byHash)
    expect((await found(safeTxHash)).isHashOutdated).toBe(true)
    expect((await call(asBob, getSafe, { chainId, safeAddress })).awaitingMyConfirmation).toBe(0)
    // As if it had been proposed to that version.
    await server.db.update(multisigTransaction).set({ value: 1n }).where(byHash)
    expect(await codeOf(call(asAlice, confirmTransaction, { chainId, safeTxHash, signature }))).toBe(
      'SAFE_TX_HASH_MISMATCH',
    )
  })
})

const execAbi = [
  {
    type: 'function',
    name: 'execTransaction',
    stateMutability: 'payable',
    inputs: [
      'address',
      'uint256',
      'bytes',
      'uint8',
      'uint256',
      'uint256',
      'uint256',
      'address',
      'address',
      'bytes',
    ].map((type) => ({ type, name: '' })),
    outputs: [],
  },
] as const

function execArgs(tx: SafeTx, stored: { confirmations: { owner: Address; signature: Hex }[] }) {
  const signatures = encodeSignatures(stored.confirmations)
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = tx
  return [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, signatures] as const
}
