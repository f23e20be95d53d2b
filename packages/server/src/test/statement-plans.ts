import pg from 'pg'

/*
 * Checks how PostgreSQL would run a server's statements on large tables. No statement may scan a whole table.
 */

/** Tables that stay small however long a server runs and whatever clients send. */
const SMALL_TABLES = new Set([
  'installation',
  'outbox_epoch',
  'outbox_reader',
  'chain_cursor',
  'chain_follower',
  'chain_header',
  'node_limit',
  'token_list',
])
/** Partial indexes of pending rows, which leave the index once they are processed. */
const SMALL_INDEXES = new Set([
  'safe_stale',
  'safe_backfill',
  'safe_ahead',
  'confirmation_ahead',
  'history_entry_unexplained',
  'webhook_delivery_due',
  'multisig_transaction_unsigned',
  'multisig_transaction_unread_payments',
])
/** Row counts in the statistics of each growing table and each small index. */
const ROWS = 1_000_000
const FEW_ROWS = 100
/** Columns that are set in the rows of the small indexes. */
const MOSTLY_NULL = ['backfill_block', 'block_hash', 'verified_block_hash', 'after_block', 'due_at']

/** Statements that may read all Safes of a chain, with the reason. */
const EXCEPTIONS = [
  // Once when following begins: which Safes are followed.
  /^select '0x' \|\| encode\("address", 'hex'\) from "safe" where \("safe"."chain_id" = \$1 and \("safe"."backfill_block" is null or/,
  // In the order of addresses and only as far as a round goes; nearly all are behind when the chain has a new block.
  /"compared_block" is null or "safe"."compared_block" < .* order by "safe"."address" limit/,
  // Once for each reorganisation: the Safes that were read in lost blocks, whichever they are.
  /^\s*update safe set is_stale = true/,
  /^\s*delete from safe where chain_id = \$1 and created_block > /,
  // When the operator has a chain read again.
  /^\s*delete from confirmation c using multisig_transaction t\s+where c.chain_id = \$1 and c.verified_block is null/,
  // Once an hour: accounts with too many sessions, delegates and viewers of former owners.
  /^\s*delete from session where token_hash in/,
  /^\s*delete from (?:delegate d|viewer v) using safe s/,
]

type Watch = { statements: Set<string>; stop: () => void }

/** Collects the text of each later statement of a database. */
export function watchStatements(): Watch {
  const statements = new Set<string>()
  const { query } = pg.Client.prototype
  const given = query as (this: pg.Client, ...rest: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...rest: unknown[]) {
    const [first] = rest
    const text = typeof first === 'string' ? first : (first as { text?: unknown } | null)?.text
    if (typeof text === 'string' && /^\s*(?:select|insert|update|delete|with)\b/i.test(text)) statements.add(text)
    return given.apply(this, rest)
  } as typeof query
  return {
    statements,
    stop: () => {
      pg.Client.prototype.query = query
    },
  }
}

/** A scan of a large table, and the statement that makes it. */
export type Scan = { scan: string; statement: string }

/**
 * Finds the statements that scan a large table, or all rows of one chain in it. Null if the database cannot plan statements
 * without values, or does not allow changes to its statistics.
 */
export async function findScans(databaseUrl: string, statements: Iterable<string>): Promise<Scan[] | null> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ version: number; is_super: boolean }>(
      `select current_setting('server_version_num')::int as version, rolsuper as is_super from pg_roles where rolname = current_user`,
    )
    if (!rows[0]?.is_super || rows[0].version < 180_000) return null
    await client.query('begin')
    const tables = await pretendLarge(client)
    const found: Scan[] = []
    for (const statement of withoutRepetitions(statements)) {
      if (EXCEPTIONS.some((known) => known.test(statement))) continue
      await client.query('savepoint one')
      const plan = await client
        .query<{ 'QUERY PLAN': { Plan: Node }[] }>(`explain (generic_plan, format json) ${statement}`)
        .then((result) => result.rows[0]?.['QUERY PLAN'][0]?.Plan)
        .catch((error: Error) => error)
      if (plan instanceof Error) found.push({ scan: `no plan: ${plan.message}`, statement })
      else for (const scan of plan ? scansOf(plan, tables) : []) found.push({ scan, statement })
      await client.query('rollback to savepoint one')
    }
    return found
  } finally {
    await client.query('rollback').catch(() => {})
    await client.end()
  }
}

