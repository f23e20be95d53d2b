import pg from 'pg'
import { expect, test } from 'vitest'
import { createDatabase } from '../test/test-server.ts'

test('behavior: each foreign key has an index, so that deleting a row does not scan another table', async () => {
  const client = new pg.Client({ connectionString: await createDatabase() })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(`
    select conrelid::regclass || ' ' || conname as name from pg_constraint k
    where contype = 'f' and not exists (
      select from pg_index i where i.indrelid = k.conrelid
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^[(]\\w+ IS NOT NULL[)]$')
        and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)`)
  await client.end()
  expect(rows.map(({ name }) => name)).toEqual([])
})
