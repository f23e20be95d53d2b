import { setMaxListeners } from 'node:events'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { requestNode } from '@countersign/devnet'
import { CountersignError } from '@countersign/safe'
import { afterEach, describe, expect, test } from 'vitest'
import { isSoak } from '../../../scripts/testing/random-tests.mjs'
import { addSafeByScript, proposeByScript, readTransaction, signInByScript } from '../src/people/script-owner.ts'
import { newSafe, rpcUrlOf, team } from '../src/people/team.ts'
import { freePort, makeDataPath, type Product, processesOf, startProduct } from '../src/product/product.ts'

const dataPaths: string[] = []
function ownDataPath(): string {
  const dataPath = makeDataPath()
  dataPaths.push(dataPath)
  return dataPath
}
afterEach(() => {
  for (const dataPath of dataPaths.splice(0)) rmSync(dataPath, { recursive: true, force: true })
})

/** Without devnet, so that a start is short. */
async function noChain(): Promise<unknown> {
  return { chains: [{ chainId: 4242, name: 'Away', rpcUrls: [`http://127.0.0.1:${await freePort()}`] }] }
}

type PartName = 'server' | 'devnet' | 'postgres' | 'anvil'

/** As the product itself writes it down. */
function pidOf(dataPath: string, part: PartName): number {
  const read = (...names: string[]) => readFileSync(join(dataPath, ...names), 'utf8')
  if (part === 'postgres') return Number(read('postgres', 'cluster', 'postmaster.pid').split('\n')[0])
  if (part === 'anvil') return Number(JSON.parse(read('devnet', 'state.json.pid')).pid)
  return Number(JSON.parse(read('children.json'))[part].pid)
}

/** Null while the part is started again: its file is not written yet, or names a process that has ended. */
function pidIfRunning(dataPath: string, part: PartName): number | null {
  try {
    const pid = pidOf(dataPath, part)
    return isRunning(pid) ? pid : null
  } catch {
    return null
  }
}

async function isAnswered(product: Product): Promise<boolean> {
  const response = await fetch(`${product.url}/readyz`).catch(() => null)
  if (!response?.ok) return false
  const { chains } = (await response.json()) as { chains: Record<string, Record<string, unknown>> }
  return Object.values(chains).every(
    ({ node, failure, cursorBlock, headBlock }) => node === 'ok' && failure === null && cursorBlock === headBlock,
  )
}

/** Waits until all of the chain so far is written down: what was begun before may lack the newest, and the next does not. */
async function untilWritten(dataPath: string, rpcUrl: string): Promise<void> {
  const writtenAt = () => statSync(join(dataPath, 'devnet', 'state.json')).mtimeMs
  for (const which of ['one that was begun', 'one of all']) {
    const last = writtenAt()
    await requestNode(rpcUrl, 'evm_mine')
    await expect.poll(writtenAt, { message: which }).toBeGreaterThan(last)
  }
}

function isGone(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => false,
    () => true,
  )
}

describe('a part that ends', () => {
  test('behavior: each is started again, answers with 503 meanwhile, and nothing acknowledged is lost', async () => {
    const dataPath = ownDataPath()
    await using product = await startProduct({ dataPath })
    const safe = await newSafe({ rpcUrl: rpcUrlOf(product), chainId: 31337, version: '1.4.1' })
    const owner = await signInByScript(product.url, team.anna.privateKey, 31337)
    await addSafeByScript(owner, safe.safeAddress)
    const kept: Awaited<ReturnType<typeof proposeByScript>>[] = []
    await untilWritten(dataPath, rpcUrlOf(product))

    for (const [part, signal] of [
      ['server', 'SIGKILL'],
      ['devnet', 'SIGKILL'],
      ['postgres', 'SIGKILL'],
      ['anvil', 'SIGKILL'],
      // PostgreSQL then waits for its connections to end, which they never do by themselves.
      ['postgres', 'SIGTERM'],
      ['server', 'SIGTERM'],
    ] as const) {
      // The node may end after it was seen: that is said, nothing is kept, and the same is sent again.
      await expect
        .poll(async () => {
          const fields = { to: team.stranger.address, value: 1n, nonce: BigInt(kept.length) }
          const proposed = await proposeByScript(owner, safe, fields).catch((error: unknown) => {
            if (error instanceof CountersignError && error.code === 'CHAIN_UNREACHABLE') return null
            throw error
          })
          if (proposed) kept.push(proposed)
          return proposed !== null
        })
        .toBe(true)
      await expect.poll(() => pidIfRunning(dataPath, part)).not.toBeNull()
      const before = pidOf(dataPath, part)
      process.kill(before, signal)
      const answers = new Set<number>()
      await expect
        .poll(async () => {
          const response = await fetch(`${product.url}/api/session`).catch(() => null)
          if (response) answers.add(response.status)
          const now = (await isAnswered(product)) ? pidIfRunning(dataPath, part) : null
          return now !== null && now !== before
        })
        .toBe(true)
      expect([...answers].filter((status) => status !== 200 && status !== 503)).toEqual([])
      for (const { safeTxHash } of kept)
        expect((await readTransaction(owner, safeTxHash)).confirmations).toHaveLength(1)
    }
    expect(product.output()).toMatch(/PostgreSQL was killed\.\s+It is started again/)
    expect(await product.stop()).toBe(0)
    expect(processesOf(dataPath)).toEqual([])
  })

  test('behavior: one that was stopped goes on, or ends when all is stopped', async () => {
    const dataPath = ownDataPath()
    await using product = await startProduct({ dataPath, configuration: await noChain(), waitFor: 'healthz' })
    process.kill(pidOf(dataPath, 'postgres'), 'SIGSTOP')
    process.kill(pidOf(dataPath, 'server'), 'SIGSTOP')
    expect(await product.stop()).toBe(0)
    expect(processesOf(dataPath)).toEqual([])
  })
})

