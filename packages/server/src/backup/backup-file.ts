import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { fail } from '@countersign/contract'
import { z } from 'zod'

/**
 * A backup is text, compressed by gzip: a line of JSON that says what follows, then each table as PostgreSQL's `COPY`
 * writes it, ended by a line `\.`, and a last line of JSON with the number of rows and the SHA-256 of each table. So it can
 * be read without this program, and a file that was cut off or changed is known before anything is restored.
 */
export const FORMAT = 1

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)

export const backupHeader = z.strictObject({
  countersignBackup: z.literal(FORMAT),
  madeAt: z.iso.datetime(),
  installation: z.string(),
  /** When the newest migration of the schema was made, in milliseconds since 1970: the schema of the tables below. */
  newestMigration: z.number().int(),
  /** In an order in which each comes after those that it refers to. */
  tables: z.array(z.strictObject({ name, columns: z.array(name).min(1) })).min(1),
  sequences: z.array(z.strictObject({ name, lastValue: z.string().regex(/^\d{1,19}$/) })),
})
export type BackupHeader = z.output<typeof backupHeader>

/** Rows and SHA-256 of each table, by its name. */
export const tableSums = z.record(name, z.strictObject({ rows: z.number().int(), sha256: z.string() }))
export type TableSums = z.output<typeof tableSums>

const backupEnd = z.strictObject({ tables: tableSums })

/** Written after the rows of a table; a row that says the same is escaped by `COPY`. */
export const END_OF_TABLE = '\\.\n'

/** Counts the rows of one table as `COPY` writes them, and hashes them. */
export class TableSum {
  rows = 0
  readonly #hash: Hash = createHash('sha256')

  add(chunk: Buffer): void {
    this.#hash.update(chunk)
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) this.rows += 1
  }

  result(): TableSums[string] {
    return { rows: this.rows, sha256: this.#hash.digest('hex') }
  }
}

/** Takes the parts of a backup in the order of the file. */
export type BackupReader = {
  header?(header: BackupHeader): Promise<void>
  /** Whole lines of a table, some at a time. */
  rows?(table: string, lines: Buffer): Promise<void>
  endOfTable?(table: string): Promise<void>
}

const MAX_HEADER_BYTES = 1024 * 1024

/**
 * Reads a whole backup and compares what it holds with what its end says.
 *
 * @throws CountersignError `BACKUP_INVALID` naming what is wrong with the file.
 */
export async function readBackup(
  path: string,
  reader: BackupReader,
): Promise<{ header: BackupHeader; sums: TableSums }> {
  const lines = new LineBatches(path)
  try {
    const first = await lines.line(MAX_HEADER_BYTES)
    const header = parseLine(backupHeader, first, path, 'not-a-backup')
    await reader.header?.(header)
    const sums: TableSums = {}
    for (const table of header.tables) {
      const sum = new TableSum()
      for (;;) {
        const batch = await lines.untilEndOfTable()
        if (batch === null) break
        sum.add(batch)
        await reader.rows?.(table.name, batch)
      }
      sums[table.name] = sum.result()
      await reader.endOfTable?.(table.name)
    }
    const end = parseLine(backupEnd, await lines.line(MAX_HEADER_BYTES), path, 'cut-off')
    for (const { name } of header.tables) {
      const told = end.tables[name]
      if (told?.rows !== sums[name]?.rows || told?.sha256 !== sums[name]?.sha256)
        throw fail('BACKUP_INVALID', { reason: 'changed', file: path, table: name })
    }
    if (!(await lines.isAtEnd())) throw fail('BACKUP_INVALID', { reason: 'changed', file: path, table: 'the end' })
    return { header, sums }
  } finally {
    lines.close()
  }
}

function parseLine<schema extends z.ZodType>(
  schema: schema,
  line: Buffer | null,
  file: string,
  reason: 'not-a-backup' | 'cut-off',
): z.output<schema> {
  if (line === null) throw fail('BACKUP_INVALID', { reason: 'cut-off', file })
  try {
    return schema.parse(JSON.parse(line.toString('utf8')))
  } catch (cause) {
    throw fail('BACKUP_INVALID', { reason, file }, cause)
  }
}

/** The lines of a compressed file, taken one by one or as many as have arrived. */
class LineBatches {
  readonly #path: string
  readonly #source: Readable
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(path: string) {
    this.#path = path
    const file = createReadStream(path)
    const unpacked = createGunzip()
    file.on('error', (error) => unpacked.destroy(error))
    this.#source = file.pipe(unpacked)
    this.#chunks = this.#source[Symbol.asyncIterator]()
  }

  /** The next line without its end; null where the file ends. */
  async line(maxBytes: number): Promise<Buffer | null> {
    for (;;) {
      const end = this.#rest.indexOf(10)
      if (end >= 0) return this.#take(end + 1).subarray(0, end)
      if (this.#rest.length > maxBytes) throw fail('BACKUP_INVALID', { reason: 'not-a-backup', file: this.#path })
      if (!(await this.#more())) return null
    }
  }

  /** Whole lines, at least one; null after the line that ends a table. */
  async untilEndOfTable(): Promise<Buffer | null> {
    for (;;) {
      if (this.#rest.subarray(0, END_OF_TABLE.length).equals(endOfTable)) {
        this.#take(END_OF_TABLE.length)
        return null
      }
      const marker = this.#rest.indexOf(`\n${END_OF_TABLE}`)
      const end = marker >= 0 ? marker : this.#rest.lastIndexOf(10)
      // A part of the line that ends the table may be here already.
      if (end >= 0) return this.#take(end + 1)
      if (!(await this.#more())) throw fail('BACKUP_INVALID', { reason: 'cut-off', file: this.#path })
    }
  }

  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && !(await this.#more())
  }

  close(): void {
    this.#source.destroy()
  }

  #take(bytes: number): Buffer {
    const taken = this.#rest.subarray(0, bytes)
    this.#rest = this.#rest.subarray(bytes)
    return taken
  }

  async #more(): Promise<boolean> {
    try {
      const { done, value } = await this.#chunks.next()
      if (done) return false
      this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
      return true
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
      if (code === 'Z_BUF_ERROR') throw fail('BACKUP_INVALID', { reason: 'cut-off', file: this.#path }, cause)
      if (code.startsWith('Z_')) throw fail('BACKUP_INVALID', { reason: 'not-a-backup', file: this.#path }, cause)
      throw fail('BACKUP_INVALID', { reason: 'unreadable', file: this.#path, systemError: code }, cause)
    }
  }
}

const endOfTable = Buffer.from(END_OF_TABLE)
