import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../packages/server/src/postgres/embedded.ts'

/** A PostgreSQL beside the product: the one that DATABASE_URL names, else one of this run alone. */
export type OwnPostgres = {
  /** Makes an empty database. */
  create(name: string): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const given = process.env.DATABASE_URL
  const dataDirectory = mkdtempSync(join(tmpdir(), 'countersign-bench-postgres-'))
  const postgres = given ? null : await startEmbeddedPostgres({ dataDirectory })
  const url = given ?? postgres?.url ?? ''
  const made: string[] = []
  const administer = async (statement: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  return {
    async create(name) {
      const database = `countersign_bench_${name}_${process.pid}`
      await administer(`create database ${database}`)
      made.push(database)
      const named = new URL(url)
      named.pathname = `/${database}`
      return named.href
    },
    async [Symbol.asyncDispose]() {
      for (const database of made) await administer(`drop database ${database} with (force)`)
      await postgres?.stop()
      rmSync(dataDirectory, { recursive: true, force: true })
      if (postgres) rmSync(postgres.directory, { recursive: true, force: true })
    },
  }
}