/** Normalises a statement, so that statements that differ only in the number of values are equal. */
function withoutRepetitions(statements: Iterable<string>): string[] {
  const byForm = new Map<string, string>()
  for (const statement of statements)
    byForm.set(
      statement
        .replace(/\$\d+/g, '$')
        .replace(/(\(?(?:\$|default)(?:::\w+)?\)?, ?)+/g, '')
        .replace(/\s+/g, ' '),
      statement,
    )
  return [...byForm.values()]
}

/** Gives every growing table a row and the statistics of a million, until the transaction ends. Returns tables by index. */
async function pretendLarge(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; columns: string; values: string }>(`
    select c.relname as name,
      string_agg(quote_ident(a.attname), ', ') as columns,
      string_agg(case format_type(a.atttypid, null)
        when 'bytea' then '''\\x01''' when 'timestamp with time zone' then 'now()' when 'boolean' then 'false'
        when 'text' then '''x''' when 'jsonb' then '''{}''' when 'bytea[]' then '''{}''' when 'text[]' then '''{}'''
        else '1' end, ', ') as values
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by c.relname`)
  await client.query('set local session_replication_role = replica')
  for (const { name, columns, values } of rows)
    if (!SMALL_TABLES.has(name))
      await client.query(
        `insert into ${name} (${columns}) overriding system value values (${values}) on conflict do nothing`,
      )
  await client.query('set local session_replication_role = origin')
  await client.query(
    `update pg_class set reltuples = case when relname = any($2) then $3::real else $1::real end,
       relpages = greatest(1, pg_relation_size(oid) / 8192)
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
    [ROWS, [...SMALL_TABLES, ...SMALL_INDEXES], FEW_ROWS],
  )
  await client.query(
    `select pg_restore_attribute_stats('schemaname', 'public', 'relname', c.relname::text, 'attname', a.attname::text,
       'inherited', false, 'null_frac', case when a.attname = any($1) then 0.9999 when a.attnotnull then 0 else 0.5 end::real, 'avg_width', 32,
       'n_distinct', case
         when a.attname = 'chain_id' then 1
         when a.attname like '%hash' or a.attname in ('id', 'nonce') or a.attname like '%id' or c.relname = 'safe' and a.attname = 'address' then -1
         when format_type(a.atttypid, null) = 'bytea' then 0.1 * -1 else 0.5 * -1 end::real)
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and (a.attname like '%id' or format_type(a.atttypid, null) in ('bytea', 'bigint', 'timestamp with time zone'))`,
    [MOSTLY_NULL],
  )
  const indexes = await client.query<{ index: string; table: string }>(
    'select indexrelid::regclass::text as index, indrelid::regclass::text as table from pg_index',
  )
  return new Map(indexes.rows.map(({ index, table }) => [index, table]))
}

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Node[]
}

function scansOf(node: Node, tables: ReadonlyMap<string, string>): string[] {
  const { 'Node Type': type, 'Index Name': index, 'Index Cond': condition = '' } = node
  const table = node['Relation Name'] ?? tables.get(index ?? '')
  const below = (node.Plans ?? []).flatMap((plan) => scansOf(plan, tables))
  if (
    !table ||
    /^pg_|^__drizzle/.test(table) ||
    SMALL_TABLES.has(table) ||
    !/Scan$/.test(type) ||
    type === 'Bitmap Heap Scan'
  )
    return below
  if (index && SMALL_INDEXES.has(index)) return below
  if (type === 'Seq Scan') return [...below, `Seq Scan on ${table}`]
  // Columns of the condition. A condition on the chain only reads all rows of that chain.
  const columns = new Set(condition.match(/\b[a-z_]+\b(?= (?:=|<|>|<=|>=|<>|@>|&&|IS))/g) ?? [])
  columns.delete('chain_id')
  return columns.size > 0 || (condition !== '' && !condition.includes('chain_id ='))
    ? below
    : [...below, `${type} of all of ${table} by ${index}`]
}
