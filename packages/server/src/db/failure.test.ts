import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { parseDatabaseFailure } from './failure.ts'

const nowhere = join(tmpdir(), 'countersign-nowhere')

describe('parseDatabaseFailure', () => {
  test('default: PostgreSQL is away when its socket is missing', async () => {
    const error = await new pg.Client({ host: nowhere, port: 5432 }).connect().catch((thrown: unknown) => thrown)
    expect(parseDatabaseFailure(error)?.code).toBe('DATABASE_UNAVAILABLE')
    expect(parseDatabaseFailure(new Error('failed', { cause: error }))?.code).toBe('DATABASE_UNAVAILABLE')
  })

  test('behavior: a missing file of another kind says nothing about the database', async () => {
    const error = await readFile(join(nowhere, 'server.js')).catch((thrown: unknown) => thrown)
    expect(parseDatabaseFailure(error)).toBeNull()
  })
})
