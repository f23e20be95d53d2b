import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../db/client.ts'
import { startEmbeddedPostgres } from '../postgres/embedded.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The PostgreSQL of this run, and in it a migrated database for every test file to copy. */
    postgres: { url: string; template: string }
  }
}

/** One PostgreSQL per run, migrated once; every test file copies the template. `DATABASE_URL` names another one. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL
  if (given) {
    const template = await provideTemplate(given, provide)
    return () => dropAll(given, template)
  }
  const { url, stop } = await startEmbedded()
  await provideTemplate(url, provide)
  return stop
}

/** Makes the migrated database that test files copy, and tells them. Returns its name. */
export async function provideTemplate(url: string, provide: TestProject['provide']): Promise<string> {
  const template = `countersign_template_${process.pid}`
  await administer(url, [`create database ${template}`])
  await migrate(databaseUrl(url, template), null)
  provide('postgres', { url, template })
  return template
}

async function startEmbedded(): Promise<{ url: string; stop: () => Promise<void> }> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'countersign-server-test-'))
  const postgres = await startEmbeddedPostgres({ dataDirectory })
  // Nothing of it outlives the run: no test waits for the disk, and little is there to be removed at the end.
  const settings = [
    "fsync = 'off'",
    "synchronous_commit = 'off'",
    "full_page_writes = 'off'",
    "checkpoint_timeout = '1h'",
  ]
  await administer(postgres.url, [
    ...settings.map((setting) => `alter system set ${setting}`),
    'select pg_reload_conf()',
  ])
  return {
    url: postgres.url,
    async stop() {
      // At once, without the checkpoint of an orderly stop.
      process.kill(postgres.pid, 'SIGQUIT')
      await postgres.exited
      rmSync(dataDirectory, { recursive: true, force: true })
      rmSync(postgres.directory, { recursive: true, force: true })
    },
  }
}

/** The template and its copies. */
async function dropAll(url: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [template])
  for (const { datname } of rows) await client.query(`drop database ${datname} with (force)`)
  await client.end()
}

async function administer(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

function databaseUrl(url: string, name: string): string {
  const result = new URL(url)
  result.pathname = `/${name}`
  return result.href
}
