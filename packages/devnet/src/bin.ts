import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fail } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { seedQueue } from './seed-queue.ts'
import { type Devnet, startDevnet } from './start.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8545' },
    state: { type: 'string' },
    'chain-id': { type: 'string', default: '31337' },
  },
})

let devnet: Devnet | undefined
let isStopping = false

async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  await starting.catch(() => {})
  await devnet?.close()
  process.exit(0)
}

function report(message: Record<string, unknown>): void {
  // The launcher may be gone already; then its disconnect ends us.
  if (process.connected) process.send?.(message, () => {})
  else if (!process.send) console.log(JSON.stringify(message))
}

function exitWith(error: unknown): void {
  const { code, message } = error instanceof CountersignError ? error : { code: 'INTERNAL', message: String(error) }
  report({ type: 'failed', code, message })
}

/**
 * Existing data stays as it is, so that a second try is possible: a machine may be too busy at first for its own
 * limits.
 */
async function seed(serverUrl: string, triesLeft = 3): Promise<void> {
  try {
    if (devnet) await seedQueue({ serverUrl, devnet })
    report({ type: 'seeded' })
  } catch (error) {
    if (triesLeft === 0 || isStopping) return exitWith(error)
    await sleep(2_000)
    await seed(serverUrl, triesLeft - 1)
  }
}

process.on('SIGTERM', stop)
process.on('SIGINT', stop)
process.on('disconnect', stop)
process.on('message', (message: unknown) => {
  if (typeof message !== 'object' || message === null || !('type' in message)) return
  if (message.type === 'seed' && 'serverUrl' in message) void seed(String(message.serverUrl))
})

const starting = startDevnet({
  port: Number(values.port),
  chainId: Number(values['chain-id']),
  ...(values.state ? { statePath: resolve(values.state) } : {}),
  log: (text) => report({ type: 'progress', text }),
})

try {
  devnet = await starting
  const { rpcUrl, chainId, port, accounts, tokens, knownTokens, nameRegistry, demoSafe, fresh } = devnet
  report({
    type: 'ready',
    rpcUrl,
    chainId,
    port,
    accounts: accounts.map(({ address }) => ({ address })),
    tokens,
    knownTokens,
    nameRegistry,
    demoSafe,
    fresh,
  })
  await devnet.exited
  if (!isStopping) {
    exitWith(fail('CHAIN_UNREACHABLE', { reason: 'devnet-ended', rpcUrl }))
    process.exit(1)
  }
} catch (error) {
  exitWith(error)
  process.exit(1)
}
