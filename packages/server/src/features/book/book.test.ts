import { createHash } from 'node:crypto'
import {
  addAbi,
  addNote,
  addSafe,
  call,
  exportActivity,
  exportHistory,
  getSafe,
  listAbis,
  listActivity,
  listNames,
  listNotes,
  nameAddress,
  removeAbi,
  removeName,
  removeNote,
} from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { abiTypedData, nameTypedData } from '@countersign/review'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { type Address, type Hex, numberToHex, pad } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { safe } from '../../db/schema.ts'
import { delegate } from '../../db/team-schema.ts'
import { createActor } from '../../test/safe-actor.ts'
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
  devnet,
  makeDelegate,
  openTeam,
  proposed,
  removeDelegate,
  server,
} from '../../test/scene.ts'
import { type Browser, codeOf, eventually, signInAs } from '../../test/test-server.ts'

const payee = demoAccounts[5]
const pokeAbi = JSON.stringify([{ type: 'function', name: 'poke', inputs: [{ name: 'id', type: 'uint256' }] }])

let safeAddress: Address
let place: { chainId: number; safeAddress: Address }
let subjectHash: Hex

openTeam()
beforeAll(async () => {
  safeAddress = await addedSafe()
  place = { chainId, safeAddress }
  subjectHash = (await proposed(safeAddress)).safeTxHash
})

describe('bounds', () => {
  test('error: TOO_MANY at the 101st ABI and the 201st note, also of many at a time', async () => {
    const contracts = Array.from({ length: 104 }, (_, at) => pad(numberToHex(at + 1), { size: 20 }))
    const codes = await Promise.all(
      contracts.map((contract) => codeOf(call(asAlice, addAbi, { ...place, contract, name: 'x', abi: '[]' }))),
    )
    expect(codes.filter((code) => code === 'no error')).toHaveLength(100)
    expect(codes.filter((code) => code === 'TOO_MANY')).toHaveLength(4)
    for (const { contract, author } of (await call(asAlice, listAbis, { ...place, limit: 100 })).abis)
      await call(asAlice, removeAbi, { ...place, contract, author })
    const said = await Promise.all(
      Array.from({ length: 203 }, (_, at) =>
        codeOf(call(asAlice, addNote, { ...place, subjectHash, text: `Note ${at}` })),
      ),
    )
    expect(said.filter((code) => code === 'no error')).toHaveLength(200)
    expect(said.filter((code) => code === 'TOO_MANY')).toHaveLength(3)
    for (const { id } of (await call(asAlice, listNotes, { ...place, subjectHash })).notes)
      await call(asAlice, removeNote, { ...place, subjectHash, id })
  })
})

describe('pages', () => {
  /** As many accounts of one team would write. */
  const writers = sql`select sha256(('writer ' || n)::bytea) as hash, n from generate_series(1, 9000) n`

  test('behavior: names and notes of many end by their bytes, and go on in the next answer', async () => {
    const row = sql`${chainId}, decode(${safeAddress.slice(2)}, 'hex')`
    await server.db.execute(sql`insert into address_book_entry (chain_id, safe_address, address, name, author, updated_at)
      select ${row}, substr(hash, 1, 20), repeat('x', 50), substr(hash, 8, 20), now() from (${writers}) w`)
    await server.db.execute(sql`insert into note (chain_id, safe_address, subject_hash, author, text, created_at)
      select ${row}, decode(${subjectHash.slice(2)}, 'hex'), substr(hash, 1, 20), repeat('x', 2000), now() from (${writers}) w
      where n <= 1200`)
    const readAll = async (list: 'names' | 'notes'): Promise<number[]> => {
      const lengths: number[] = []
      let cursor: string | null | undefined
      while (cursor !== null) {
        const path = list === 'names' ? list : `notes/${subjectHash}`
        const query = cursor ? `?cursor=${cursor}` : ''
        const response = await asAlice.fetch(
          `${server.origin}/api/chains/${chainId}/safes/${safeAddress}/${path}${query}`,
        )
        const body = await response.text()
        expect(body.length).toBeLessThan(3 * 1024 * 1024)
        const page: { nextCursor: string | null; names?: unknown[]; notes?: unknown[] } = JSON.parse(body)
        lengths.push((page.names ?? page.notes ?? []).length)
        cursor = page.nextCursor
      }
      return lengths
    }
    for (const [list, count] of [
      ['names', 9000],
      ['notes', 1200],
    ] as const) {
      const lengths = await readAll(list)
      expect(lengths.length).toBeGreaterThan(1)
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(count)
    }
    await server.db.execute(sql`delete from address_book_entry`)
    await server.db.execute(sql`delete from note`)
  })

  test('error: TOO_MANY when the notes of one account on a Safe get too long, on whatever they are', async () => {
    const other = (await proposed(safeAddress, { nonce: 77n })).safeTxHash
    await server.db.execute(sql`insert into note (chain_id, safe_address, subject_hash, author, text, created_at)
      select ${chainId}, decode(${safeAddress.slice(2)}, 'hex'), decode(${other.slice(2)}, 'hex'),
        decode(${alice.address.slice(2)}, 'hex'), repeat('x', 8000), now() from generate_series(1, 131)`)
    expect(await codeOf(call(asAlice, addNote, { ...place, subjectHash, text: 'x'.repeat(2000) }))).toBe('TOO_MANY')
    expect(await codeOf(call(asBob, addNote, { ...place, subjectHash, text: 'x'.repeat(2000) }))).toBe('no error')
    await server.db.execute(sql`delete from note`)
  })
})

