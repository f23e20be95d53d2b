import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import type { Logger } from 'pino'
import { parseDatabaseFailure } from './db/failure.ts'
import { toCountersignError, toProblem } from './http/errors.ts'
import { toLogEntry } from './to-log-entry.ts'

const RETRY_MS = 1_000

/**
 * Does what a start needs the database for, again and again while that is away: a database that is started later, or
 * anew, finds the server there. What PostgreSQL refuses does not get better by waiting.
 *
 * @throws whatever else `work` fails with
 */
export async function whenDatabaseIsThere<result>(work: () => Promise<result>, log: Logger): Promise<result> {
  let isTold = false
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof CountersignError || parseDatabaseFailure(error)?.code !== 'DATABASE_UNAVAILABLE') throw error
      if (!isTold) log.warn({ err: toLogEntry(error) }, 'waiting for the database')
      isTold = true
      await sleep(RETRY_MS)
    }
  }
}

/** Answers every request until then: the process is alive, but cannot serve yet. */
export function answerWhileStarting(request: Request): Response {
  const { pathname } = new URL(request.url)
  if (pathname === '/healthz') return new Response('ok\n')
  const error = toCountersignError(fail('DATABASE_UNAVAILABLE', { reason: 'silent' }))
  const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store', 'retry-after': '2' }
  if (pathname !== '/readyz')
    return new Response(JSON.stringify(toProblem(error, randomUUID())), { status: 503, headers })
  const facts = { database: 'unreachable', reason: error.message, chains: {} }
  return new Response(JSON.stringify(facts), {
    status: 503,
    headers: { ...headers, 'content-type': 'application/json' },
  })
}
