import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { preparePlace } from '../postgres/place.ts'
import { provideTemplate } from './global-setup.ts'

const role = 'an_operator'

/**
 * A PostgreSQL as an operator has one, in DATABASE_URL for as long as the tests run: its texts in the order of a
 * language, its clock in another zone, and a role in it that is no superuser and may make databases.
 */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'countersign-plain-postgres-'))
  const { binaries, directory, account } = preparePlace(dataDirectory, () => {})
  const cluster = join(directory, 'cluster')
  const [superuser, password] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, superuser, { mode: 0o600 })
  if (account) chownSync(passwordFile, account.uid, account.gid)

  // In our process group: what ends this run ends it too.
  const run = (name: string, ...args: string[]) => {
    const child = spawn(join(binaries, 'bin', name), args, {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    })
    let output = ''
    child.stderr.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-4_000)
    })
    const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
    return { child, ended, output: () => output }
  }

  const making = run(
    'initdb',
    '-D',
    cluster,
    '-U',
    'postgres',
    `--pwfile=${passwordFile}`,
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--locale-provider=icu',
    '--icu-locale=en-US',
    '--no-sync',
  )
  if ((await making.ended) !== 0) throw new Error(`initdb: ${making.output()}`)

  const port = await freePort()
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=Asia/Kolkata']
  // Nothing of it outlives the run: no test waits for the disk.
  const ofRun = ['fsync=off', 'full_page_writes=off', 'checkpoint_timeout=1h']
  const server = run(
    'postgres',
    '-D',
    cluster,
    '-p',
    String(port),
    ...[...settings, ...ofRun, 'datestyle=iso,dmy'].flatMap((setting) => ['-c', setting]),
  )
  const admin = `postgresql://postgres:${superuser}@127.0.0.1:${port}/postgres`
  await whenReady(admin, server)
  await query(admin, `create role ${role} login createdb password '${password}'`)
  process.env.DATABASE_URL = `postgresql://${role}:${password}@127.0.0.1:${port}/postgres`
  await provideTemplate(process.env.DATABASE_URL, provide)

  return async () => {
    // At once, without the checkpoint of an orderly stop, and with all its databases: nothing of it is kept.
    server.child.kill('SIGQUIT')
    await server.ended
    for (const path of [directory, dataDirectory]) rmSync(path, { recursive: true, force: true })
    rmSync(`${dataDirectory}.location`, { force: true })
  }
}

async function whenReady(url: string, server: { child: { exitCode: number | null }; output: () => string }) {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (server.child.exitCode !== null) break
    const isReady = await query(url, 'select 1').then(
      () => true,
      () => false,
    )
    if (isReady) return
    await sleep(100)
  }
  throw new Error(`postgres: ${server.output()}`)
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
