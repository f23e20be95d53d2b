import {
  acknowledgeAlarm,
  addSafe,
  call,
  confirmTransaction,
  deleteTransaction,
  getSafe,
  getTransaction,
  listActivity,
  listAlarms,
  listQueue,
  listSafes,
  proposeTransaction,
} from '@countersign/contract'
import { type DemoAccount, type Devnet, demoAccounts, startDevnet } from '@countersign/devnet'
import {
  encodeApprovedHash,
  encodeContractSignature,
  encodeSignatures,
  hashSafeMessage,
  nestedContentForSafeTx,
  type SafeTx,
} from '@countersign/safe-core'
import { and, eq } from 'drizzle-orm'
import { type Address, concat, encodeFunctionData, type Hex } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '../../context.ts'
import { confirmation, historyEntry, multisigTransaction, safe } from '../../db/schema.ts'
import { delegate, refusedSignature } from '../../db/team-schema.ts'
import { type Actor, createActor, settingsAbi } from '../../test/safe-actor.ts'
import {
  type Browser,
  codeOf,
  devnetChain,
  eventually,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
  type TestServer,
} from '../../test/test-server.ts'
import { confirm } from './confirm.ts'
import { type Proposing, propose } from './propose.ts'

const [alice, bob, carol, stranger, dave] = demoAccounts
const chainId = 31337
const DAY = 86_400_000

let devnet: Devnet
let actor: Actor
let server: TestServer
let asAlice: Browser
let asBob: Browser
let asDave: Browser
let asStranger: Browser

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  actor = createActor(devnet.rpcUrl)
  server = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)] })
  ;[asAlice, asBob, asDave, asStranger] = await Promise.all([
    signInAs(server, alice),
    signInAs(server, bob),
    signInAs(server, dave),
    signInAs(server, stranger),
  ])
})
afterAll(async () => {
  await server?.stop()
  await devnet?.close()
})

async function addedSafe(options: Parameters<typeof newSafe>[1] = {}): Promise<Address> {
  const address = await newSafe(devnet.rpcUrl, options)
  await call(asAlice, addSafe, { chainId, address })
  return address
}

type Version = '1.3.0' | '1.4.1' | '1.5.0'

async function proposed(safeAddress: Address, fields: Partial<SafeTx> = {}, account: DemoAccount = alice) {
  const signed = await signedTx(safeAddress, account, fields)
  await call(account === alice ? asAlice : asBob, proposeTransaction, { chainId, safeAddress, ...signed })
  return signed
}

async function makeDelegate(safeAddress: Address | null, delegator: Address, expiryDate: Date | null = null) {
  const who = { delegate: dave.address, delegator, label: 'Dave' }
  await server.db.insert(delegate).values({ chainId, safeAddress, ...who, createdAt: new Date(), expiryDate })
}

async function removeDelegate(delegator: Address) {
  await server.db.delete(delegate).where(eq(delegate.delegator, delegator))
}

/** The verbs as another transport calls them. */
function transport(): Ctx {
  const { db, chains } = server
  return { db, chains, clock: () => new Date() } as Partial<Ctx> as Ctx
}

function queueOf(safeAddress: Address, browser = asAlice) {
  return call(browser, listQueue, { chainId, safeAddress }).then(({ transactions }) => transactions)
}

function found(safeTxHash: Hex, browser = asAlice) {
  return call(browser, getTransaction, { chainId, safeTxHash }).then(({ transaction }) => transaction)
}

function isExecuted(safeTxHash: Hex): Promise<boolean> {
  return found(safeTxHash).then(
    (transaction) => transaction.isExecuted,
    () => false,
  )
}

function approve(safeAddress: Address, hash: Hex, from: Address = bob.address): Promise<Hex> {
  const data = encodeFunctionData({ abi: settingsAbi, functionName: 'approveHash', args: [hash] })
  return actor.send({ from, to: safeAddress, data })
}