describe('the address book', () => {
  test('behavior: each account has a name of its own for an address, and replaces that alone', async () => {
    await call(asAlice, nameAddress, { ...place, address: payee.address, name: ' Payroll ' })
    await call(asBob, nameAddress, { ...place, address: bob.address, name: 'Bob' })
    expect((await call(asBob, listNames, place)).names).toMatchObject([
      { address: bob.address, name: 'Bob', author: bob.address },
      { address: payee.address, name: 'Payroll', author: alice.address },
    ])
    await call(asBob, nameAddress, { ...place, address: payee.address, name: 'Payroll 2027' })
    await call(asBob, nameAddress, { ...place, address: payee.address, name: 'Payroll 2028' })
    expect((await call(asAlice, listNames, place)).names).toMatchObject([
      { name: 'Bob' },
      { name: 'Payroll 2028', author: bob.address },
      { name: 'Payroll', author: alice.address },
    ])
    // Any owner tidies up.
    await call(asAlice, removeName, { ...place, address: bob.address, author: bob.address })
    await call(asAlice, removeName, { ...place, address: bob.address, author: bob.address })
    await call(asBob, removeName, { ...place, address: payee.address, author: alice.address })
    expect((await call(asAlice, listNames, place)).names).toMatchObject([{ name: 'Payroll 2028' }])
  })

  test('behavior: the history is exported with the names that owners gave', async () => {
    await makeDelegate(safeAddress, alice.address)
    await call(asDave, nameAddress, { ...place, address: payee.address, name: 'Dave says' })
    const actor = createActor(devnet.rpcUrl)
    await actor.send({ to: safeAddress, from: payee.address, value: 5n })
    const path = exportHistory.path.replace('{chainId}', String(chainId)).replace('{safeAddress}', safeAddress)
    await eventually(async () =>
      (await (await asAlice.fetch(`${server.origin}${path}`)).text()).includes(`${payee.address},Payroll 2028,`),
    )
    await call(asStranger, addSafe, { chainId, address: safeAddress })
    const seen = await (await asStranger.fetch(`${server.origin}${path}`)).text()
    expect(seen).toContain(payee.address)
    expect(seen).not.toContain('Payroll')
    await call(asAlice, removeName, { ...place, address: payee.address, author: dave.address })
    await removeDelegate(alice.address)
  })

  test.each(['', 'x'.repeat(61), 'pay\u202eroll', 'two\nlines', 'zero\u200bwidth'])(
    'error: INVALID_REQUEST for the name %j',
    async (name) => {
      expect(await codeOf(call(asAlice, nameAddress, { ...place, address: payee.address, name }))).toBe(
        'INVALID_REQUEST',
      )
    },
  )
})

