import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Journal = { entries: { when: number; tag: string }[] }

/** When the newest migration of a directory was made, in milliseconds since 1970. */
export function newestMigration(directory: string): number {
  return Math.max(0, ...readJournal(directory).entries.map(({ when }) => when))
}

/** Gives a directory of the migrations as they were when one of them was the newest; it is removed afterwards. */
export async function withMigrationsUntil<result>(
  directory: string,
  newest: number,
  use: (directory: string) => Promise<result>,
): Promise<result> {
  const journal = readJournal(directory)
  const entries = journal.entries.filter(({ when }) => when <= newest)
  const place = mkdtempSync(join(tmpdir(), 'countersign-migrations-'))
  try {
    mkdirSync(join(place, 'meta'))
    for (const { tag } of entries) copyFileSync(join(directory, `${tag}.sql`), join(place, `${tag}.sql`))
    writeFileSync(join(place, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }))
    return await use(place)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function readJournal(directory: string): Journal {
  return JSON.parse(readFileSync(join(directory, 'meta', '_journal.json'), 'utf8'))
}
