import {
  addSafe,
  call,
  confirmTransaction,
  getSafe,
  getSafeCreation,
  listHistory,
  listSafes,
  nameAddress,
  proposeMessage,
  proposeTransaction,
} from '@countersign/contract'
import {
  type CreationCall,
  encodeCreateProxy,
  encodeProxyCreation,
  encodeSetup,
  encodeSignatures,
  hashSafeMessage,
  officialDeployment,
  predictSafeAddress,
} from '@countersign/safe'
import { encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
import { eq } from 'drizzle-orm'
import { type Address, getAddress, type Hex, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { safe, safeCreation } from '../../db/schema.ts'
import {
  actor,
  alice,
  asAlice,
  asBob,
  asStranger,
  bob,
  chainId,
  devnet,
  found,
  openTeam,
  queueOf,
  server,
  stranger,
} from '../../test/scene.ts'
import {
  codeOf,
  devnetChain,
  eventually,
  newBrowser,
  signedTx,
  signInAs,
  startTestServer,
} from '../../test/test-server.ts'
import { newTxClient } from '../../test/tx-client.ts'

openTeam()

const owners = [alice.address, bob.address]
let salt = 1_000_000n

function planned(of: { owners?: readonly Address[]; threshold?: number } = {}) {
  salt += 1n
  const newSafe = { version: '1.4.1', isL2: true, owners, threshold: 2, saltNonce: salt, ...of } as const
  const { to: factory, data } = encodeCreateProxy(newSafe)
  return { address: predictSafeAddress(newSafe), creation: { factory, data } }
}

async function kept(of: Parameters<typeof planned>[0] = {}, browser = asAlice) {
  const { address, creation } = planned(of)
  await call(browser, addSafe, { chainId, address, creation })
  return { safeAddress: address, creation }
}

describe('addSafe of a Safe that is not on the chain', () => {
  test('default', async () => {
    const { safeAddress, creation } = await kept()
    const expected = { address: safeAddress, owners, threshold: 2, nonce: 0, version: '1.4.1+L2', isDeployed: false }
    expect(await call(asAlice, getSafe, { chainId, safeAddress })).toMatchObject({ ...expected, role: 'owner' })
    expect(await call(asAlice, getSafeCreation, { chainId, safeAddress })).toEqual(creation)
    // Again, and by another owner: nothing changes, and it needs no creation.
    await call(asAlice, addSafe, { chainId, address: safeAddress, creation })
    await call(asBob, addSafe, { chainId, address: safeAddress })
    expect(await server.db.$count(safeCreation, eq(safeCreation.safeAddress, safeAddress))).toBe(1)
  })

  test('behavior: nobody finds in their list what only names them as an owner; whoever has the link does', async () => {
    const { safeAddress } = await kept({}, asStranger)
    const ofBob = async () => (await call(asBob, listSafes, {})).safes.map(({ address }) => address)
    expect(await ofBob()).not.toContain(safeAddress)
    expect(await call(asBob, getSafe, { chainId, safeAddress })).toMatchObject({ role: 'owner' })
    await call(asBob, addSafe, { chainId, address: safeAddress })
    expect(await ofBob()).toContain(safeAddress)
    // The stranger who kept it is nobody in it.
    expect(await call(asStranger, getSafe, { chainId, safeAddress })).toMatchObject({ role: null })
    expect(await codeOf(call(asStranger, nameAddress, { chainId, safeAddress, address: bob.address, name: 'x' }))).toBe(
      'NOT_A_MEMBER',
    )
  })

  test('error: NOT_A_SAFE for whoever has only the address', async () => {
    const { safeAddress } = await kept()
    expect(await codeOf(call(asStranger, addSafe, { chainId, address: safeAddress }))).toBe('NOT_A_SAFE')
    expect(await codeOf(call(asStranger, getSafe, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
    expect(await codeOf(call(asStranger, getSafeCreation, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
    const signed = await signedTx(safeAddress, stranger)
    expect(await codeOf(call(asStranger, proposeTransaction, { chainId, safeAddress, ...signed }))).toBe('NOT_A_SAFE')
    expect(await codeOf(call(asAlice, addSafe, { chainId, address: planned().address }))).toBe('NOT_A_SAFE')
  })

  test('error: CREATION_REFUSED, and nothing is kept', async () => {
    const { address, creation } = planned()
    const handler = officialDeployment('handler', '1.4.1')?.address
    const of = (to: Address, singleton: Address) => {
      const setup = { owners, threshold: 2, ...(handler ? { fallbackHandler: handler } : {}) }
      const initializer = encodeSetup(to === creation.factory ? { ...setup, to, data: '0x12' } : setup)
      const method = 'createProxyWithNonce' as const
      return encodeProxyCreation({ method, singleton, initializer, saltNonce: 1n, callback: null })
    }
    const singleton = officialDeployment('singleton-l2', '1.4.1')?.address ?? '0x'
    const wrong: CreationCall[] = [
      planned().creation,
      { factory: stranger.address, data: creation.data },
      { factory: creation.factory, data: of(stranger.address, stranger.address) },
      { factory: creation.factory, data: of(creation.factory, singleton) },
      { factory: creation.factory, data: '0x12345678' },
    ]
    for (const given of wrong)
      expect(await codeOf(call(asAlice, addSafe, { chainId, address, creation: given }))).toBe('CREATION_REFUSED')
    expect(await server.db.$count(safe, eq(safe.address, address))).toBe(0)
  })

  test('error: INVALID_REQUEST for more bytes than any creation has, and 10 MB end at the door', async () => {
    const { address, creation } = planned()
    const longer = (bytes: number) => ({ ...creation, data: `${creation.data}${'00'.repeat(bytes)}` as Hex })
    const add = (bytes: number) => codeOf(call(asAlice, addSafe, { chainId, address, creation: longer(bytes) }))
    expect(await add(40_000)).toBe('INVALID_REQUEST')
    expect(await add(10_000_000)).not.toBe('no error')
    expect(await server.db.$count(safe, eq(safe.address, address))).toBe(0)
  })

  test('error: SAFE_NOT_ALLOWED for keeping Safes in masses', async () => {
    const access = {
      signIn: 'all',
      accounts: new Set(),
      admins: new Set(),
      safes: 'all',
      newSafesPerDay: 2,
      newSafesPerDayOfAll: 9,
    } as const
    const strict = await startTestServer({
      chains: [devnetChain(devnet.rpcUrl)],
      access: { ...access, accounts: new Set(), admins: new Set() },
    })
    try {
      const browser = await signInAs(strict, alice)
      const keep = () => {
        const { address, creation } = planned()
        return codeOf(call(browser, addSafe, { chainId, address, creation }))
      }
      expect([await keep(), await keep(), await keep()]).toEqual(['no error', 'no error', 'SAFE_NOT_ALLOWED'])
    } finally {
      await strict.stop()
    }
  })

  test('behavior: an operator who lets owners in alone lets nobody in whom a creation names', async () => {
    const owned = await startTestServer({
      chains: [devnetChain(devnet.rpcUrl)],
      access: {
        signIn: 'owners',
        accounts: new Set([alice.address]),
        admins: new Set(),
        safes: 'all',
        newSafesPerDay: 9,
        newSafesPerDayOfAll: 9,
      },
    })
    try {
      const browser = await signInAs(owned, alice)
      const { address, creation } = planned({ owners: [alice.address, stranger.address] })
      await call(browser, addSafe, { chainId, address, creation })
      expect(await codeOf(signInAs(owned, stranger))).toBe('ACCOUNT_NOT_ALLOWED')
    } finally {
      await owned.stop()
    }
  })
})

describe('a Safe that is not on the chain', () => {
  test('behavior: collects signatures of its owners alone, and signs no message', async () => {
    const { safeAddress } = await kept()
    const signed = await signedTx(safeAddress, alice)
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed })
    const { safeTxHash } = signed
    const bobs = await signedTx(safeAddress, bob)
    await call(asBob, confirmTransaction, { chainId, safeTxHash, signature: bobs.signature })
    expect((await found(safeTxHash)).confirmations.map(({ owner }) => owner).toSorted()).toEqual(owners.toSorted())
    const ofStranger = await signedTx(safeAddress, stranger)
    expect(
      await codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature: ofStranger.signature })),
    ).toBe('SIGNATURE_NOT_FROM_OWNER')
    // Nothing is there that could keep an approval.
    const approved: Hex = `0x${bob.address.slice(2).padStart(64, '0')}${'0'.repeat(64)}01`
    const next = await signedTx(safeAddress, alice, { nonce: 1n })
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...next })
    expect(
      await codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash: next.safeTxHash, signature: approved })),
    ).toBe('SIGNATURE_INVALID')

    const context = { chainId, safeAddress, version: '1.4.1', content: { encoding: 'EIP191_TEXT', text: 'x' } } as const
    const { safeMessageHash } = hashSafeMessage(context)
    const message = { chainId, safeAddress, content: '"x"', safeMessageHash, signature: signed.signature }
    expect(await codeOf(call(asAlice, proposeMessage, message))).toBe('SAFE_NOT_DEPLOYED')
    expect(await codeOf(call(asStranger, proposeMessage, message))).toBe('NOT_A_SAFE')
  })

  test('behavior: is unknown to the wire of the Transaction Service', async () => {
    const { safeAddress } = await kept()
    const wire = await newTxClient(server, asAlice)
    expect((await wire.ask(`/v1/safes/${safeAddress}/`)).status).toBe(404)
    const { body } = await wire.ask(`/v1/owners/${alice.address}/safes/`)
    expect(JSON.stringify(body)).not.toContain(safeAddress)
    const { safeTx, safeTxHash, signature } = await signedTx(safeAddress, alice)
    const fields = Object.fromEntries(Object.entries(safeTx).map(([name, field]) => [name, String(field)]))
    const proposal = { ...fields, operation: 0, contractTransactionHash: safeTxHash, sender: alice.address, signature }
    expect((await wire.post(`/v1/safes/${safeAddress}/multisig-transactions/`, proposal)).status).toBe(422)
    expect(await queueOf(safeAddress)).toEqual([])
  })

  test('behavior: is created with its first transaction, and then an ordinary one, with what it received before', async () => {
    const { safeAddress, creation } = await kept()
    const value = 10n ** 18n
    await actor.send({ from: stranger.address, to: safeAddress, value })
    const entries = async () => (await call(asAlice, listHistory, { chainId, safeAddress })).entries
    await eventually(async () => (await entries()).some(({ kind }) => kind === 'transfer-in'))

    const to = getAddress(`0x${keccak256(safeAddress).slice(-40)}`)
    const [ofAlice, ofBob] = [alice, bob].map((owner) => signedTx(safeAddress, owner, { to, value: 7n }))
    if (!ofAlice || !ofBob) throw new Error('Nobody has signed.')
    const [signed, second] = [await ofAlice, await ofBob]
    const { safeTx, safeTxHash } = signed
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed })
    await call(asBob, confirmTransaction, { chainId, safeTxHash, signature: second.signature })
    const signatures = encodeSignatures([
      { owner: alice.address, signature: signed.signature },
      { owner: bob.address, signature: second.signature },
    ])
    const batch = encodeMultiSend([
      { to: creation.factory, value: 0n, data: creation.data },
      { to: safeAddress, value: 0n, data: encodeExecTransaction(safeTx, signatures) },
    ])
    const library = officialDeployment('multi-send-call-only', '1.4.1')?.address ?? '0x'
    await actor.send({ from: stranger.address, to: library, data: batch })

    await eventually(async () => (await found(safeTxHash)).isExecuted)
    await eventually(async () => (await call(asAlice, getSafe, { chainId, safeAddress })).isDeployed)
    expect(await call(asAlice, getSafe, { chainId, safeAddress })).toMatchObject({ nonce: 1, threshold: 2, owners })
    expect(await found(safeTxHash)).toMatchObject({ isSuccessful: true, executor: stranger.address })
    expect((await entries()).map(({ kind }) => kind).toSorted()).toEqual(
      ['created', 'executed', 'transfer-in', 'transfer-out'].toSorted(),
    )
    expect(await queueOf(safeAddress)).toEqual([])
    // Now it is in every owner's list, and the creation is still told for another chain.
    const { safes } = await call(asBob, listSafes, {})
    expect(safes.map(({ address }) => address)).toContain(safeAddress)
    expect(await call(asAlice, getSafeCreation, { chainId, safeAddress })).toEqual(creation)
  })

  test('behavior: is one that is not there again when the chain loses its creation', async () => {
    const { safeAddress, creation } = await kept()
    const snapshot = await actor.rpc('evm_snapshot')
    await actor.send({ from: stranger.address, to: creation.factory, data: creation.data })
    const isDeployed = async () => (await call(asAlice, getSafe, { chainId, safeAddress })).isDeployed
    await eventually(isDeployed)
    await actor.revert(snapshot)
    await actor.rpc('evm_mine')
    await eventually(async () => !(await isDeployed()))
    expect(await call(asAlice, getSafe, { chainId, safeAddress })).toMatchObject({ owners, threshold: 2, nonce: 0 })
  })

  test('behavior: nobody who is not signed in learns of it', async () => {
    const { safeAddress } = await kept()
    expect(await codeOf(call(newBrowser(server), getSafeCreation, { chainId, safeAddress }))).toBe('NOT_SIGNED_IN')
  })
})
