import {
  call,
  getReviewLists,
  getTransaction,
  inviteViewer,
  listQueue,
  proposeTransaction,
} from '@countersign/contract'
import type { DemoAccount } from '@countersign/devnet'
import { type DeclaredEffects, type Effects, effectLimits, effectsTypedData } from '@countersign/review'
import type { SafeTx } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import { type Address, type Hex, pad, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  addedSafe,
  alice,
  asAlice,
  asBob,
  asDave,
  asStranger,
  bob,
  chainId,
  dave,
  makeDelegate,
  openTeam,
  server,
} from '../../test/scene.ts'
import { codeOf, signedTx } from '../../test/test-server.ts'

openTeam()

const effects: Effects = {
  covers: ['native', 'slots'],
  assets: [{ account: bob.address, token: zeroAddress, tokenId: null, isOut: false, amount: 2n ** 200n }],
  approvals: [{ owner: alice.address, token: bob.address, spender: bob.address, tokenId: 7n, amount: 1n }],
  slots: [{ account: alice.address, slot: pad('0x05'), before: pad('0x01'), after: pad('0x02') }],
}

async function declare(
  safeAddress: Address,
  { by = alice, said = effects, fields = {}, hash }: Declaring = {},
): Promise<{ signed: Awaited<ReturnType<typeof signedTx>>; declaredEffects: DeclaredEffects }> {
  const signed = await signedTx(safeAddress, by, fields)
  const place = { chainId, safeAddress, safeTxHash: hash ?? signed.safeTxHash }
  const signature = await privateKeyToAccount(by.privateKey).signTypedData(effectsTypedData(place, said))
  return { signed, declaredEffects: { ...said, version: 1, author: by.address, signature } }
}

type Declaring = { by?: DemoAccount; said?: Effects; fields?: Partial<SafeTx>; hash?: Hex }

const servedOf = (safeTxHash: Hex, browser = asAlice) =>
  call(browser, getTransaction, { chainId, safeTxHash }).then(({ declaredEffects }) => declaredEffects)

