import { addSafe, call, getSafe, listSafes, nameAddress } from '@countersign/contract'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { toBytes } from '../db/columns.ts'
import { safe } from '../db/schema.ts'
import { addressBookEntry } from '../db/team-schema.ts'
import {
  addedSafe,
  alice,
  asAlice,
  asBob,
  asStranger,
  bob,
  chainId,
  openTeam,
  proposed,
  server,
} from '../test/scene.ts'

const SAFES = 40
const OWNERS = 1_000

openTeam()

describe('findSafes', () => {
  test('behavior: Safes of strangers with very many owners neither make an answer huge nor hide one that was added', async () => {
    const added = await addedSafe()
    // As the follower of a whole chain finds them: whoever creates a Safe names whom they like.
    await server.db.execute(sql`
      insert into safe (chain_id, address, owners, threshold, nonce, domain_version, block_number, added_at)
      select ${chainId}, substring(sha256(('safe ' || n)::bytea) for 20), array(
          select ${sql.param(toBytes(alice.address))}::bytea
          union all select substring(sha256(('owner ' || o)::bytea) for 20) from generate_series(2, ${OWNERS}::int) as o
        ), 1, 0, '1.4.1', 1, now() - interval '1 day'
      from generate_series(1, ${SAFES}::int) as n`)
    const text = await (await asAlice.fetch(`${server.origin}/api/safes`)).text()
    expect(text.length).toBeLessThan(1.5 * 1024 * 1024)
    const { safes } = await call(asAlice, listSafes, {})
    expect(safes[0]?.address).toBe(added)
    expect(safes.length).toBeGreaterThan(15)
    expect(safes.slice(1).every(({ owners }) => owners.length === OWNERS)).toBe(true)
  })

  test('behavior: a Safe comes with what its team calls it, the own name first, and outsiders get none', async () => {
    const safeAddress = await addedSafe()
    const place = { chainId, safeAddress }
    await call(asAlice, nameAddress, { ...place, address: safeAddress, name: 'Treasury' })
    await call(asBob, nameAddress, { ...place, address: safeAddress, name: 'Kasse' })
    // A name for somebody else is none for the Safe.
    await call(asAlice, nameAddress, { ...place, address: bob.address, name: 'Bob' })
    const [alices, bobs] = [
      { name: 'Treasury', author: alice.address, updatedAt: expect.any(String) },
      { name: 'Kasse', author: bob.address, updatedAt: expect.any(String) },
    ]
    expect((await call(asAlice, getSafe, place)).names).toEqual([alices, bobs])
    const { safes } = await call(asBob, listSafes, {})
    expect(safes.find(({ address }) => address === safeAddress)?.names).toEqual([bobs, alices])
    await call(asStranger, addSafe, { chainId, address: safeAddress })
    expect((await call(asStranger, getSafe, place)).names).toEqual([])
  })

  test('behavior: what is said of a Safe is said of no other one, nor of its address on another chain', async () => {
    const [safeAddress, other] = [await addedSafe(), await addedSafe()]
    const place = { chainId, safeAddress }
    await call(asAlice, nameAddress, { chainId, safeAddress: other, address: other, name: 'Other' })
    const elsewhere = { chainId: chainId + 1, safeAddress, address: safeAddress, name: 'Elsewhere' }
    await server.db.insert(addressBookEntry).values({ ...elsewhere, author: alice.address, updatedAt: new Date() })
    expect((await call(asAlice, getSafe, place)).names).toEqual([])
  })

  test('behavior: nothing waits for an owner whose nonce is used up', async () => {
    const safeAddress = await addedSafe()
    const waiting = async () => (await call(asBob, getSafe, { chainId, safeAddress })).awaitingMyConfirmation
    await proposed(safeAddress)
    expect(await waiting()).toBe(1)
    await server.db.update(safe).set({ nonce: 1n }).where(eq(safe.address, safeAddress))
    expect(await waiting()).toBe(0)
  })
})
