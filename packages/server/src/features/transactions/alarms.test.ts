import {
  acknowledgeAlarm,
  call,
  confirmTransaction,
  getSafe,
  listAlarms,
  proposeTransaction,
} from '@countersign/contract'
import { eq } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { refusedSignature } from '../../db/team-schema.ts'
import {
  actor,
  addedSafe,
  alice,
  asAlice,
  asBob,
  asStranger,
  bob,
  carol,
  chainId,
  found,
  isExecuted,
  openTeam,
  proposed,
  queueOf,
  server,
  stranger,
  transport,
  verbsOf,
} from '../../test/scene.ts'
import { type Browser, codeOf, eventually, signedTx } from '../../test/test-server.ts'
import { confirm } from './confirm.ts'

openTeam()

describe('alarms', () => {
  const alarmsOf = (safeAddress: Address, browser = asAlice) =>
    call(browser, listAlarms, { chainId, safeAddress }).then(({ alarms }) => alarms)

  const hasAlarms = (safeAddress: Address, browser = asAlice) =>
    call(browser, getSafe, { chainId, safeAddress }).then((safe) => safe.hasAlarms)

  test('default: an owner’s signature of another proposal', async () => {
    const safeAddress = await addedSafe()
    expect(await hasAlarms(safeAddress)).toBe(false)
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
    expect(await hasAlarms(safeAddress, asBob)).toBe(true)

    expect(await codeOf(alarmsOf(safeAddress, asStranger))).toBe('SAFE_NOT_FOUND')
    const acknowledge = (browser: Browser, alarmId = alarm?.id ?? '') =>
      call(browser, acknowledgeAlarm, { chainId, safeAddress, alarmId })
    const done = await acknowledge(asBob)
    expect(done.acknowledgedBy).toBe(bob.address)
    expect(await hasAlarms(safeAddress)).toBe(false)
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
    const send = (sent: Hex) =>
      codeOf(call(asBob, proposeTransaction, { chainId, safeAddress, ...next, signature: sent }))
    // Once for each signature, whatever it is said to sign.
    expect(await send(signature)).toBe('SIGNATURE_NOT_FROM_OWNER')
    expect(await send((await signedTx(safeAddress, bob, { value: 124n })).signature)).toBe('SIGNATURE_NOT_FROM_OWNER')
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

  test('behavior: an owner’s signature of another hash than what it comes with has', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash, signature } = await signedTx(safeAddress, bob, { operation: 1, data: '0x1234' })
    const { safeTx } = await signedTx(safeAddress, bob)
    const send = (browser: Browser, sender: Address) =>
      codeOf(call(browser, proposeTransaction, { chainId, safeAddress, safeTx, safeTxHash, sender, signature }))
    expect(await send(asStranger, stranger.address)).toBe('SAFE_TX_HASH_MISMATCH')
    expect(await alarmsOf(safeAddress)).toEqual([])
    for (let time = 0; time < 2; time += 1) expect(await send(asBob, bob.address)).toBe('SAFE_TX_HASH_MISMATCH')
    expect(await alarmsOf(safeAddress)).toMatchObject([
      { signedHash: safeTxHash, signer: bob.address, submittedBy: bob.address, code: 'SAFE_TX_HASH_MISMATCH' },
    ])
    expect(await queueOf(safeAddress)).toEqual([])
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
    // That it was here before keeps nothing from the owners.
    expect(await codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature }))).toBe(
      'SIGNATURE_NOT_FROM_OWNER',
    )
    expect(await alarmsOf(safeAddress)).toMatchObject([{ submittedBy: bob.address, signer: alice.address }])
  })

  test('behavior: no account fills the owners’ screens', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash } = await proposed(safeAddress)
    const attempts = Array.from({ length: 40 }, async (_, at) => {
      const { signature } = await signedTx(safeAddress, bob, { value: 1_000n + BigInt(at) })
      return codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature }))
    })
    expect(new Set(await Promise.all(attempts))).toEqual(new Set(['SIGNATURE_NOT_FROM_OWNER']))
    expect(await alarmsOf(safeAddress)).toHaveLength(20)
  })
})
