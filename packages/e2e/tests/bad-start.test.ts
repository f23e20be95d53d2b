import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort, makeDataPath, processesOf, startAndFail, startProduct } from '../src/product/product.ts'

const paths: string[] = []
function ownPath(): string {
  const path = makeDataPath()
  paths.push(path)
  return path
}
afterEach(() => {
  for (const path of paths.splice(0)) rmSync(path, { recursive: true, force: true })
})

/** Without devnet, so that a start is short. */
async function noChain(): Promise<unknown> {
  return { chains: [{ chainId: 4242, name: 'Away', rpcUrls: [`http://127.0.0.1:${await freePort()}`] }] }
}

/** The migrations of this version, and one that it does not know. */
function newerMigrations(within: string): string {
  const directory = join(within, 'migrations')
  cpSync(fileURLToPath(new URL('../../../dist/migrations', import.meta.url)), directory, { recursive: true })
  const journalPath = join(directory, 'meta', '_journal.json')
  const journal: { entries: Record<string, unknown>[] } = JSON.parse(readFileSync(journalPath, 'utf8'))
  const entry = { ...journal.entries[0], idx: journal.entries.length, when: 4_102_444_800_000, tag: '9999_newer' }
  writeFileSync(journalPath, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }))
  writeFileSync(join(directory, '9999_newer.sql'), 'create table newer ();')
  return directory
}

describe('a data directory that does not serve', () => {
  test('error: DATA_NOT_WRITABLE names the directory', async () => {
    const dataPath = ownPath()
    writeFileSync(join(dataPath, 'file'), '')
    const wanted = join(dataPath, 'file', 'data')
    const { code, output } = await startAndFail({ dataPath, env: { COUNTERSIGN_DATA: wanted } })
    expect(code).toBe(1)
    expect(output).toContain('DATA_NOT_WRITABLE')
    expect(output).toContain(wanted)
    expect(processesOf(dataPath)).toEqual([])
  })

  test('error: DATA_TOO_NEW, and the newer version still starts', async () => {
    const dataPath = ownPath()
    const configuration = await noChain()
    const newer = {
      dataPath,
      configuration,
      waitFor: 'healthz' as const,
      env: { COUNTERSIGN_MIGRATIONS: newerMigrations(ownPath()) },
    }
    expect(await (await startProduct(newer)).stop()).toBe(0)
    const { code, output } = await startAndFail({ dataPath, configuration })
    expect(code).toBe(1)
    expect(output).toContain('DATA_TOO_NEW')
    expect(processesOf(dataPath)).toEqual([])
    expect(await (await startProduct(newer)).stop()).toBe(0)
  })

  test.runIf(process.getuid?.() === 0)('behavior: root in a home of mode 0700, which stays as it is', async () => {
    const home = ownPath()
    chmodSync(home, 0o700)
    const dataPath = join(home, 'data')
    mkdirSync(dataPath)
    const configuration = await noChain()
    await using first = await startProduct({ dataPath, configuration, waitFor: 'healthz' })
    const database = /The database is in (\S+):/.exec(first.output())?.[1]
    if (!database) throw new Error(`it does not say where the database is\n${first.output()}`)
    paths.push(database)
    expect(await first.stop()).toBe(0)
    expect(statSync(home).mode & 0o777).toBe(0o700)
    await using second = await startProduct({ dataPath, configuration, waitFor: 'healthz' })
    expect(second.output()).toContain(database)
    expect(await second.stop()).toBe(0)
  })
})

describe('a configuration with faults', () => {
  test('error: CONFIGURATION_INVALID names those of the file and of the environment at once', async () => {
    const dataPath = ownPath()
    const configuration = { chains: [{ chainId: 0, name: 'Zero', rpcUrls: ['ftp://127.0.0.1'], colour: 'red' }] }
    const env = { PORT: 'abc', COUNTERSIGN_PUBLIC_URL: 'nowhere' }
    const { code, output } = await startAndFail({ dataPath, configuration, env })
    expect(code).toBe(1)
    expect(output).toContain('CONFIGURATION_INVALID')
    for (const path of ['PORT', 'COUNTERSIGN_PUBLIC_URL', 'chains.0.chainId', 'chains.0.rpcUrls.0', 'colour'])
      expect(output).toContain(path)
    expect(processesOf(dataPath)).toEqual([])
  })

  test('error: CONFIGURATION_INVALID for a named file that is missing, beside another fault', async () => {
    const dataPath = ownPath()
    const missing = join(dataPath, 'missing.json')
    const env = { COUNTERSIGN_CONFIG: missing, COUNTERSIGN_PUBLIC_URL: 'nowhere' }
    const { output } = await startAndFail({ dataPath, env })
    for (const words of ['CONFIGURATION_INVALID', missing, 'COUNTERSIGN_PUBLIC_URL']) expect(output).toContain(words)
  })
})
