import { call, proposeTransaction } from '@countersign/contract'
import { encodeApprovedHash } from '@countersign/safe'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { historyEntry } from '../../db/schema.ts'
import {
  actor,
  addedSafe,
  alice,
  approve,
  asAlice,
  bob,
  carol,
  chainId,
  found,
  openTeam,
  proposed,
  queueOf,
  server,
  transport,
} from '../../test/scene.ts'
import { eventually, signedTx } from '../../test/test-server.ts'
import { propose } from './propose.ts'

openTeam()

describe('approved hashes', () => {
  test('default: an approval on the chain is a confirmation, whether it comes before or after the proposal', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const transactionHash = await approve(safeAddress, safeTxHash)
    const approved = await eventually(() =>
      found(safeTxHash).then(({ confirmations }) => confirmations.find(({ owner }) => owner === bob.address)),
    )
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
    await actor.revert(snapshot)
    await actor.rpc('anvil_mine', '0x5')
    await eventually(async () => (await count()) === 2)
    expect((await found(safeTxHash)).confirmations).toContainEqual(
      expect.objectContaining({ owner: carol.address, transactionHash: kept }),
    )
  })
})
