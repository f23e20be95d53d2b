import { resolve } from 'node:path'
import type { Finding } from '@countersign/contract'
import { pino } from 'pino'
import { parseEnvironment } from './config/environment.ts'
import { examine } from './doctor/examine.ts'
import { toCountersignError } from './http/errors.ts'
import { type Server, startServer } from './server.ts'
import { toLogEntry } from './to-log-entry.ts'

/** Cookies and signatures never reach a log line; this is for the day that somebody adds one. */
const secrets = ['cookie', 'signature', '*.cookie', '*.signature', '*.authorization', 'headers']

/** Writing each line by itself costs a request as much as a statement does. What is fatal is written at once, as is the rest at the end. */
const lines = pino.destination({ sync: false, minLength: 4_096, maxLength: 8 * 1024 * 1024, periodicFlush: 100 })
const log = pino({ base: { name: 'countersign' }, redact: secrets, timestamp: pino.stdTimeFunctions.isoTime }, lines)

/** A reader of the lines that does not read holds the end up no longer. */
const LAST_LINES_MS = 1_000
/** Nor does anything else, whatever it waits for: who stops this process counts on its end. */
const STOP_MS = 10_000

/**
 * Ends the process when its last lines are written. What is left then is dropped: at the exit pino would try to write it
 * again and again where nobody reads, as when the launcher was killed.
 */
function exit(code: number): void {
  const end = () => {
    lines.destroy()
    process.exit(code)
  }
  setTimeout(end, LAST_LINES_MS)
  lines.flush(end)
}

let server: Server | undefined
let isStopping = false
function stop(signal: string): void {
  if (isStopping) return
  isStopping = true
  log.info({ signal }, 'stopping')
  // A server that is only starting has nothing to bring to an end.
  if (!server) {
    exit(0)
    return
  }
  setTimeout(() => {
    log.error({ milliseconds: STOP_MS }, 'did not stop in time')
    exit(1)
  }, STOP_MS)
  server.stop().then(
    () => exit(0),
    (error) => {
      log.error({ err: toLogEntry(error) }, 'did not stop cleanly')
      exit(1)
    },
  )
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
// The launcher is gone: nobody is left to stop this process.
process.on('disconnect', () => stop('disconnect'))

/**
 * Has the launcher start this process again, where the configuration that it would find has no errors.
 *
 * @throws CountersignError as `parseEnvironment` does
 */
function reload(): void {
  parseEnvironment()
  process.send?.({ type: 'reload' })
}

let examination: Promise<Finding[]> | null = null

/** Looks at what this process stands on, with the configuration as it is now; once at a time, however many ask. */
function examineOnce(databaseUrl: string): Promise<Finding[]> {
  examination ??= examine({
    env: process.env,
    dataDirectory: resolve(process.env.COUNTERSIGN_DATA || 'data'),
    database: { url: databaseUrl },
    now: new Date(),
  }).finally(() => {
    examination = null
  })
  return examination
}

/** The launcher was told to reload. */
process.on('message', (message) => {
  if (typeof message !== 'object' || message === null || !('type' in message) || message.type !== 'reload') return
  try {
    reload()
  } catch (thrown) {
    const error = toCountersignError(thrown)
    process.send?.({ type: 'not-reloaded', code: error.code, message: error.message })
  }
})

try {
  const environment = parseEnvironment()
  log.level = environment.logLevel
  server = await startServer(environment, {
    log,
    reload: process.send ? reload : null,
    examine: () => examineOnce(environment.databaseUrl),
  })
  log.info({ url: server.url.origin }, 'listening')
  process.send?.({ type: 'listening', url: server.url.origin, port: server.port })
} catch (thrown) {
  const error = toCountersignError(thrown)
  log.fatal({ code: error.code, data: error.data, err: toLogEntry(error) }, error.message)
  // The launcher hears of it before the end.
  if (process.send) process.send({ type: 'failed', code: error.code, message: error.message }, () => exit(1))
  else exit(1)
}
