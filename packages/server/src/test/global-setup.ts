import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../db/client.ts'
import { startEmbeddedPostgres } from '../postgres/embedded.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL of this run, with a migrated database `template`. */
    postgresUrl: string
  }
}

/** One PostgreSQL per run, migrated once; every test file copies the template. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'countersign-server-test-'))
  const postgres = await startEmbeddedPostgres({ dataDirectory })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('create database template')
  // Nothing of it outlives the run: no test waits for the disk.
  for (const setting of ["synchronous_commit = 'off'", "max_wal_size = '4GB'", "checkpoint_timeout = '1h'"])
    await client.query(`alter system set ${setting}`)
  await client.query('select pg_reload_conf()')
  await client.end()
  await migrate(databaseUrl(postgres.url, 'template'), null)
  provide('postgresUrl', postgres.url)
  return async () => {
    // At once, without the checkpoint of an orderly stop.
    process.kill(postgres.pid, 'SIGQUIT')
    await postgres.exited
    rmSync(dataDirectory, { recursive: true, force: true })
    rmSync(postgres.directory, { recursive: true, force: true })
  }
}

function databaseUrl(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}
