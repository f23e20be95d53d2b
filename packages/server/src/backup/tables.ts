import type pg from 'pg'
import type { BackupHeader } from './backup-file.ts'

type Table = BackupHeader['tables'][number]

/** Times and bytes in one form, whatever the database or its operator prefers. */
export const COPY_SETTINGS = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 1; set statement_timeout = 0; set lock_timeout = '10s'`

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/**
 * The tables that hold something worth keeping, each after those that it refers to, with the columns that are stored and
 * not computed. Unlogged tables lose their rows at a crash anyway and are left out.
 */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`)
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select s.relname as from, t.relname as to
    from pg_constraint k join pg_class s on s.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and s.relnamespace = 'public'::regnamespace and s.oid <> t.oid`)
  const sorted: Table[] = []
  const left = [...tables]
  while (left.length > 0) {
    const at = left.findIndex(({ name }) =>
      references.every(({ from, to }) => from !== name || !left.some((table) => table.name === to)),
    )
    const [next] = left.splice(Math.max(at, 0), 1)
    if (next) sorted.push(next)
  }
  return sorted
}

/** The last value that each sequence has given. */
export async function listSequences(client: pg.ClientBase): Promise<BackupHeader['sequences']> {
  const { rows } = await client.query<BackupHeader['sequences'][number]>(`
    select sequencename::text as name, last_value::text as "lastValue" from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`)
  return rows
}

/** A statement that writes a table in the order of its key, the same on every database. */
export async function copyToText(client: pg.ClientBase, { name, columns }: Table): Promise<string> {
  const { rows: key } = await client.query<{ name: string; isText: boolean }>(
    `select a.attname as name, a.attcollation <> 0 as "isText"
     from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indrelid = ('public.' || quote_ident($1))::regclass and i.indisprimary
     order by array_position(i.indkey::int2[], a.attnum)`,
    [name],
  )
  const order = key.map((column) => `${quote(column.name)}${column.isText ? ' collate "C"' : ''}`).join(', ')
  return `copy (select ${columns.map(quote).join(', ')} from public.${quote(name)} order by ${order || columns.map(quote).join(', ')}) to stdout`
}

/** A statement that reads a table as `copyToText` wrote it. */
export function copyFromText({ name, columns }: Table): string {
  return `copy public.${quote(name)} (${columns.map(quote).join(', ')}) from stdin`
}