async function verbsOf(safeAddress: Address): Promise<string[]> {
  const { entries } = await call(asAlice, listActivity, { chainId, safeAddress })
  return entries.map(({ verb }) => verb)
}

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

  test('behavior: a delegate of an owner for every Safe, until the owner is removed', async () => {
    const owners = [alice.address, bob.address]
    const safeAddress = await addedSafe({ owners, threshold: 1 })
    await makeDelegate(null, bob.address)
    const first = await signedTx(safeAddress, dave)
    await call(asDave, proposeTransaction, { chainId, safeAddress, ...first })
    const args = [alice.address, bob.address, 1n] as const
    await actor.execute(safeAddress, {
      ...{ to: safeAddress, data: encodeFunctionData({ abi: settingsAbi, functionName: 'removeOwner', args }) },
    })
    const second = await signedTx(safeAddress, dave, { nonce: 1n })
    expect(await codeOf(call(asDave, proposeTransaction, { chainId, safeAddress, ...second }))).toBe(
      'NOT_OWNER_OR_DELEGATE',
    )
    await removeDelegate(bob.address)
  })

  test('behavior: several owners at once; what is missing is added later', async () => {
    const safeAddress = await addedSafe()
    const [alices, bobs, carols] = await Promise.all([alice, bob, carol].map((one) => signedTx(safeAddress, one)))
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

  test('behavior: without a signature it waits apart, until one comes', async () => {
    const safeAddress = await addedSafe()
    const { signature, ...rest } = await signedTx(safeAddress, bob)
    const { signature: bobs } = await signedTx(safeAddress, bob)
    const facts = { chainId, safeAddress, ...rest, signatures: null, origin: 'not signed' }
    const attempt = (changes: Partial<Proposing>) => propose(transport(), { ...facts, account: null, ...changes })
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
    expect(stored.confirmations.map(({ owner, signatureType }) => [owner, signatureType]).sort()).toEqual(
      [
        [alice.address, 'EOA'],
        [bob.address, 'APPROVED_HASH'],
        [carol.address, 'EOA'],
      ].sort(),
    )
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
    expect(await codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature }))).toBe(
      'TRANSACTION_NOT_FOUND',
    )
    await change('addOwnerWithThreshold')
    await eventually(() => found(safeTxHash).then(({ confirmations }) => confirmations.length === 2))
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
    const isIt = eq(multisigTransaction.safeTxHash, safeTxHash)
    await server.db.update(multisigTransaction).set({ domainVersion: '1.1.1' }).where(isIt)
    expect((await found(safeTxHash)).isHashOutdated).toBe(true)
    expect((await call(asBob, getSafe, { chainId, safeAddress })).awaitingMyConfirmation).toBe(0)
    // As if it had been proposed to that version.
    await server.db.update(multisigTransaction).set({ value: 1n }).where(isIt)
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
      ...['address', 'uint256', 'bytes', 'uint8', 'uint256', 'uint256', 'uint256', 'address', 'address', 'bytes'],
    ].map((type) => ({ type, name: '' })),
    outputs: [],
  },
] as const

function execArgs(tx: SafeTx, stored: { confirmations: { owner: Address; signature: Hex }[] }) {
  const signatures = encodeSignatures(stored.confirmations)
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = tx
  return [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, signatures] as const
}

describe('approved hashes', () => {
  test('default: an approval on the chain is a confirmation, whether it comes before or after the proposal', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const transactionHash = await approve(safeAddress, safeTxHash)
    const approved = await eventually(() => found(safeTxHash).then(({ confirmations }) => confirmations[1]))
    const signature = encodeApprovedHash(bob.address).toLowerCase()
    expect(approved).toMatchObject({ owner: bob.address, signatureType: 'APPROVED_HASH', transactionHash, signature })

    const late = await signedTx(safeAddress, alice, { nonce: 1n })
    const before = await approve(safeAddress, late.safeTxHash)
    await eventually(() => server.db.$count(historyEntry, eq(historyEntry.transactionHash, before)))
    const stored = await call(asAlice, proposeTransaction, { chainId, safeAddress, ...late })
    expect(stored.confirmations).toContainEqual(
      expect.objectContaining({ owner: bob.address, transactionHash: before }),
    )
  })

  test('behavior: it makes what nobody signed count', async () => {
    const safeAddress = await addedSafe()
    const { signature: _, ...rest } = await signedTx(safeAddress, bob)
    const facts = { chainId, safeAddress, ...rest, signatures: null, origin: null, account: bob.address }
    await propose(transport(), facts)
    expect(await queueOf(safeAddress)).toEqual([])
    await approve(safeAddress, rest.safeTxHash)
    await eventually(async () => (await queueOf(safeAddress)).length === 1)
  })

  test('behavior: it goes with its block', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const kept = await approve(safeAddress, safeTxHash, carol.address)
    const count = () => found(safeTxHash).then(({ confirmations }) => confirmations.length)
    await eventually(async () => (await count()) === 2)
    const snapshot = await actor.rpc('evm_snapshot')
    await approve(safeAddress, safeTxHash)
    await eventually(async () => (await count()) === 3)
    await actor.rpc('evm_revert', snapshot)
    await actor.rpc('anvil_mine', '0x5')
    await eventually(async () => (await count()) === 2)
    expect((await found(safeTxHash)).confirmations).toContainEqual(
      expect.objectContaining({ owner: carol.address, transactionHash: kept }),
    )
  })
})

