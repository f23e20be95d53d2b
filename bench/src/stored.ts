import type { SafeAt } from '@countersign/e2e'
import pg from 'pg'

/** Transactions of one Safe that are open while lists and writes are measured. */
export const QUEUED = 1_000

/**
 * Fills the history of a Safe with executed transactions, each with two confirmations and its entry, and its queue with
 * open ones: as rows, since what is measured is how the product finds its way among them.
 */
export async function storeTransactions(databaseUrl: string, safe: SafeAt, executed: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const place = [safe.chainId, Buffer.from(safe.safeAddress.slice(2), 'hex')]
  try {
    await client.query(
      `insert into multisig_transaction (chain_id, safe_tx_hash, safe_address, "to", value, data, operation, safe_tx_gas,
         base_gas, gas_price, gas_token, refund_receiver, nonce, proposer, submission_date, is_executed, is_successful,
         transaction_hash, executor, executed_confirmations, block_number, block_hash, log_index, execution_date)
       select $1, sha256(('executed ' || n)::bytea), $2, substr(sha256(n::text::bytea), 1, 20), n, ''::bytea, 0, 0, 0, 0,
         decode(repeat('00', 20), 'hex'), decode(repeat('00', 20), 'hex'), 1000000000 + n,
         substr(sha256('owner'::bytea), 1, 20), at, true, true, sha256(('sent ' || n)::bytea),
         substr(sha256('owner'::bytea), 1, 20), 2, 1, sha256('block'::bytea), n, at
       from generate_series(1, $3::int) as n, lateral (select timestamptz '2026-01-01' + n * interval '1 second' as at)`,
      [...place, executed],
    )
    await client.query(
      `insert into confirmation (chain_id, safe_tx_hash, owner, signature, signature_type, submission_date)
       select $1, sha256(('executed ' || n)::bytea), substr(sha256(owner::text::bytea), 1, 20),
         decode(repeat('ab', 65), 'hex'), 'EOA', timestamptz '2026-01-01'
       from generate_series(1, $2::int) as n, generate_series(1, 2) as owner`,
      [safe.chainId, executed],
    )
    await client.query(
      `insert into history_entry (chain_id, safe_address, block_number, log_index, part, kind, block_time,
         transaction_hash, safe_tx_hash, is_successful)
       select $1, $2, 1, n, 0, 'executed', timestamptz '2026-01-01' + n * interval '1 second',
         sha256(('sent ' || n)::bytea), sha256(('executed ' || n)::bytea), true
       from generate_series(1, $3::int) as n`,
      [...place, executed],
    )
    await client.query(
      `insert into multisig_transaction (chain_id, safe_tx_hash, safe_address, "to", value, data, operation, safe_tx_gas,
         base_gas, gas_price, gas_token, refund_receiver, nonce, proposer, submission_date)
       select $1, sha256(('queued ' || n)::bytea), $2, substr(sha256(n::text::bytea), 1, 20), n, ''::bytea, 0, 0, 0, 0,
         decode(repeat('00', 20), 'hex'), decode(repeat('00', 20), 'hex'), 1000000 + n,
         substr(sha256('owner'::bytea), 1, 20), timestamptz '2026-01-01'
       from generate_series(1, $3::int) as n`,
      [...place, QUEUED],
    )
    await client.query('analyze')
  } finally {
    await client.end()
  }
}
