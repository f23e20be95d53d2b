import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../context.ts'
import { readChainStatus } from './status.ts'

/** Time after which a probe gets its answer in any case. */
const MAX_WAIT_MS = 1_500
const PAUSE_MS = 200

const databaseStates = { DISK_FULL: 'disk-full', DATABASE_READ_ONLY: 'read-only' } as const

type Readiness = {
  isReady: boolean
  database: 'ok' | 'unreachable' | 'disk-full' | 'read-only'
  /** Why it is not ready. */
  reason?: string
  chains: Record<string, unknown>
}

/**
 * Whether the server can answer requests and write changes. An unreachable chain does not make it unready. It is unready if every
 * node that answers is stuck.
 */
export function createReadiness(deps: Deps): () => Promise<Readiness> {
  let looking: ReturnType<typeof look> | undefined

  async function look() {
    await deps.writes.tryAgain()
    return readChainStatus(deps)
  }

  function areAllStuck(): boolean {
    const there = [...deps.chains].filter(([, { status }]) => status === 'ok')
    return there.length > 0 && there.every(([chainId]) => deps.stuckChains().has(chainId))
  }

  return async () => {
    // However often it is asked, the database is asked a few times a second, and one that hangs once.
    looking ??= look().finally(() => {
      setTimeout(() => {
        looking = undefined
      }, PAUSE_MS).unref()
    })
    const found = await Promise.race([looking, sleep(MAX_WAIT_MS, null)]).catch(() => null)
    if (!found)
      return {
        isReady: false,
        database: 'unreachable',
        reason: 'The database does not answer.',
        chains: Object.fromEntries([...deps.chains].map(([chainId, { status }]) => [chainId, { node: status }])),
      }
    const chains = Object.fromEntries(
      found.map(({ chainId, node, cursor, head, lag, stoppedAt, failure }) => [
        chainId,
        {
          node: deps.stuckChains().has(chainId) ? 'stuck' : node,
          cursorBlock: cursor?.blockNumber ?? null,
          headBlock: head?.blockNumber ?? null,
          lagSeconds: lag?.seconds ?? null,
          stoppedAt,
          failure: failure?.code ?? null,
        },
      ]),
    )
    const failure = deps.writes.failure()
    if (!failure && areAllStuck())
      return {
        isReady: false,
        database: 'ok',
        reason: 'The nodes answer, and do not do what is asked of them.',
        chains,
      }
    if (!failure) return { isReady: true, database: 'ok', chains }
    return { isReady: false, database: databaseStates[failure.code], reason: failure.sentence, chains }
  }
}
