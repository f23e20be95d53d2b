import { fail } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import pg from 'pg'
import { parseDatabaseFailure } from './failure.ts'

const CONNECT_MS = 10_000

/** Says what is wrong with a DATABASE_URL, without its password; null where PostgreSQL can be asked for by it. */
export function faultOfDatabaseUrl(url: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(url)) return url ? 'must be a postgres:// URL' : 'is required'
  try {
    new pg.Client({ connectionString: url })
    return null
  } catch (error) {
    return `cannot be used: ${error instanceof Error ? error.message : 'unknown'}`
  }
}

/**
 * Opens one connection, for work that takes its time. A database that takes no connection, or goes away in the middle without a
 * word, is not waited for without end.
 *
 * @throws CountersignError `DATABASE_UNAVAILABLE`
 */
export async function openClient(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  })
  // Said by the statement that was running.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw explainFailure(error, client)
  }
}

/** Refusals by PostgreSQL that the operator has to mend, by their code. */
const refusals: Record<string, 'role-refused' | 'password-refused' | 'no-database' | 'not-owner'> = {
  '28000': 'role-refused',
  '28P01': 'password-refused',
  '3D000': 'no-database',
  '42501': 'not-owner',
}

/** Explains what PostgreSQL refuses for good; null for anything else. */
export function refusalOf(error: unknown, { user, database }: pg.Client): CountersignError | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const reason = 'code' in at && typeof at.code === 'string' ? refusals[at.code] : undefined
    if (reason === undefined) continue
    return fail('DATABASE_UNAVAILABLE', { reason, role: user ?? '', database: database ?? '' }, error)
  }
  return null
}

/** Explains a failure of work with one connection where it is the database's; anything else is as it was. */
export function explainFailure(error: unknown, client: pg.Client): unknown {
  if (error instanceof CountersignError) return error
  return refusalOf(error, client) ?? parseDatabaseFailure(error) ?? error
}