describe('whose entry it is', () => {
  const contract = payee.address
  const write = (by: Browser, name: string) =>
    Promise.all([
      call(by, nameAddress, { ...place, address: payee.address, name }),
      call(by, addAbi, { ...place, contract, name, abi: pokeAbi }),
    ])
  const removals = (by: Browser, author: Address) =>
    Promise.all([
      codeOf(call(by, removeName, { ...place, address: payee.address, author })),
      codeOf(call(by, removeAbi, { ...place, contract, author })),
    ])
  const entries = async () => {
    const [{ names }, { abis }] = await Promise.all([call(asAlice, listNames, place), call(asAlice, listAbis, place)])
    return [...names, ...abis].map(({ name, author }) => ({ name, author }))
  }
  let place: { chainId: number; safeAddress: Address }
  let subject: Hex
  beforeAll(async () => {
    place = { chainId, safeAddress: await addedSafe() }
    subject = (await proposed(place.safeAddress)).safeTxHash
    await makeDelegate(place.safeAddress, alice.address)
  })

  test('error: NOT_AN_OWNER when a proposer removes what an owner wrote; what they write stands beside it', async () => {
    await write(asAlice, 'Timelock')
    await write(asDave, 'DAO Timelock')
    const both = [
      { name: 'DAO Timelock', author: dave.address },
      { name: 'Timelock', author: alice.address },
    ]
    // Names by name; ABIs with one's own first.
    expect(await entries()).toEqual([...both, ...both.toReversed()])
    expect(await removals(asDave, alice.address)).toEqual(['NOT_AN_OWNER', 'NOT_AN_OWNER'])
    expect(await entries()).toEqual([...both, ...both.toReversed()])
    expect(await removals(asDave, dave.address)).toEqual(['no error', 'no error'])
    await write(asDave, 'Again')
    expect(await removals(asAlice, dave.address)).toEqual(['no error', 'no error'])
    expect(await entries()).toEqual([both[1], both[1]])
  })

  test('behavior: the first to write of an address does not keep others from it', async () => {
    const other = demoAccounts[7].address
    const [byDave, byAlice] = await Promise.all([
      call(asDave, nameAddress, { ...place, address: other, name: 'Mine' }),
      call(asAlice, nameAddress, { ...place, address: other, name: 'Ours' }),
    ])
    expect([byDave.author, byAlice.author]).toEqual([dave.address, alice.address])
    const { names } = await call(asBob, listNames, place)
    expect(names.filter(({ address }) => address === other)).toHaveLength(2)
  })

  test('behavior: an owner who gives the name or the ABI of somebody else endorses it, a proposer does not', async () => {
    const { safeAddress: other } = { safeAddress: await addedSafe() }
    const at = { chainId, safeAddress: other }
    await makeDelegate(other, alice.address)
    const named = { ...at, address: payee.address, name: 'Timelock' }
    const abi = { ...at, contract, name: 'Poker', abi: pokeAbi }
    for (const by of [asAlice, asDave, asBob, asBob]) {
      await call(by, nameAddress, named)
      await call(by, addAbi, abi)
    }
    const { names } = await call(asAlice, listNames, at)
    const times = new Map(names.map(({ author, updatedAt }) => [author, updatedAt]))
    expect(new Set(times.keys())).toEqual(new Set([alice.address, bob.address, dave.address]))
    // Giving it again does not make the writer the later one.
    await call(asAlice, nameAddress, named)
    expect((await call(asAlice, listNames, at)).names.find(({ author }) => author === alice.address)?.updatedAt).toBe(
      times.get(alice.address),
    )
    const { entries } = await call(asAlice, listActivity, at)
    const said = entries.map(({ verb, account }) => ({ verb, account }))
    const by = (verb: string) => said.filter((entry) => entry.verb === verb).map(({ account }) => account)
    expect(by('named-address')).toEqual([dave.address, alice.address])
    expect(by('endorsed-name')).toEqual([bob.address])
    expect(by('gave-abi')).toEqual([dave.address, alice.address])
    expect(by('endorsed-abi')).toEqual([bob.address])
  })

  test('behavior: a former owner who may only propose touches their own entries alone', async () => {
    await write(asBob, 'Of Bob')
    await server.db
      .update(safe)
      .set({ owners: [alice.address] })
      .where(eq(safe.address, place.safeAddress))
    const who = { delegate: bob.address, delegator: alice.address, label: 'Bob' }
    await server.db.insert(delegate).values({ ...place, ...who, createdAt: new Date(), expiryDate: null })
    expect(await removals(asBob, alice.address)).toEqual(['NOT_AN_OWNER', 'NOT_AN_OWNER'])
    expect(await removals(asDave, bob.address)).toEqual(['NOT_AN_OWNER', 'NOT_AN_OWNER'])
    expect(await removals(asBob, bob.address)).toEqual(['no error', 'no error'])
  })

  test('error: TOO_MANY for a proposer, and the owners go on writing', async () => {
    const at = (index: number) => pad(numberToHex(index + 1), { size: 20 })
    const many = (count: number, write: (index: number) => Promise<unknown>) =>
      Promise.all(Array.from({ length: count }, (_, index) => codeOf(write(index))))
    const codes = [
      await many(201, (index) => call(asDave, nameAddress, { ...place, address: at(index), name: 'x' })),
      await many(12, (index) => call(asDave, addAbi, { ...place, contract: at(index), name: 'x', abi: '[]' })),
      await many(21, (index) => call(asDave, addNote, { ...place, subjectHash: subject, text: `Note ${index}` })),
    ]
    for (const [index, accepted] of [199, 10, 20].entries())
      expect(codes[index]?.filter((code) => code === 'no error')).toHaveLength(accepted)
    expect(new Set(codes.flat())).toEqual(new Set(['no error', 'TOO_MANY']))
    await write(asAlice, 'Still')
    await call(asAlice, addNote, { ...place, subjectHash: subject, text: 'Still' })
  })
})

