import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { call, getTransaction, listHistory, listQueue, listSafes } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import type { SafeTx } from '@countersign/safe'
import pg from 'pg'
import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isSoak } from '../../../../scripts/testing/random-tests.mjs'
import { actor, devnet, openChain } from '../test/scene.ts'
import {
  createEmptyDatabase,
  devnetChain,
  eventually,
  newSafe,
  signedTx,
  signInAs,
  startTestServer,
} from '../test/test-server.ts'
import { migrate } from './client.ts'

const [alice, bob] = demoAccounts
const chainId = 31337
const migrations = fileURLToPath(new URL('./migrations', import.meta.url))
const journal = z.looseObject({ entries: z.array(z.looseObject({ tag: z.string(), when: z.number() })) })

openChain()

/** When a migration was made. */
function madeAt(tag: string): number {
  const all = journal.parse(JSON.parse(readFileSync(join(migrations, 'meta', '_journal.json'), 'utf8')))
  const found = all.entries.find((entry) => entry.tag === tag)
  if (!found) throw new Error(`no migration ${tag}`)
  return found.when
}

const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex')

/** Rows as a version wrote them, with the columns that it had. */
async function insert(client: pg.Client, table: string, row: Record<string, unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select column_name as name from information_schema.columns where table_name = $1 and table_schema = $2',
    [table, 'public'],
  )
  const known = Object.entries(row).filter(([name]) => rows.some((column) => column.name === name))
  const places = known.map((_, at) => `$${at + 1}`)
  await client.query(
    `insert into ${table} (${known.map(([name]) => `"${name}"`).join()}) values (${places.join()})`,
    known.map(([, value]) => value),
  )
}

function transactionRow(safeAddress: Address, safeTxHash: Hex, tx: SafeTx) {
  return {
    chain_id: chainId,
    safe_tx_hash: bytes(safeTxHash),
    safe_address: bytes(safeAddress),
    to: bytes(tx.to),
    value: String(tx.value),
    data: bytes(tx.data),
    operation: tx.operation,
    safe_tx_gas: String(tx.safeTxGas),
    base_gas: String(tx.baseGas),
    gas_price: String(tx.gasPrice),
    gas_token: bytes(tx.gasToken),
    refund_receiver: bytes(tx.refundReceiver),
    nonce: String(tx.nonce),
    proposer: bytes(alice.address),
    submission_date: new Date(),
  }
}

describe('migrate', () => {
  const versions = readdirSync(migrations)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace('.sql', ''))
    .toSorted()
    .slice(0, -1)
  const sample = versions.filter((_, at) => at % 6 === 0 || at === versions.length - 1)

  test.each(isSoak ? versions : sample)(
    'behavior: what a database of %s holds is readable afterwards',
    { timeout: 120_000 },
    async (version) => {
      const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
      await actor.send({ to: safeAddress, value: 50n })
      const done = await signedTx(safeAddress, alice, { to: bob.address, value: 7n, nonce: 0n })
      const { transactionHash } = await actor.execute(safeAddress, { to: bob.address, value: 7n })
      const queued = await signedTx(safeAddress, alice, { to: bob.address, value: 8n, nonce: 1n })
      const block: unknown = await actor.rpc('eth_getBlockByNumber', 'latest', false)
      const { number, hash } = z.object({ number: z.string(), hash: z.string() }).parse(block)

      const databaseUrl = await createEmptyDatabase()
      await migrate(databaseUrl, migrations, madeAt(version))
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      const now = new Date()
      const place = { chain_id: chainId, safe_address: bytes(safeAddress) }
      await insert(client, 'installation', { id: 'before', created_at: now })
      await insert(client, 'safe', {
        chain_id: chainId,
        address: bytes(safeAddress),
        owners: [bytes(alice.address)],
        threshold: 1,
        nonce: '1',
        version: '1.4.1',
        domain_version: '1.4.1',
        block_number: Number(number),
        added_at: now,
      })
      await insert(client, 'safe_list_entry', { account: bytes(alice.address), ...place, added_at: now })
      await insert(client, 'multisig_transaction', transactionRow(safeAddress, queued.safeTxHash, queued.safeTx))
      await insert(client, 'multisig_transaction', {
        ...transactionRow(safeAddress, done.safeTxHash, done.safeTx),
        is_executed: true,
        is_successful: true,
        transaction_hash: bytes(transactionHash),
        executor: bytes(demoAccounts[8].address),
        executed_confirmations: 1,
        block_number: Number(number),
        block_hash: bytes(hash),
        log_index: 1,
        execution_date: now,
        // Today's writer confirms it in the same statement.
        is_confirmed: true,
      })
      for (const { safeTxHash, signature } of [queued, done])
        await insert(client, 'confirmation', {
          chain_id: chainId,
          safe_tx_hash: bytes(safeTxHash),
          owner: bytes(alice.address),
          signature: bytes(signature),
          signature_type: 'EOA',
          submission_date: now,
        })
      for (const verb of ['proposed', 'confirmed', 'executed'])
        await insert(client, 'activity', {
          at: now,
          account: bytes(alice.address),
          verb,
          ...place,
          safe_tx_hash: bytes(done.safeTxHash),
        })
      await insert(client, 'chain_cursor', { chain_id: chainId, block_number: Number(number), block_hash: bytes(hash) })
      const { rows: tables } = await client.query("select to_regclass('history_entry')::text as name")
      if (tables[0]?.name)
        await insert(client, 'history_entry', {
          ...place,
          block_number: Number(number),
          log_index: 1,
          part: 0,
          kind: 'executed',
          block_time: now,
          transaction_hash: bytes(transactionHash),
          safe_tx_hash: bytes(done.safeTxHash),
          is_successful: true,
        })

      const server = await startTestServer({ chains: [devnetChain(devnet.rpcUrl)], databaseUrl })
      try {
        const asAlice = await signInAs(server, alice)
        expect((await call(asAlice, listSafes, {})).safes.map(({ address }) => address)).toEqual([safeAddress])
        const { transactions } = await call(asAlice, listQueue, { chainId, safeAddress })
        expect(transactions).toMatchObject([
          { safeTxHash: queued.safeTxHash, confirmations: [{ owner: alice.address, signature: queued.signature }] },
        ])
        const { transaction } = await call(asAlice, getTransaction, { chainId, safeTxHash: done.safeTxHash })
        expect(transaction).toMatchObject({ isExecuted: true, transactionHash, proposer: alice.address })
        expect(transaction.confirmations).toMatchObject([{ owner: alice.address, signature: done.signature }])
        const kinds = async () => {
          const { entries } = await call(asAlice, listHistory, { chainId, safeAddress })
          return entries.map(({ kind }) => kind)
        }
        expect(await eventually(async () => (await kinds()).includes('executed') && (await kinds()))).toContain(
          'executed',
        )
        const { rows: confirmed } = await client.query(
          'select is_confirmed from multisig_transaction where is_executed',
        )
        expect(confirmed).toEqual([{ is_confirmed: true }])
        // Nothing that was written down before is lost.
        const { rows } = await client.query<{ verb: string }>(
          'select verb from activity where account is not null order by id',
        )
        expect(rows.slice(0, 3).map(({ verb }) => verb)).toEqual(['proposed', 'confirmed', 'executed'])
        const { rows: ids } = await client.query<{ id: string }>('select id from installation')
        expect(ids).toEqual([{ id: 'before' }])
        // And it goes on.
        await actor.send({ to: safeAddress, value: 9n })
        await eventually(async () => (await kinds()).includes('transfer-in'))
      } finally {
        await client.end()
        await server.stop()
      }
    },
  )
})