describe('a launcher that is killed', () => {
  test('behavior: server and devnet end by themselves, though nobody reads what they write', async () => {
    const dataPath = ownDataPath()
    await using product = await startProduct({ dataPath })
    const pids = (['server', 'devnet', 'anvil'] as const).map((part) => pidOf(dataPath, part))
    process.kill(product.pid, 'SIGKILL')
    await expect.poll(() => pids.filter(isRunning), { timeout: 15_000 }).toEqual([])
    // The next start ends the database that was left, and goes on with it.
    await using second = await startProduct({ dataPath })
    expect(await second.stop()).toBe(0)
    expect(processesOf(dataPath)).toEqual([])
  })
})

describe('a server that nobody helps to end', () => {
  const END_MS = 15_000
  const orders = [
    ['is killed in that moment', ['SIGTERM to server', 'SIGKILL']],
    ['hangs', ['SIGSTOP', 'SIGTERM to server']],
    ['was killed just before', ['SIGKILL', 'SIGTERM to server']],
    ['breaks off', ['SIGQUIT', 'SIGTERM to server']],
  ] as const
  test.each(isSoak ? orders : orders.slice(0, 1))(
    'behavior: the server stops in time while PostgreSQL %s',
    async (_, order) => {
      const dataPath = ownDataPath()
      await using product = await startProduct({ dataPath, configuration: await noChain(), waitFor: 'healthz' })
      await expect.poll(() => fetch(`${product.url}/api/session`).then(({ status }) => status)).toBe(200)
      const [server, postgres] = [pidOf(dataPath, 'server'), pidOf(dataPath, 'postgres')]
      const backends = readFileSync(`/proc/${postgres}/task/${postgres}/children`, 'utf8').trim().split(' ').map(Number)
      const asking = new AbortController()
      // Each request listens, and stops to listen when it is collected.
      setMaxListeners(0, asking.signal)
      const asked = Array.from({ length: 8 }, async () => {
        while (!asking.signal.aborted)
          await fetch(`${product.url}/api/session`, { signal: asking.signal, headers: { cookie: 'a=b' } }).catch(() =>
            sleep(20),
          )
      })
      // A launcher that runs would kill it, and start it again.
      process.kill(product.pid, 'SIGSTOP')
      try {
        for (const signal of order)
          if (signal === 'SIGTERM to server') process.kill(server, 'SIGTERM')
          else for (const pid of signal === 'SIGQUIT' ? [postgres] : [...backends, postgres]) send(signal, pid)
        await expect.poll(() => hasEnded(server), { timeout: END_MS }).toBe(true)
      } finally {
        asking.abort()
        await Promise.all(asked)
        for (const pid of [...backends, postgres]) send('SIGCONT', pid)
        process.kill(product.pid, 'SIGCONT')
      }
      await product.stop()
      expect(processesOf(dataPath)).toEqual([])
    },
  )
})

/** Sends a signal to a process of PostgreSQL, which ends its others as soon as one of them is killed. */
function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Its parent is stopped, and does not hear of its end. */
function hasEnded(pid: number): boolean {
  return !isRunning(pid) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('npm start', () => {
  const ends = [
    ['SIGKILL', 'npm alone'],
    // Signals of a terminal on Ctrl-C, and when it is closed.
    ['SIGINT', 'all in its terminal'],
    ['SIGHUP', 'all in its terminal'],
    ['SIGTERM', 'npm alone'],
  ] as const
  test.each(isSoak ? ends : ends.slice(0, 1))(
    'behavior: %s for %s leaves nothing running and nothing locked',
    async (signal, whom) => {
      const dataPath = ownDataPath()
      const configuration = await noChain()
      await using product = await startProduct({ dataPath, configuration, waitFor: 'healthz', hasNpm: true })
      expect(processesOf(dataPath)).not.toEqual([])
      process.kill(whom === 'npm alone' ? product.pid : -product.pid, signal)
      await expect.poll(() => processesOf(dataPath)).toEqual([])
      await expect.poll(() => isGone(product.url)).toBe(true)
      await using second = await startProduct({ dataPath, configuration, waitFor: 'healthz', port: product.port })
      expect(second.output()).not.toMatch(/left its lock|still runs/)
      expect(await second.stop()).toBe(0)
    },
  )
})
