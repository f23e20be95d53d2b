import { sql } from 'drizzle-orm'
import { getAddress, type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../test/test-server.ts'
import { type OpenDatabase, openDatabase } from './client.ts'
import { decodeAddress, toBytes } from './columns.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = openDatabase(await createDatabase(), () => {}, { max: 1 })
})
afterAll(() => database.close())

const bytes: Hex = keccak256(toHex('some account')).slice(0, 42) as Hex

async function roundTrip(): Promise<{ one: Hex; few: Buffer[] } | undefined> {
  const column = sql.param(toBytes(bytes))
  const { rows } = await database.db.execute<{ one: Hex; few: Buffer[] }>(
    sql`select ${column}::bytea as one, array[${column}::bytea] as few`,
  )
  return rows[0]
}

describe('decodeAddress', () => {
  test('default: bytes come as hex, and an address is checksummed', async () => {
    const found = await roundTrip()
    expect(found?.one).toBe(bytes)
    expect(found && decodeAddress(found.one)).toBe(getAddress(bytes))
    expect(found?.few.map(decodeAddress)).toEqual([getAddress(bytes)])
  })

  test('behavior: a database that writes bytes otherwise says the same', async () => {
    await database.db.execute(sql`set bytea_output = 'escape'`)
    const found = await roundTrip()
    expect(found?.one).toBe(bytes)
    expect(found?.few.map(decodeAddress)).toEqual([getAddress(bytes)])
  })
})
