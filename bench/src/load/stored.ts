import type { SafeAt } from '@countersign/e2e'
import pg from 'pg'

/** Transactions of one Safe that are open while lists and writes are measured. */
export const QUEUED = 1_000
/** The token that every second transaction moves, and one that hardly any does; to whom every second goes, and hardly any. */
export const COMMON = 'common'
export const RARE = 'rare'

/** An address by its name, as PostgreSQL writes it. */
const named = (name: string) => `substr(sha256((${name})::bytea), 1, 20)`
const zero = `decode(repeat('00', 20), 'hex')`
const columns = `chain_id, safe_tx_hash, safe_address, "to", value, data, operation, safe_tx_gas, base_gas, gas_price,
  gas_token, refund_receiver, nonce, proposer, submission_date`

/**
 * Fills the history of a Safe with executed transactions, each with two confirmations, its entry and a transfer, and its
 * queue with open ones: as rows, since what is measured is how the product finds its way among them. One in a hundred
 * failed, another one in a hundred has no confirmation, one in a thousand goes to `RARE`.
 */
export async function storeTransactions(databaseUrl: string, safe: SafeAt, executed: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const place = [safe.chainId, Buffer.from(safe.safeAddress.slice(2), 'hex')]
  const rows = [...place, executed]
  const time = `timestamptz '2026-01-01' + n * interval '1 minute'`
  const recipient = `case when n % 2 = 0 then '${COMMON}' when n % 1000 = 1 then '${RARE}' else 'recipient ' || n % 5000 end`
  try {
    // These rows keep all foreign keys, so they are not checked.
    await client.query(`set session_replication_role = replica`)
    // An index that is made of all rows at once takes a fraction of one that grows by each of them.
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
       where indrelid = any(array['multisig_transaction', 'confirmation', 'history_entry', 'safe_message']::regclass[])
         and not exists (select from pg_constraint where conindid = indexrelid)`,
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    await client.query(`set maintenance_work_mem = '256MB'`)
    await client.query(
      `insert into multisig_transaction (${columns}, is_executed, is_successful, transaction_hash, executor,
         executed_confirmations, block_number, block_hash, log_index, execution_date, is_confirmed)
       select $1, sha256(('executed ' || n)::bytea), $2, ${named(recipient)}, case when n % 2 = 0 then 0 else n end,
         ''::bytea, 0, 0, 0, 0, ${zero}, ${zero}, 1000000000 + n, ${named(`'owner'`)}, ${time}, true, n % 100 <> 0,
         sha256(('sent ' || n)::bytea), ${named(`'owner'`)}, 2, 1, sha256('block'::bytea), 3 * n, ${time}, n % 100 <> 1
       from generate_series(1, $3::int) as n`,
      rows,
    )
    await client.query(
      `insert into confirmation (chain_id, safe_tx_hash, owner, signature, signature_type, submission_date)
       select $1, sha256(('executed ' || n)::bytea), ${named('owner::text')}, decode(repeat('ab', 65), 'hex'), 'EOA', ${time}
       from generate_series(1, $2::int) as n, generate_series(1, 2) as owner where n % 100 <> 1`,
      [safe.chainId, executed],
    )
    await client.query(
      `insert into history_entry (chain_id, safe_address, block_number, log_index, part, kind, block_time,
         transaction_hash, safe_tx_hash, is_successful)
       select $1, $2, 1, 3 * n, 0, 'executed', ${time}, sha256(('sent ' || n)::bytea),
         sha256(('executed ' || n)::bytea), n % 100 <> 0
       from generate_series(1, $3::int) as n`,
      rows,
    )
    await client.query(
      `insert into history_entry (chain_id, safe_address, block_number, log_index, part, kind, block_time,
         transaction_hash, token, token_kind, counterparty, amount)
       select $1, $2, 1, 3 * n - 1, 0, case when n % 3 = 0 then 'transfer-in' else 'transfer-out' end, ${time},
         sha256(('sent ' || n)::bytea),
         case when n % 2 = 0 then ${named(`case when n % 1000 = 0 then '${RARE}' else '${COMMON}' end`)} end,
         case when n % 2 = 0 then 'erc20' else 'native' end, ${named(recipient)}, n
       from generate_series(1, $3::int) as n`,
      rows,
    )
    await client.query(
      `insert into history_entry (chain_id, safe_address, block_number, log_index, part, kind, block_time,
         transaction_hash, is_successful, subject, counterparty, amount, data, operation)
       select $1, $2, 1, 3 * n - 2, 0, 'module-executed', ${time}, sha256(('by module ' || n)::bytea), true,
         ${named(`'module'`)}, ${named(`'recipient ' || n % 5000`)}, 0, ''::bytea, 0
       from generate_series(1, $3::int, 10) as n`,
      rows,
    )
    await client.query(
      `insert into multisig_transaction (${columns})
       select $1, sha256(('queued ' || n)::bytea), $2, ${named('n::text')}, n, ''::bytea, 0, 0, 0, 0, ${zero}, ${zero},
         2000000000 + n, ${named(`'owner'`)}, timestamptz '2026-01-01'
       from generate_series(1, $3::int) as n`,
      [...place, QUEUED],
    )
    await client.query(
      `insert into safe_message (chain_id, message_hash, safe_address, content, proposer, submission_date, modified_date)
       select $1, sha256(('message ' || n)::bytea), $2, '"hello"', ${named(`'owner'`)}, ${time}, ${time}
       from generate_series(1, $3::int, 10) as n`,
      rows,
    )
    for (const { definition } of indexes) await client.query(definition)
    // As the database does by itself in its time.
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