describe('deleteTransaction', () => {
  const remove = (browser: Browser, safeTxHash: Hex) => call(browser, deleteTransaction, { chainId, safeTxHash })

  test('default: its proposer deletes it; the log keeps what it was', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash, safeTx } = await proposed(safeAddress, { value: 7n })
    expect(await codeOf(remove(asBob, safeTxHash))).toBe('NOT_PROPOSER')
    expect(await codeOf(remove(asStranger, safeTxHash))).toBe('TRANSACTION_NOT_FOUND')
    await remove(asAlice, safeTxHash)
    expect(await queueOf(safeAddress)).toEqual([])
    expect(await codeOf(found(safeTxHash))).toBe('TRANSACTION_NOT_FOUND')
    expect(await codeOf(remove(asAlice, safeTxHash))).toBe('TRANSACTION_NOT_FOUND')
    const { entries } = await call(asAlice, listActivity, { chainId, safeAddress })
    expect(entries[0]).toMatchObject({
      verb: 'deleted',
      account: alice.address,
      safeTxHash,
      detail: { proposer: alice.address, nonce: '0', to: safeTx.to, value: '7', confirmedBy: alice.address },
    })
    await proposed(safeAddress, { value: 7n })
    expect(await queueOf(safeAddress)).toHaveLength(1)
  })

  test('behavior: the delegate who wrote it, while one; the owner it counts for always', async () => {
    const safeAddress = await addedSafe()
    await makeDelegate(safeAddress, bob.address)
    const write = async (nonce: bigint) => {
      const signed = await signedTx(safeAddress, dave, { nonce })
      await call(asDave, proposeTransaction, { chainId, safeAddress, ...signed })
      return signed.safeTxHash
    }
    const [first, second, third] = [await write(0n), await write(1n), await write(2n)]
    await remove(asDave, first)
    await removeDelegate(bob.address)
    expect(await codeOf(remove(asDave, second))).toBe('TRANSACTION_NOT_FOUND')
    await remove(asBob, third)
    expect((await queueOf(safeAddress)).map(({ safeTxHash }) => safeTxHash)).toEqual([second])
  })

  test('behavior: a confirmation at the same time is there before, or finds nothing', async () => {
    for (let round = 0; round < 4; round += 1) {
      const safeAddress = await addedSafe()
      const { safeTxHash } = await proposed(safeAddress)
      const signature = await sign({ hash: safeTxHash, privateKey: bob.privateKey, to: 'hex' })
      const [confirmed] = await Promise.all([
        codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature })),
        remove(asAlice, safeTxHash),
      ])
      expect(['no error', 'TRANSACTION_NOT_FOUND']).toContain(confirmed)
      expect(await codeOf(found(safeTxHash))).toBe('TRANSACTION_NOT_FOUND')
    }
  })

  test('error: TRANSACTION_ALREADY_EXECUTED, also before the history has it', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address], threshold: 1 })
    const { safeTxHash } = await proposed(safeAddress, { to: bob.address })
    await actor.execute(safeAddress, { to: bob.address })
    const code = await codeOf(remove(asAlice, safeTxHash))
    expect(['HISTORY_BEHIND', 'TRANSACTION_ALREADY_EXECUTED']).toContain(code)
    await eventually(() => isExecuted(safeTxHash))
    expect(await codeOf(remove(asAlice, safeTxHash))).toBe('TRANSACTION_ALREADY_EXECUTED')
  })

  test('behavior: what another transaction replaced can go', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address], threshold: 1 })
    const { safeTxHash } = await proposed(safeAddress, { value: 9n })
    await actor.execute(safeAddress, { to: bob.address })
    await eventually(async () => (await codeOf(remove(asAlice, safeTxHash))) === 'no error')
  })
})