describe('a signed name', () => {
  test('behavior: signed by its author, and the signature stays as long as the name', async () => {
    const at = { chainId, safeAddress: await addedSafe() }
    const given = { ...at, address: payee.address, name: 'Payee' }
    const [signature, forged] = await Promise.all(
      [alice, bob].map(({ privateKey }) => privateKeyToAccount(privateKey).signTypedData(nameTypedData(given))),
    )
    const kept = async () => (await call(asBob, listNames, at)).names.map((one) => [one.name, one.signature])
    expect(await codeOf(call(asAlice, nameAddress, { ...given, signature: forged }))).toBe('SIGNATURE_INVALID')
    expect(await codeOf(call(asAlice, nameAddress, { ...given, name: 'Payer', signature }))).toBe('SIGNATURE_INVALID')
    expect(await kept()).toEqual([])
    const first = await call(asAlice, nameAddress, given)
    expect(first.signature).toBeNull()
    expect(await call(asAlice, nameAddress, { ...given, signature })).toEqual({ ...first, signature })
    await call(asAlice, nameAddress, given)
    expect(await kept()).toEqual([['Payee', signature]])
    await call(asAlice, nameAddress, { ...given, name: 'Payer' })
    expect(await kept()).toEqual([['Payer', null]])
  })

  test('error: TOO_MANY where one owner has two hundred, and unsigned ones stay free', async () => {
    const at = { chainId, safeAddress: await addedSafe() }
    const account = privateKeyToAccount(alice.privateKey)
    const named = (index: number) => ({ ...at, address: pad(numberToHex(index + 1), { size: 20 }), name: 'x' })
    const signed = async (index: number) => {
      const signature = await account.signTypedData(nameTypedData(named(index)))
      return codeOf(call(asAlice, nameAddress, { ...named(index), signature }))
    }
    const codes = await Promise.all(Array.from({ length: 201 }, (_, index) => signed(index)))
    expect(codes.filter((code) => code === 'no error')).toHaveLength(200)
    expect(codes.filter((code) => code === 'TOO_MANY')).toHaveLength(1)
    await call(asAlice, nameAddress, named(300))
  })
})

describe('what only the team may see', () => {
  test('error: SAFE_NOT_FOUND for a stranger, NOT_A_MEMBER for who only added the Safe', async () => {
    const asOther = await signInAs(server, demoAccounts[6])
    const ask = (browser: Browser) => [
      codeOf(call(browser, listNames, place)),
      codeOf(call(browser, nameAddress, { ...place, address: payee.address, name: 'x' })),
      codeOf(call(browser, removeName, { ...place, address: payee.address, author: bob.address })),
      codeOf(call(browser, listAbis, place)),
      codeOf(call(browser, addAbi, { ...place, contract: payee.address, name: 'x', abi: pokeAbi })),
      codeOf(call(browser, removeAbi, { ...place, contract: payee.address, author: bob.address })),
      codeOf(call(browser, listNotes, { ...place, subjectHash })),
      codeOf(call(browser, addNote, { ...place, subjectHash, text: 'x' })),
      codeOf(call(browser, listActivity, place)),
    ]
    expect(new Set(await Promise.all(ask(asOther)))).toEqual(new Set(['SAFE_NOT_FOUND']))
    await call(asOther, addSafe, { chainId, address: safeAddress })
    expect(new Set(await Promise.all(ask(asOther)))).toEqual(new Set(['NOT_A_MEMBER']))
  })

  test('behavior: the Safe says whether there are names and ABIs, and to nobody else', async () => {
    const at = { chainId, safeAddress: await addedSafe() }
    const asOther = await signInAs(server, demoAccounts[6])
    await call(asOther, addSafe, { chainId, address: at.safeAddress })
    const has = async (browser: Browser) => {
      const { hasNames, hasAbis } = await call(browser, getSafe, at)
      return { hasNames, hasAbis }
    }
    expect(await has(asBob)).toEqual({ hasNames: false, hasAbis: false })
    await call(asAlice, nameAddress, { ...at, address: payee.address, name: 'Payee' })
    expect(await has(asBob)).toEqual({ hasNames: true, hasAbis: false })
    await call(asAlice, addAbi, { ...at, contract: payee.address, name: 'Poker', abi: pokeAbi })
    expect(await has(asBob)).toEqual({ hasNames: true, hasAbis: true })
    expect(await has(asOther)).toEqual({ hasNames: false, hasAbis: false })
    await call(asAlice, removeName, { ...at, address: payee.address, author: alice.address })
    await call(asAlice, removeAbi, { ...at, contract: payee.address, author: alice.address })
    expect(await has(asBob)).toEqual({ hasNames: false, hasAbis: false })
  })
})

