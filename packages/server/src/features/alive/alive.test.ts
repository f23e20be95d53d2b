import {
  call,
  confirmTransaction,
  deleteMessage,
  deleteTransaction,
  getTransaction,
  listSignatures,
  proposeMessage,
  proposeTransaction,
  type SignedThing,
} from '@countersign/contract'
import type { DemoAccount } from '@countersign/devnet'
import { encodeApprovedHash, hashSafeMessage, safeMessageTypedData } from '@countersign/safe'
import { eq } from 'drizzle-orm'
import { type Address, encodeFunctionData, type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { confirmation, historyEntry } from '../../db/schema.ts'
import { deletedProposal } from '../../db/team-schema.ts'
import { settingsAbi } from '../../test/safe-actor.ts'
import {
  actor,
  addedSafe,
  alice,
  approve,
  asAlice,
  asBob,
  asStranger,
  bob,
  carol,
  chainId,
  openTeam,
  proposed,
  server,
} from '../../test/scene.ts'
import { codeOf, eventually, signedTx } from '../../test/test-server.ts'

openTeam()

async function signaturesOf(safeAddress: Address, browser = asAlice): Promise<SignedThing[]> {
  const { signed } = await call(browser, listSignatures, { chainId, safeAddress })
  return signed
}

function ownersOf(thing: SignedThing | undefined): Address[] | undefined {
  return thing?.signatures.map(({ owner }) => owner).toSorted()
}

async function proposedMessage(safeAddress: Address, text: string, account: DemoAccount = alice): Promise<Hex> {
  const content = { encoding: 'EIP191_TEXT', text } as const
  const context = { chainId, safeAddress, version: '1.4.1', content }
  const { safeMessageHash } = hashSafeMessage(context)
  const signature = await privateKeyToAccount(account.privateKey).signTypedData(safeMessageTypedData(context))
  await call(account === alice ? asAlice : asBob, proposeMessage, {
    chainId,
    safeAddress,
    content: JSON.stringify(text),
    safeMessageHash,
    signature,
  })
  return safeMessageHash
}

describe('listSignatures', () => {
  test('default: what was signed, by nonce, then hashes that nobody knows, then messages, newest first', async () => {
    const safeAddress = await addedSafe()
    const older = await proposedMessage(safeAddress, 'older')
    const ahead = await proposed(safeAddress, { nonce: 4n })
    const next = await proposed(safeAddress, { value: 3n })
    const newer = await proposedMessage(safeAddress, 'newer', bob)
    const unknown = keccak256(toHex('nobody knows'))
    const transactionHash = await approve(safeAddress, unknown)
    await eventually(() => server.db.$count(historyEntry, eq(historyEntry.transactionHash, transactionHash)))
    const found = await signaturesOf(safeAddress)
    expect(found.map(({ kind, hash }) => [kind, hash])).toEqual([
      ['transaction', next.safeTxHash],
      ['transaction', ahead.safeTxHash],
      ['hash', unknown],
      ['message', newer],
      ['message', older],
    ])
    expect(found[0]).toMatchObject({ safeTx: next.safeTx, content: null, isDeleted: false, isSignedOnChain: false })
    expect(found[0]?.signatures).toEqual([{ owner: alice.address, signature: next.signature }])
    const approval = encodeApprovedHash(bob.address).toLowerCase()
    expect(found[2]).toMatchObject({ safeTx: null, signatures: [{ owner: bob.address, signature: approval }] })
    expect(found[3]).toMatchObject({ content: '"newer"', safeTx: null })
    expect(await codeOf(signaturesOf(safeAddress, asStranger))).toBe('SAFE_NOT_FOUND')
  })

  test('behavior: what its proposer deleted lives on, until its nonce is used; proposed again it is one again', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash, safeTx, signature } = await proposed(safeAddress, { value: 5n })
    const ofBob = await signedTx(safeAddress, bob, { value: 5n })
    await call(asBob, confirmTransaction, { chainId, safeTxHash, signature: ofBob.signature })
    const message = await proposedMessage(safeAddress, 'taken back')
    await call(asAlice, deleteTransaction, { chainId, safeTxHash })
    await call(asAlice, deleteMessage, { chainId, safeMessageHash: message })
    const both = [alice.address, bob.address].toSorted()
    const [deleted, ofMessage] = await signaturesOf(safeAddress)
    expect(deleted).toMatchObject({ kind: 'transaction', hash: safeTxHash, safeTx, isDeleted: true })
    expect(ownersOf(deleted)).toEqual(both)
    expect(ofMessage).toMatchObject({ kind: 'message', content: '"taken back"', isDeleted: true })
    // The signature that bob gave comes back by itself.
    await call(asAlice, proposeTransaction, {
      chainId,
      safeAddress,
      safeTx,
      safeTxHash,
      signature,
      sender: alice.address,
    })
    const again = await signaturesOf(safeAddress)
    expect(again).toHaveLength(2)
    expect(again[0]).toMatchObject({ isDeleted: false })
    expect(ownersOf(again[0])).toEqual(both)
    await call(asAlice, deleteTransaction, { chainId, safeTxHash })
    expect(ownersOf((await signaturesOf(safeAddress))[0])).toEqual(both)
    const [kept] = await server.db.select().from(deletedProposal).where(eq(deletedProposal.hash, safeTxHash))
    expect(kept?.signatures).toHaveLength(2)
  })

  test('behavior: an approval of what was deleted, and signatures of former owners', async () => {
    const owners = [alice.address, carol.address]
    const safeAddress = await addedSafe({ owners, threshold: 1 })
    const { safeTxHash } = await proposed(safeAddress, { nonce: 2n })
    await call(asAlice, deleteTransaction, { chainId, safeTxHash })
    const transactionHash = await approve(safeAddress, safeTxHash, carol.address)
    await eventually(() => server.db.$count(historyEntry, eq(historyEntry.transactionHash, transactionHash)))
    const args = [alice.address, carol.address, 1n] as const
    const data = encodeFunctionData({ abi: settingsAbi, functionName: 'removeOwner', args })
    await actor.execute(safeAddress, { to: safeAddress, data })
    const [found] = await signaturesOf(safeAddress)
    expect(ownersOf(found)).toEqual(owners.toSorted())
    // The page of an earlier one is told of it: it may make it executable.
    const earlier = await proposed(safeAddress, { nonce: 1n })
    const read = ({ safeTxHash: hash }: { safeTxHash: Hex }) =>
      call(asAlice, getTransaction, { chainId, safeTxHash: hash })
    const told = { safeTxHash, nonce: 2n, isCancellation: false }
    expect((await read(earlier)).others).toMatchObject([{ ...told, confirmations: [{ owner: alice.address }] }])
    expect((await read(await proposed(safeAddress, { nonce: 3n }))).others.map((other) => other.nonce)).toEqual([1n])
  })

  test('behavior: whoever deletes many is forgotten first what nobody else signed', async () => {
    const safeAddress = await addedSafe()
    const ofBoth = await proposed(safeAddress)
    const { signature } = await signedTx(safeAddress, bob)
    await call(asBob, confirmTransaction, { chainId, safeTxHash: ofBoth.safeTxHash, signature })
    const ofOne = await proposed(safeAddress, { nonce: 1n })
    for (const { safeTxHash } of [ofBoth, ofOne]) await call(asAlice, deleteTransaction, { chainId, safeTxHash })
    const kept = () => server.db.select().from(deletedProposal).where(eq(deletedProposal.safeAddress, safeAddress))
    const [row] = (await kept()).filter(({ hash }) => hash === ofOne.safeTxHash)
    if (!row) throw new Error('It is kept.')
    const deletedDate = new Date(row.deletedDate.getTime() + 1)
    const hashes = Array.from({ length: 198 }, (_, index) => keccak256(toHex(index)))
    await server.db.insert(deletedProposal).values(hashes.map((hash) => ({ ...row, hash, deletedDate })))
    const { safeTxHash } = await proposed(safeAddress, { nonce: 2n })
    await call(asAlice, deleteTransaction, { chainId, safeTxHash })
    const left = (await kept()).map(({ hash }) => hash)
    expect(left).toHaveLength(200)
    expect(left).toContain(ofBoth.safeTxHash)
    expect(left).not.toContain(ofOne.safeTxHash)
  })

  test('behavior: pages end where they should, and the next begins there', async () => {
    const safeAddress = await addedSafe()
    for (const nonce of [3n, 1n, 2n]) await proposed(safeAddress, { nonce })
    await proposedMessage(safeAddress, 'last')
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await call(asAlice, listSignatures, { chainId, safeAddress, cursor, limit: 1 })
      expect(page.signed).toHaveLength(1)
      found.push(...page.signed.map(({ kind, safeTx }) => safeTx?.nonce.toString() ?? kind))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(found).toEqual(['1', '2', '3', 'message'])
  })

  test('behavior: long signatures end a page as long calldata does', async () => {
    const safeAddress = await addedSafe()
    for (const nonce of [1n, 2n, 3n, 4n, 5n, 6n, 7n]) {
      const { safeTxHash } = await proposed(safeAddress, { nonce })
      const long = { signature: `0x${'ab'.repeat(131_000)}` as const }
      await server.db.update(confirmation).set(long).where(eq(confirmation.safeTxHash, safeTxHash))
      if (nonce > 4n) await call(asAlice, deleteTransaction, { chainId, safeTxHash })
    }
    const page = await call(asAlice, listSignatures, { chainId, safeAddress })
    expect(page.signed.map(({ safeTx }) => safeTx?.nonce)).toEqual([1n, 2n, 3n, 4n, 5n, 6n])
    const next = await call(asAlice, listSignatures, { chainId, safeAddress, cursor: page.nextCursor ?? '' })
    expect(next.signed.map(({ safeTx }) => safeTx?.nonce)).toEqual([7n])
  })
})