describe('declared effects', () => {
  test('default: an owner proposes with them, and the team reads them', async () => {
    const safeAddress = await addedSafe()
    const { signed, declaredEffects } = await declare(safeAddress)
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed, declaredEffects })
    expect(await servedOf(signed.safeTxHash, asBob)).toEqual(declaredEffects)
    const { transactions } = await call(asBob, listQueue, { chainId, safeAddress })
    expect(Object.keys(transactions[0] ?? {})).not.toContain('declaredEffects')
    const { safeTxHash } = signed
    const { claims } = await call(asBob, getReviewLists, { chainId, safeAddress, lists: ['claims'] })
    expect(claims?.proposals).toEqual([{ safeTxHash, formerConfirmations: [], declaredEffects, spent: [] }])
    expect(claims?.others).toMatchObject([{ safeTxHash, confirmations: [{ owner: alice.address }] }])
    await call(asAlice, inviteViewer, { chainId, safeAddress, account: dave.address, label: 'Dave' })
    expect(await servedOf(signed.safeTxHash, asDave)).toEqual(declaredEffects)
    await server.db.execute(sql`update multisig_transaction set is_executed = true, execution_date = now()
      where safe_tx_hash = decode(${signed.safeTxHash.slice(2)}, 'hex')`)
    expect(await codeOf(servedOf(signed.safeTxHash, asStranger))).toBe('TRANSACTION_NOT_FOUND')
  })

  test('behavior: proposing again changes nothing, and without them there are none', async () => {
    const safeAddress = await addedSafe()
    const { signed, declaredEffects } = await declare(safeAddress)
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed })
    expect(await servedOf(signed.safeTxHash)).toBeNull()
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed, declaredEffects })
    expect(await servedOf(signed.safeTxHash)).toBeNull()
  })

  test('error: SIGNATURE_INVALID for another transaction, another Safe, and what was changed', async () => {
    const safeAddress = await addedSafe()
    const other = await declare(safeAddress, { hash: pad('0xee') })
    const good = await declare(safeAddress)
    const ofOtherSafe = await declare(await addedSafe())
    const wrong = [
      other.declaredEffects,
      { ...good.declaredEffects, assets: [] },
      { ...good.declaredEffects, covers: ['slots' as const] },
      ofOtherSafe.declaredEffects,
      { ...good.declaredEffects, signature: pad('0x01', { size: 65 }) },
    ]
    for (const declaredEffects of wrong) {
      const proposal = { chainId, safeAddress, ...good.signed, declaredEffects }
      expect(await codeOf(call(asAlice, proposeTransaction, proposal))).toBe('SIGNATURE_INVALID')
    }
    expect(await codeOf(servedOf(good.signed.safeTxHash))).toBe('TRANSACTION_NOT_FOUND')
  })

  test('error: SENDER_MISMATCH and SIGNATURE_NOT_FROM_OWNER for the word of another, and of a delegate', async () => {
    const safeAddress = await addedSafe()
    const ofBob = await declare(safeAddress, { by: bob })
    const ofAlice = await declare(safeAddress)
    const mixed = { chainId, safeAddress, ...ofAlice.signed, declaredEffects: ofBob.declaredEffects }
    expect(await codeOf(call(asAlice, proposeTransaction, mixed))).toBe('SENDER_MISMATCH')
    await makeDelegate(safeAddress, alice.address)
    const ofDave = await declare(safeAddress, { by: dave })
    const { signed, declaredEffects } = ofDave
    const proposal = { chainId, safeAddress, ...signed, declaredEffects }
    expect(await codeOf(call(asDave, proposeTransaction, proposal))).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect((await call(asDave, proposeTransaction, { chainId, safeAddress, ...signed })).safeTxHash).toBe(
      signed.safeTxHash,
    )
  })

  test.each<[string, (good: DeclaredEffects) => unknown]>([
    ['another version', (good) => ({ ...good, version: 2 })],
    ['another field', (good) => ({ ...good, note: 'x' })],
    ['a part that there is not', (good) => ({ ...good, covers: ['everything'] })],
    ['no part', (good) => ({ ...good, covers: [] })],
    ['too many slots', (good) => ({ ...good, slots: Array(effectLimits.slots + 1).fill(good.slots[0]) })],
    [
      'too many bytes',
      (good) => ({ ...good, assets: Array(effectLimits.assets).fill({ ...good.assets[0], amount: 2n ** 255n }) }),
    ],
    ['an amount below zero', (good) => ({ ...good, assets: [{ ...good.assets[0], amount: -1n }] })],
    ['a slot of one byte', (good) => ({ ...good, slots: [{ ...good.slots[0], slot: '0x05' }] })],
    ['a long signature', (good) => ({ ...good, signature: `${good.signature}00` })],
  ])('error: INVALID_REQUEST for %s', async (_, make) => {
    const safeAddress = await addedSafe()
    const { signed, declaredEffects } = await declare(safeAddress)
    const wrong = make(declaredEffects) as DeclaredEffects
    const proposal = { chainId, safeAddress, ...signed, declaredEffects: wrong }
    expect(await codeOf(call(asAlice, proposeTransaction, proposal))).toBe('INVALID_REQUEST')
  })

  test('error: TOO_MANY_PROPOSALS counts their bytes', async () => {
    const safeAddress = await addedSafe()
    const said = { ...effects, slots: Array(200).fill(effects.slots[0]) }
    const codes = new Set<string>()
    for (let nonce = 0n; nonce < 45n && !codes.has('TOO_MANY_PROPOSALS'); nonce += 1n) {
      const { signed, declaredEffects } = await declare(safeAddress, { said, fields: { nonce } })
      const proposal = { chainId, safeAddress, ...signed, declaredEffects }
      codes.add(
        await call(asAlice, proposeTransaction, proposal).then(
          () => 'kept',
          (error) => error.code,
        ),
      )
    }
    expect([...codes]).toEqual(['kept', 'TOO_MANY_PROPOSALS'])
  })
})
