import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from '@countersign/contract'
import { findRunningPostgres, startEmbeddedPostgres } from '../postgres/embedded.ts'
import { lockDirectory } from '../postgres/lock.ts'
import { asRefusal } from '../postgres/refusal.ts'

type Place = { databaseUrl: string | undefined; dataDirectory: string }
type Log = (line: string) => void

/** Lets `work` use the database that has the data: of `DATABASE_URL`, of the product as it runs, or started for this. */
export async function withDatabase<result>(
  place: Place,
  log: Log,
  work: (url: string) => Promise<result>,
): Promise<result> {
  if (place.databaseUrl) return work(place.databaseUrl)
  const directory = join(place.dataDirectory, 'postgres')
  if (!existsSync(directory) && !existsSync(`${directory}.location`))
    throw fail('BACKUP_INVALID', { reason: 'no-data' })
  const running = findRunningPostgres(directory)
  return running ? work(running) : withOwnDatabase(place, log, work)
}

/** Lets `work` use a database that nobody else uses meanwhile; it is made where there is none. */
export async function withOwnDatabase<result>(
  { databaseUrl, dataDirectory }: Place,
  log: Log,
  work: (url: string) => Promise<result>,
): Promise<result> {
  if (databaseUrl) return work(databaseUrl)
  try {
    mkdirSync(dataDirectory, { recursive: true })
  } catch (cause) {
    throw asRefusal(dataDirectory, cause)
  }
  const lock = lockDirectory(dataDirectory, log)
  try {
    const started = await startEmbeddedPostgres({ dataDirectory: join(dataDirectory, 'postgres'), log })
    try {
      return await work(started.url)
    } finally {
      await started.stop()
    }
  } finally {
    lock.release()
  }
}
