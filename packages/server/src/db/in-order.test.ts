import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../test/test-server.ts'
import { type OpenDatabase, openDatabase } from './client.ts'
import { inOrder } from './in-order.ts'
import { plannedStatement } from './planned-statement.ts'
import { transaction } from './transaction.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = openDatabase(await createDatabase(), () => {}, { max: 1 })
})
afterAll(() => database.close())

const selectOne = plannedStatement<{ one: number }>('select-one', sql`select 1 as one`)

describe('inOrder', () => {
  test('default: answers of statements that are sent together', async () => {
    const [first, second] = await transaction(database.db, (tx) =>
      inOrder(tx.execute(sql`select 2 as two`), selectOne(tx, {})),
    )
    expect([first.rows, second]).toEqual([[{ two: 2 }], [{ one: 1 }]])
  })

  test('behavior: the first that fails says why, also when the refusal of the next is heard before', async () => {
    const failing = transaction(database.db, (tx) => {
      const full = tx.execute(sql`do $$ begin raise exception 'full' using errcode = 'disk_full'; end $$`)
      const late = full.finally(() => new Promise((resolve) => setTimeout(resolve, 20)))
      return inOrder(late, selectOne(tx, {}))
    })
    await expect(failing).rejects.toMatchObject({ cause: { code: '53100' } })
  })
})
