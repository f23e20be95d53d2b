import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createAnnouncer } from '../launch/announce.ts'
import { findRunningPostgres } from '../postgres/embedded.ts'
import { examine } from './examine.ts'
import { describeFindings } from './finding.ts'

/* The program behind `npm run doctor`. It starts nothing: an embedded database is looked at while the product runs. */

const announcer = createAnnouncer(false)

try {
  const dataDirectory = resolve(process.env.COUNTERSIGN_DATA || 'data')
  const { DATABASE_URL: url } = process.env
  const database = url ? { url } : findEmbedded(dataDirectory)
  const findings = await examine({ env: process.env, dataDirectory, database, now: new Date() })
  announcer.print(describeFindings(findings))
  process.exitCode = findings.some(({ level }) => level === 'fault') ? 1 : 0
} catch (error) {
  announcer.fail(error)
  process.exitCode = 2
}

function findEmbedded(dataDirectory: string): { url: string } | 'none' | 'stopped' {
  const directory = join(dataDirectory, 'postgres')
  if (!existsSync(directory) && !existsSync(`${directory}.location`)) return 'none'
  const url = findRunningPostgres(directory)
  return url === null ? 'stopped' : { url }
}
