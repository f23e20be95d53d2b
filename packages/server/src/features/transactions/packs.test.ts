import {
  addSafe,
  attachPack,
  call,
  deleteTransaction,
  getPack,
  getSafe,
  listActivity,
  listPacks,
  removePack,
} from '@countersign/contract'
import { sql } from 'drizzle-orm'
import { type Address, type Hex, keccak256, stringToBytes } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { proposalPack } from '../../db/team-schema.ts'
import {
  actor,
  addedSafe,
  alice,
  asAlice,
  asBob,
  asDave,
  bob,
  chainId,
  dave,
  isExecuted,
  makeDelegate,
  openTeam,
  proposed,
  server,
} from '../../test/scene.ts'
import { codeOf, eventually } from '../../test/test-server.ts'

openTeam()

let safeAddress: Address
let safeTxHash: Hex
let about: { chainId: number; safeAddress: Address; safeTxHash: Hex }

beforeAll(async () => {
  safeAddress = await addedSafe()
  safeTxHash = (await proposed(safeAddress, { nonce: 0n })).safeTxHash
  about = { chainId, safeAddress, safeTxHash }
})

describe('attachPack', () => {
  test('default: the team reads it as it came, and the log keeps its hash', async () => {
    const text = '{"format":"countersign-proof-pack","name":"ü"}\n'
    const packHash = keccak256(stringToBytes(text))
    const attached = await call(asAlice, attachPack, { ...about, text })
    expect(attached).toMatchObject({ author: alice.address, packHash, bytes: 48 })
    expect(await call(asAlice, attachPack, { ...about, text })).toEqual(attached)
    expect((await call(asBob, listPacks, about)).packs).toEqual([attached])
    expect(await call(asBob, getPack, { ...about, id: attached.id })).toEqual({ author: alice.address, text })
    const { entries } = await call(asBob, listActivity, { chainId, safeAddress })
    expect(entries[0]).toMatchObject({
      verb: 'attached-pack',
      account: alice.address,
      safeTxHash,
      detail: { packHash },
    })
  })

  test('behavior: owners remove any, a proposer their own, and the log keeps what it was', async () => {
    await makeDelegate(safeAddress, bob.address)
    await call(asDave, addSafe, { chainId, address: safeAddress })
    const byAlice = await call(asAlice, attachPack, { ...about, text: 'by Alice' })
    const byDave = await call(asDave, attachPack, { ...about, text: 'by Dave' })
    const removing = (by: typeof asAlice, id: string) => call(by, removePack, { ...about, id })
    expect(await codeOf(removing(asDave, byAlice.id))).toBe('NOT_AN_OWNER')
    expect((await call(asAlice, listPacks, about)).packs.map(({ id }) => id)).toContain(byAlice.id)
    await removing(asDave, byDave.id)
    await removing(asBob, byAlice.id)
    await removing(asBob, byAlice.id)
    const left = (await call(asAlice, listPacks, about)).packs.map(({ id }) => id)
    expect(left).not.toContain(byAlice.id)
    expect(left).not.toContain(byDave.id)
    const { entries } = await call(asBob, listActivity, { chainId, safeAddress })
    expect(entries[0]).toMatchObject({
      verb: 'removed-pack',
      account: bob.address,
      safeTxHash,
      detail: { packHash: byAlice.packHash, author: alice.address },
    })
  })

  test('behavior: a pack is of its proposal alone, and goes with it', async () => {
    const other = { ...about, safeTxHash: (await proposed(safeAddress, { nonce: 0n, value: 2n })).safeTxHash }
    const { id } = await call(asBob, attachPack, { ...other, text: 'of the other' })
    expect(await codeOf(call(asBob, getPack, { ...about, id }))).toBe('TRANSACTION_NOT_FOUND')
    await call(asAlice, deleteTransaction, { chainId, safeTxHash: other.safeTxHash })
    expect(await codeOf(call(asBob, getPack, { ...other, id }))).toBe('TRANSACTION_NOT_FOUND')
    expect((await call(asBob, listPacks, other)).packs).toEqual([])
    expect(await codeOf(call(asBob, attachPack, { ...other, text: 'x' }))).toBe('TRANSACTION_NOT_FOUND')
  })

  test('error: INVALID_REQUEST for one that is too long, or no text', async () => {
    for (const text of ['', 'x'.repeat(800_001), 'a\u0000b', 'a\nb'])
      expect(await codeOf(call(asAlice, attachPack, { ...about, text }))).toBe('INVALID_REQUEST')
    const longest = 'x'.repeat(800_000)
    expect((await call(asAlice, attachPack, { ...about, text: longest })).bytes).toBe(800_000)
  })

  test('error: REQUEST_TOO_LARGE where quotes take the room of two; proofs have few enough', async () => {
    const subject = { ...about, safeTxHash: (await proposed(safeAddress, { nonce: 0n, value: 3n })).safeTxHash }
    const node = JSON.stringify(`0x${'ab'.repeat(32)}`)
    const proofs = `${node},`.repeat(800_000 / (node.length + 1))
    const { bytes, id } = await call(asAlice, attachPack, { ...subject, text: proofs })
    expect(bytes).toBe(proofs.length)
    expect((await call(asBob, getPack, { ...subject, id })).text).toBe(proofs)
    for (const text of ['"'.repeat(800_000), '€'.repeat(400_000)])
      expect(await codeOf(call(asAlice, attachPack, { ...subject, text }))).toBe('REQUEST_TOO_LARGE')
  })

  test('error: TOO_MANY at the fourth of an account, also of many at a time', async () => {
    const subject = { ...about, safeTxHash: (await proposed(safeAddress, { nonce: 1n })).safeTxHash }
    const codes = await Promise.all(
      Array.from({ length: 5 }, (_, at) => codeOf(call(asAlice, attachPack, { ...subject, text: `${at}` }))),
    )
    expect(codes.filter((code) => code === 'no error')).toHaveLength(3)
    expect(codes.filter((code) => code === 'TOO_MANY')).toHaveLength(2)
    expect(await codeOf(call(asBob, attachPack, { ...subject, text: 'by another' }))).toBe('no error')
  })

  test('error: TOO_MANY for proposers who share their room, while an owner still attaches', async () => {
    const place = await addedSafe()
    await makeDelegate(place, bob.address)
    const subject = { chainId, safeAddress: place, safeTxHash: (await proposed(place, { nonce: 0n })).safeTxHash }
    const by = [...Array(60).keys()].map((at) => `0x${String(at + 1).padStart(40, '0')}` as const)
    await server.db
      .insert(proposalPack)
      .values(
        by.map((author) => ({ ...subject, author, packHash: keccak256(author), text: 'x', attachedAt: new Date() })),
      )
    expect(await codeOf(call(asDave, attachPack, { ...subject, text: 'y' }))).toBe('TOO_MANY')
    expect(await codeOf(call(asBob, attachPack, { ...subject, text: 'y' }))).toBe('no error')
    await server.db.execute(sql`delete from proposal_pack where text = 'x'`)
    const added = await call(asDave, attachPack, { ...subject, text: 'y' })
    expect(added.author).toBe(dave.address)
  })

  test('error: NONCE_ALREADY_EXECUTED and TRANSACTION_ALREADY_EXECUTED once it is settled; what is there stays', async () => {
    const place = await addedSafe({ owners: [alice.address], threshold: 1 })
    const [executed, replaced] = [
      { chainId, safeAddress: place, safeTxHash: (await proposed(place, { to: bob.address })).safeTxHash },
      { chainId, safeAddress: place, safeTxHash: (await proposed(place, { to: dave.address })).safeTxHash },
    ]
    const { id } = await call(asAlice, attachPack, { ...executed, text: 'before' })
    await actor.execute(place, { to: bob.address })
    await eventually(() => isExecuted(executed.safeTxHash))
    const attach = (subject: typeof executed) => codeOf(call(asAlice, attachPack, { ...subject, text: 'after' }))
    expect(await attach(executed)).toBe('TRANSACTION_ALREADY_EXECUTED')
    await eventually(async () => (await call(asAlice, getSafe, { chainId, safeAddress: place })).nonce === 1)
    expect(await attach(replaced)).toBe('NONCE_ALREADY_EXECUTED')
    expect((await call(asAlice, getPack, { ...executed, id })).text).toBe('before')
  })
})
