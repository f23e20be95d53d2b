import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fail } from '@countersign/contract'
import { CountersignError } from '@countersign/safe'
import { parseDatabaseFailure } from '../db/failure.ts'
import { faultOfDatabaseUrl } from '../db/one-client.ts'
import { createAnnouncer } from '../launch/announce.ts'
import { withDatabase, withOwnDatabase } from './database.ts'
import { restoreBackup } from './restore-backup.ts'
import { nameBackup, writeBackup } from './write-backup.ts'

/* The program behind `npm run backup` and `npm run restore`. */

const announcer = createAnnouncer(false)

try {
  const [command, path] = process.argv.slice(2)
  const databaseFault = process.env.DATABASE_URL ? faultOfDatabaseUrl(process.env.DATABASE_URL) : null
  if (databaseFault) {
    const errors = [{ path: 'DATABASE_URL', message: databaseFault }]
    throw fail('CONFIGURATION_INVALID', { reason: 'faults', faults: `  DATABASE_URL: ${databaseFault}`, errors })
  }
  const place = {
    databaseUrl: process.env.DATABASE_URL || undefined,
    dataDirectory: resolve(process.env.COUNTERSIGN_DATA || 'data'),
  }
  if (command === 'backup') await backup(place, path)
  else if (command === 'restore' && path) await restore(place, resolve(path))
  else throw fail('BACKUP_INVALID', { reason: 'no-command', given: [command, path].filter(Boolean).join(' ') })
} catch (error) {
  announcer.fail(error instanceof CountersignError ? error : (parseDatabaseFailure(error) ?? error))
  process.exitCode = 1
}

type Place = { databaseUrl: string | undefined; dataDirectory: string }

/** Into a file or a directory that is named, else into `backups` of the data directory. */
async function backup(place: Place, given: string | undefined): Promise<void> {
  const madeAt = new Date()
  const named = resolve(given ?? join(place.dataDirectory, 'backups'))
  const isDirectory = given === undefined || statSync(named, { throwIfNoEntry: false })?.isDirectory()
  const path = isDirectory ? join(named, nameBackup(madeAt)) : named
  const written = await withDatabase(place, announcer.progress, (url) => writeBackup(url, path, madeAt))
  announcer.print(
    [
      '',
      `Backup of ${written.rows} rows in ${written.path}`,
      '',
      `  Size     ${written.bytes} bytes`,
      `  SHA-256  ${written.sha256}`,
      '',
      'It holds who signed in and what each Safe keeps here, no private keys. The configuration file is not part of it.',
    ].join('\n'),
  )
}

async function restore(place: Place, path: string): Promise<void> {
  const options = { migrationsDirectory: process.env.COUNTERSIGN_MIGRATIONS || null, onProgress: announcer.progress }
  const restored = await withOwnDatabase(place, announcer.progress, (url) => restoreBackup(url, path, options))
  announcer.print(
    [
      '',
      `Restored ${restored.rows} rows of ${restored.tables} tables, as of ${restored.madeAt}; each equals the file`,
      '',
      '  Next     npm start',
    ].join('\n'),
  )
}
