import { call, getTransaction, listHistory, listMessages, listQueue } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { addedSafe, alice, asAlice, chainId, openTeam, proposed, server } from '../test/scene.ts'
import { newTxClient, type TxClient } from '../test/tx-client.ts'
import { toBytes } from './columns.ts'

const ROWS = 60
const BYTES = 100_000
const MAX_CHARACTERS = 4 * 1024 * 1024

let safeAddress: Address
let byAlice: TxClient

const param = (hex: `0x${string}`) => sql`${sql.param(toBytes(hex))}::bytea`

/** Rows as they come to be by many accounts, or by one of a chain where calldata costs little. */
openTeam()
beforeAll(async () => {
  safeAddress = await addedSafe()
  byAlice = await newTxClient(server, asAlice)
  const [place, who] = [param(safeAddress), param(alice.address)]
  const data = sql`decode(repeat('ab', ${BYTES}), 'hex')`
  await server.db.execute(sql`
    insert into multisig_transaction (chain_id, safe_tx_hash, safe_address, "to", value, data, operation, safe_tx_gas,
      base_gas, gas_price, gas_token, refund_receiver, nonce, proposer, submission_date, is_executed, is_successful,
      transaction_hash, executor, executed_confirmations, block_number, block_hash, log_index, execution_date)
    select ${chainId}, sha256((is_executed || ' ' || n)::bytea), ${place}, ${who}, n, ${data}, 0, 0, 0, 0, ${who}, ${who},
      case when is_executed then n - 1000 else n end, ${who}, date_trunc('second', now()), is_executed, true,
      case when is_executed then sha256(('sent ' || n)::bytea) end, ${who}, 1, case when is_executed then 1 end,
      sha256('block'::bytea), n, case when is_executed then now() end
    from generate_series(1, ${ROWS}::int) as n, unnest(array[true, false]) as is_executed`)
  await server.db.execute(sql`
    insert into history_entry (chain_id, safe_address, block_number, log_index, part, kind, block_time, transaction_hash,
      safe_tx_hash, is_successful, subject, counterparty, amount, data, operation)
    select ${chainId}, ${place}, 1, n + case when is_module then 500 else 0 end, 0,
      case when is_module then 'module-executed' else 'executed' end, now(),
      sha256((case when is_module then 'module ' else 'sent ' end || n)::bytea),
      case when not is_module then sha256(('true ' || n)::bytea) end, true, case when is_module then ${who} end, ${who}, 0,
      case when is_module then ${data} end, case when is_module then 0 end
    from generate_series(1, ${ROWS}::int) as n, unnest(array[true, false]) as is_module`)
  await server.db.execute(sql`
    insert into safe_message (chain_id, message_hash, safe_address, content, proposer, submission_date, modified_date)
    select ${chainId}, sha256(('message ' || n)::bytea), ${place}, '"' || repeat('m', ${BYTES}::int / 2) || '"', ${who},
      date_trunc('second', now()) + n * interval '1 second', now()
    from generate_series(1, ${ROWS}::int) as n`)
})

type Pages = { rows: number; largest: number; pages: number }

/** Reads to the end by cursor; by characters of the answers as they came. */
async function readPages(path: string, name: string): Promise<Pages> {
  const found: Pages = { rows: 0, largest: 0, pages: 0 }
  const ids = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url: string = `${server.origin}/api/chains/${chainId}/safes/${safeAddress}/${path}${path.includes('?') ? '&' : '?'}limit=100${cursor && `&cursor=${cursor}`}`
    const text: string = await (await asAlice.fetch(url)).text()
    const page = JSON.parse(text)
    for (const row of page[name]) ids.add(row.safeTxHash ?? row.safeMessageHash ?? row.id)
    found.rows += page[name].length
    found.largest = Math.max(found.largest, text.length)
    found.pages += 1
    cursor = page.nextCursor
  }
  expect(ids.size).toBe(found.rows)
  return found
}

/** Reads all pages by the links of the other transport. */
async function readLinks(path: string): Promise<Pages & { count: number }> {
  const found = { rows: 0, largest: 0, pages: 0, count: 0 }
  for (let link: string | null = `/${path}/?limit=200`; link !== null; ) {
    const { body } = await byAlice.ask(link)
    found.rows += body.results.length
    found.largest = Math.max(found.largest, JSON.stringify(body).length)
    found.pages += 1
    found.count = body.count
    link = body.next === null ? null : String(body.next).replace(/^.*\/api/, '')
  }
  return found
}

describe('fitsPage', () => {
  test('default: a page ends before it is too long, and the next one begins there', async () => {
    for (const [path, name, rows] of [
      ['queue', 'transactions', ROWS],
      ['history?kinds=executed,module-executed', 'entries', 2 * ROWS],
      ['messages', 'messages', ROWS],
    ] as const) {
      const found = await readPages(path, name)
      expect([path, found.rows]).toEqual([path, rows])
      expect(found.largest).toBeLessThan(MAX_CHARACTERS)
      expect(found.pages).toBeGreaterThan(2)
    }
  })

  test('behavior: what is shown is whole, whatever is cut', async () => {
    const place = { chainId, safeAddress }
    const { transactions } = await call(asAlice, listQueue, place)
    for (const { safeTx } of transactions) expect(safeTx?.data.length).toBe(2 + 2 * BYTES)
    const { entries } = await call(asAlice, listHistory, { ...place, kinds: ['executed', 'module-executed'] })
    for (const { data, transaction } of entries) expect((data ?? transaction?.safeTx?.data)?.length).toBe(2 + 2 * BYTES)
    const { messages } = await call(asAlice, listMessages, place)
    for (const { content } of messages) expect(content.length).toBe(BYTES / 2 + 2)
  })

  test('behavior: through the other transport, with links that lead to the end', async () => {
    for (const [path, rows] of [
      [`v1/safes/${safeAddress}/multisig-transactions`, 2 * ROWS],
      [`v2/safes/${safeAddress}/multisig-transactions`, 2 * ROWS],
      [`v1/safes/${safeAddress}/all-transactions`, 2 * ROWS],
      [`v1/safes/${safeAddress}/module-transactions`, ROWS],
      [`v1/safes/${safeAddress}/messages`, ROWS],
    ] as const) {
      const found = await readLinks(path)
      expect([path, found.rows, found.count]).toEqual([path, rows, rows])
      expect([path, found.largest]).toEqual([path, expect.toSatisfy((length: number) => length < MAX_CHARACTERS)])
    }
  })

  test('behavior: what else is proposed comes without its calldata', async () => {
    const { safeTxHash } = await proposed(safeAddress, { value: 7n })
    const response = await asAlice.fetch(`${server.origin}/api/chains/${chainId}/transactions/${safeTxHash}`)
    expect((await response.text()).length).toBeLessThan(100_000)
    const cancelling = await proposed(safeAddress, { to: safeAddress, value: 0n })
    const { others } = await call(asAlice, getTransaction, { chainId, safeTxHash })
    expect(others).toHaveLength(ROWS + 1)
    expect(others[0]).toMatchObject({
      safeTxHash: cancelling.safeTxHash,
      nonce: 0n,
      isCancellation: true,
      confirmations: [{ owner: alice.address, signature: cancelling.signature }],
    })
    expect(others.filter(({ isCancellation }) => isCancellation)).toHaveLength(1)
  })
})
