import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UI_TIMEOUT_MS } from '../browser/ui-timeout.ts'
import { makeDataPath, type Product, processesOf, startProduct } from './product.ts'

/** Names the directory in which the processes of one run of the tests note the products that their files share. */
const DIRECTORY = 'COUNTERSIGN_TEST_PRODUCTS'

let shared: Promise<Product> | undefined

/** The product that the files of this process share, one after the other; outside of tests one of the caller's own. */
export function sharedProduct(): { product: Promise<Product>; isShared: boolean } {
  const directory = process.env[DIRECTORY]
  if (!directory) return { product: startProduct(), isShared: false }
  shared ??= start(directory).catch((error) => {
    shared = undefined
    throw error
  })
  return { product: shared, isShared: true }
}

async function start(directory: string): Promise<Product> {
  const dataPath = makeDataPath()
  // Receivers of webhooks are on this machine.
  const env = { COUNTERSIGN_WEBHOOK_NETWORKS: '127.0.0.0/8' }
  const product = await startProduct({ dataPath, env }).catch((error) => {
    rmSync(dataPath, { recursive: true, force: true })
    throw error
  })
  writeFileSync(join(directory, String(product.pid)), dataPath)
  return product
}

/** Tells the processes of a run where to note what they share. @returns what ends all of it, since no file knows that it is the last */
export function noteSharedProducts(): () => Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-shared-'))
  process.env[DIRECTORY] = directory
  return async () => {
    await Promise.all(readdirSync(directory).map((pid) => end(Number(pid), readFileSync(join(directory, pid), 'utf8'))))
    rmSync(directory, { recursive: true, force: true })
  }
}

async function end(pid: number, dataPath: string): Promise<void> {
  const deadline = Date.now() + UI_TIMEOUT_MS
  if (isLauncher(pid)) process.kill(pid, 'SIGTERM')
  while (Date.now() < deadline && (processesOf(dataPath).length > 0 || isLauncher(pid))) await sleep(50)
  rmSync(dataPath, { recursive: true, force: true, maxRetries: 5 })
}

/** Whether the process runs; where that can be seen, whether it still is the one that was noted. */
function isLauncher(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc') || readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('launch.js')
  } catch {
    return false
  }
}