describe('ABIs', () => {
  test('behavior: given, replaced and removed, each account its own', async () => {
    const contract = devnet.tokens.erc20
    await call(asAlice, addAbi, { ...place, contract, name: 'Poker', abi: pokeAbi })
    await call(asBob, addAbi, { ...place, contract, name: 'Poker 2', abi: pokeAbi })
    await call(asBob, addAbi, { ...place, contract, name: 'Poker 3', abi: pokeAbi })
    expect((await call(asBob, listAbis, place)).abis).toMatchObject([
      { contract, name: 'Poker 3', abi: pokeAbi, author: bob.address },
      { contract, name: 'Poker', abi: pokeAbi, author: alice.address },
    ])
    await call(asAlice, removeAbi, { ...place, contract, author: alice.address })
    await call(asAlice, removeAbi, { ...place, contract, author: bob.address })
    expect((await call(asBob, listAbis, place)).abis).toEqual([])
  })

  test('behavior: signed by its author, and the signature stays as long as the text', async () => {
    const contract = devnet.tokens.erc20
    const given = { ...place, contract, abi: pokeAbi }
    const [signature, forged] = await Promise.all(
      [alice, bob].map(({ privateKey }) => privateKeyToAccount(privateKey).signTypedData(abiTypedData(given))),
    )
    const kept = async () => (await call(asBob, listAbis, place)).abis.map((abi) => [abi.name, abi.signature])
    expect(await codeOf(call(asAlice, addAbi, { ...given, name: 'Poker', signature: forged }))).toBe(
      'SIGNATURE_INVALID',
    )
    expect(await kept()).toEqual([])
    await call(asAlice, addAbi, { ...given, name: 'Poker' })
    const [first] = (await call(asBob, listAbis, place)).abis
    expect(first?.signature).toBeNull()
    const signed = await call(asAlice, addAbi, { ...given, name: 'Poker', signature })
    expect(signed).toEqual({ ...first, signature })
    await call(asAlice, addAbi, { ...given, name: 'Poker 2' })
    expect(await kept()).toEqual([['Poker 2', signature]])
    await call(asAlice, addAbi, { ...given, name: 'Poker 2', abi: `${pokeAbi} ` })
    expect(await kept()).toEqual([['Poker 2', null]])
    await call(asAlice, removeAbi, { ...place, contract, author: alice.address })
  })

  test('error: TOO_MANY when the ABIs of one account are too large together', async () => {
    const abi = `[${' '.repeat(131_070)}]`
    const contracts = Array.from({ length: 33 }, (_, at) => pad(numberToHex(at + 1), { size: 20 }))
    const codes = await Promise.all(
      contracts.map((contract) => codeOf(call(asAlice, addAbi, { ...place, contract, name: 'x', abi }))),
    )
    expect(codes.filter((code) => code === 'TOO_MANY')).toHaveLength(1)
    await call(asBob, addAbi, { ...place, contract: pad('0xff', { size: 20 }), name: 'of Bob', abi: pokeAbi })
    const read: string[] = []
    let cursor: string | undefined
    do {
      const page = await call(asBob, listAbis, { ...place, cursor, limit: 100 })
      // A page ends by its bytes: the first of them always fits.
      expect(page.abis.reduce((sum, abi) => sum + abi.abi.length, 0)).toBeLessThan(2 ** 20 + 131_073)
      read.push(...page.abis.map((abi) => `${abi.name} ${abi.contract}`))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect([read.length, new Set(read).size, read[0]?.slice(0, 6)]).toEqual([33, 33, 'of Bob'])
    expect(await codeOf(call(asBob, listAbis, { ...place, cursor: 'b3RoZXI' }))).toBe('INVALID_REQUEST')
    await call(asBob, removeAbi, { ...place, contract: pad('0xff', { size: 20 }), author: bob.address })
    for (const contract of contracts) await call(asAlice, removeAbi, { ...place, contract, author: alice.address })
  })

  test.each([
    '{}',
    'not json',
    '[{"type":"function"}]',
    ...['tr\u0430nsfer', 'transfer\u202e', 'trans\u200bfer', '%s', '{x}'].map((name) =>
      JSON.stringify([{ type: 'function', name, inputs: [] }]),
    ),
    `[{"type":"function","name":"f","inputs":[${'{"type":"tuple","components":['.repeat(500)}${']}'.repeat(500)}]}]`,
  ])('error: ABI_MALFORMED for %j', async (abi) => {
    const contract = devnet.tokens.erc20
    expect(await codeOf(call(asAlice, addAbi, { ...place, contract, name: 'x', abi }))).toBe('ABI_MALFORMED')
    expect((await call(asAlice, listAbis, place)).abis).toEqual([])
  })
})

describe('notes', () => {
  test('behavior: written once, seen by the team, removed by the author alone', async () => {
    const text = 'Invoice 7.\nAgreed by phone.'
    const [one, other] = await Promise.all([
      call(asAlice, addNote, { ...place, subjectHash, text }),
      call(asAlice, addNote, { ...place, subjectHash, text }),
    ])
    expect(one.id).toBe(other.id)
    await call(asBob, removeNote, { ...place, subjectHash, id: one.id })
    expect((await call(asBob, listNotes, { ...place, subjectHash })).notes).toMatchObject([
      { author: alice.address, text },
    ])
    await call(asAlice, removeNote, { ...place, subjectHash, id: one.id })
    expect((await call(asBob, listNotes, { ...place, subjectHash })).notes).toEqual([])
  })

  test('error: TRANSACTION_NOT_FOUND for a hash that is of no transaction of this Safe', async () => {
    const unknown = `0x${'11'.repeat(32)}` as const
    expect(await codeOf(call(asAlice, addNote, { ...place, subjectHash: unknown, text: 'x' }))).toBe(
      'TRANSACTION_NOT_FOUND',
    )
  })
})

describe('the activity log', () => {
  const zero = `0x${'00'.repeat(32)}`

  function digest(previous: string, text: string): string {
    return `0x${createHash('sha256')
      .update(Buffer.from(previous.slice(2), 'hex'))
      .update(text)
      .digest('hex')}`
  }

  test('behavior: each entry carries the hash of the one before it, also when many write at once', async () => {
    await Promise.all(
      demoAccounts
        .slice(0, 4)
        .map(({ address }, at) =>
          call(at % 2 ? asBob : asAlice, nameAddress, { ...place, address, name: `Name ${at}` }),
        ),
    )
    const entries = []
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page = await call(asAlice, listActivity, { ...place, cursor, limit: 3 })
      entries.push(...page.entries)
      cursor = page.nextCursor
    }
    expect(entries.length).toBeGreaterThan(8)
    let previous = zero
    for (const entry of entries.reverse()) {
      expect(entry.previousHash).toBe(previous)
      expect(entry.hash).toBe(digest(previous, entry.hashed))
      expect(JSON.parse(entry.hashed)).toMatchObject({
        verb: entry.verb,
        account: entry.account?.toLowerCase() ?? null,
      })
      previous = entry.hash
    }
    expect(entries.map(({ verb }) => verb)).toEqual(expect.arrayContaining(['added-safe', 'proposed', 'named-address']))
  })

  test('behavior: exported whole, oldest first', async () => {
    const path = exportActivity.path.replace('{chainId}', String(chainId)).replace('{safeAddress}', safeAddress)
    const response = await asBob.fetch(`${server.origin}${path}`)
    expect(response.headers.get('content-disposition')).toContain(`activity-${chainId}-${safeAddress}.csv`)
    const lines = (await response.text()).trimEnd().split('\r\n')
    expect(lines[1]).toContain(`added-safe,,,${zero}`)
  })

  test('behavior: the database itself keeps it as it is', async () => {
    const client = new pg.Client({ connectionString: server.databaseUrl })
    await client.connect()
    await expect(client.query('delete from activity')).rejects.toThrow('append-only')
    await expect(client.query("update activity set verb = 'executed'")).rejects.toThrow('append-only')
    await client.end()
  })
})