describe('alarms', () => {
  const alarmsOf = (safeAddress: Address, browser = asAlice) =>
    call(browser, listAlarms, { chainId, safeAddress }).then(({ alarms }) => alarms)

  test('default: an owner’s signature of another proposal', async () => {
    const safeAddress = await addedSafe()
    const shown = await proposed(safeAddress)
    const other = await proposed(safeAddress, { operation: 1, data: '0x1234' })
    const { signature } = await signedTx(safeAddress, bob, { operation: 1, data: '0x1234' })
    const { safeTxHash } = shown
    const attempt = () => call(asBob, confirmTransaction, { chainId, safeTxHash, signature })
    expect(await codeOf(attempt())).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(await codeOf(attempt())).toBe('SIGNATURE_NOT_FROM_OWNER')
    const [alarm, ...more] = await alarmsOf(safeAddress)
    expect(more).toEqual([])
    expect(alarm).toMatchObject({
      signedHash: safeTxHash,
      otherSafeTxHash: other.safeTxHash,
      signer: bob.address,
      submittedBy: bob.address,
      code: 'SIGNATURE_NOT_FROM_OWNER',
      acknowledgedBy: null,
    })
    expect((await found(safeTxHash)).confirmations).toHaveLength(1)

    expect(await codeOf(alarmsOf(safeAddress, asStranger))).toBe('SAFE_NOT_FOUND')
    const acknowledge = (browser: Browser, alarmId = alarm?.id ?? '') =>
      call(browser, acknowledgeAlarm, { chainId, safeAddress, alarmId })
    const done = await acknowledge(asBob)
    expect(done.acknowledgedBy).toBe(bob.address)
    expect(await acknowledge(asAlice)).toEqual(done)
    expect(await codeOf(acknowledge(asAlice, '999999999'))).toBe('ALARM_NOT_FOUND')
    const verbs = await verbsOf(safeAddress)
    expect(verbs.slice(0, 2)).toEqual(['acknowledged-alarm', 'refused-signature'])
  })

  test('behavior: a signature that nothing explains, when somebody of the team sent it', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const { signature } = await signedTx(safeAddress, bob, { value: 123n })
    expect(await codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature }))).toBe(
      'SIGNATURE_NOT_FROM_OWNER',
    )
    const next = await signedTx(safeAddress, bob, { nonce: 1n })
    expect(await codeOf(call(asBob, proposeTransaction, { chainId, safeAddress, ...next, signature }))).toBe(
      'SIGNATURE_NOT_FROM_OWNER',
    )
    expect((await alarmsOf(safeAddress)).map(({ signedHash, signer }) => [signedHash, signer])).toEqual([
      [next.safeTxHash, null],
      [safeTxHash, null],
    ])
    expect(await queueOf(safeAddress)).toHaveLength(1)
  })

  test('behavior: what a stranger makes up is none; an owner’s signature of an open proposal is', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    await proposed(safeAddress, { value: 2n })
    const bring = async (signature: Hex, browser: Browser | null = asStranger) =>
      codeOf(
        browser
          ? call(browser, confirmTransaction, { chainId, safeTxHash, signature })
          : confirm(transport(), { chainId, safeTxHash, signatures: signature, account: null, mustSign: null }),
      )
    const own = await signedTx(safeAddress, stranger)
    for (const browser of [asStranger, null]) expect(await bring(own.signature, browser)).toBe('TRANSACTION_NOT_FOUND')
    expect(await server.db.$count(refusedSignature, eq(refusedSignature.safeAddress, safeAddress))).toBe(0)
    const { signature } = await signedTx(safeAddress, carol, { value: 2n })
    expect(await bring(signature, null)).toBe('TRANSACTION_NOT_FOUND')
    expect(await alarmsOf(safeAddress)).toMatchObject([{ signer: carol.address, submittedBy: null }])
  })

  test('behavior: a signature of what is executed is kept, and alarms only when the team sent it', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address, bob.address], threshold: 1 })
    const executed = await signedTx(safeAddress, alice, { to: bob.address })
    await actor.execute(safeAddress, { to: bob.address })
    await eventually(() => isExecuted(executed.safeTxHash))
    const { safeTxHash } = await proposed(safeAddress, { nonce: 1n })
    const { signature } = executed
    await codeOf(confirm(transport(), { chainId, safeTxHash, signatures: signature, account: null, mustSign: null }))
    expect(await alarmsOf(safeAddress)).toEqual([])
    const kept = await server.db.select().from(refusedSignature).where(eq(refusedSignature.safeAddress, safeAddress))
    expect(kept).toMatchObject([{ isAlarm: false, otherSafeTxHash: executed.safeTxHash, signer: alice.address }])
  })

  test('behavior: no account fills the owners’ screens', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    for (let value = 0n; value < 25n; value += 1n) {
      const { signature } = await signedTx(safeAddress, bob, { value: 1_000n + value })
      await codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature }))
    }
    expect(await alarmsOf(safeAddress)).toHaveLength(20)
  })
})
