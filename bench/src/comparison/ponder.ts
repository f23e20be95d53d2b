import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from '@countersign/e2e'
import pg from 'pg'
import type { BusyChain } from '../chain/busy-chain.ts'
import { type Run, startUsing, type Used } from '../chain/following.ts'
import { peakMemory } from '../load/process-time.ts'

const source = fileURLToPath(new URL('../../ponder/', import.meta.url))
const SCHEMA = 'bench'
/** As it is told by `--log-format json`. */
const BEGUN = 'Started backfill indexing'
const DONE = 'Completed backfill indexing across all chains'

export type Ponder = {
  index(range: { chain: BusyChain; databaseUrl: string; from: number; upTo: number }): Promise<Run>
  remove(): void
}

/** Installs the app of comparison in a folder of its own; null where its packages cannot be had. */
export function installPonder(): Ponder | null {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-ponder-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  cpSync(source, folder, { recursive: true })
  console.log('  installing ponder')
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
      cwd: folder,
      stdio: 'pipe',
    })
  } catch (error) {
    remove()
    const [reason] = String(error instanceof Error ? error.message : error)
      .split('\n')
      .filter((line) => line.includes('npm error'))
    console.log(`  ponder cannot be installed and is left out: ${reason ?? 'npm failed'}`)
    return null
  }
  return { index: (range) => run(folder, range), remove }
}

async function run(folder: string, { chain, databaseUrl, from, upTo }: Parameters<Ponder['index']>[0]): Promise<Run> {
  const { rpcUrl, safes } = chain
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [
      join(folder, 'node_modules/ponder/dist/esm/bin/ponder.js'),
      'start',
      '--log-format',
      'json',
      '--log-level',
      'info',
      '--schema',
      SCHEMA,
      '--hostname',
      '127.0.0.1',
      '--port',
      String(port),
    ],
    {
      cwd: folder,
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        PONDER_TELEMETRY_DISABLED: 'true',
        BENCH_CHAIN: JSON.stringify({ rpcUrl, safes, startBlock: from, endBlock: upTo }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const killChild = () => child.kill('SIGKILL')
  process.once('exit', killChild)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const last: string[] = []
  child.stderr.on('data', (chunk) => last.push(String(chunk)))
  const times = new Map<string, number>()
  let used: () => Used = startUsing(child.pid ?? 0)
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      last.push(line)
      const { msg, time } = JSON.parse(line)
      times.set(msg, time)
      if (msg === BEGUN) used = startUsing(child.pid ?? 0)
      if (msg === DONE) break
    }
    const begun = times.get(BEGUN)
    const done = times.get(DONE)
    if (begun === undefined || done === undefined)
      throw new Error(`ponder ended without having indexed everything:\n${last.slice(-10).join('\n')}`)
    const took = { seconds: (done - begun) / 1_000, used: used(), peak: peakMemory(child.pid ?? 0) }
    return { ...took, rows: await countRows(databaseUrl) }
  } finally {
    killChild()
    await exited
    process.off('exit', killChild)
  }
}

async function countRows(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select (select count(*) from ${SCHEMA}.history)::int + (select count(*) from ${SCHEMA}.transaction)::int as count`,
    )
    return rows[0]?.count
  } finally {
    await client.end()
  }
}
