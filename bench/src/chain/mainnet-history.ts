import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { addSafeByScript, makeDataPath, signInByScript, startProduct, team } from '@countersign/e2e'
import pg from 'pg'
import type { Measurement } from '../entry.ts'
import { type BusyChain, startBusyChain } from './busy-chain.ts'
import { databaseOf } from './following.ts'
import { startLongChain } from './long-chain.ts'

const counts = [1, 10, 100]
const HEAD = 26_000_000
/** Safes are created and act in these, the last four years; before them nothing is to be read. */
const SPREAD = [16_000_000, 25_990_000] as const
const MONTH_BLOCKS = 216_000
/** Blocks in which the Safes act. */
const BLOCKS = 100
/** A hosted node, as many of them are. */
const NODE = { blocksPerQuery: 10_000, milliseconds: 50 }

/** Measures what the history of Safes costs on a chain as long as a mainnet: requests and time, from adding them. */
export async function measureMainnetHistory(): Promise<Measurement[]> {
  await using chain = await startBusyChain(Math.max(...counts))
  const last = await chain.mine(BLOCKS)
  const first = last - BLOCKS - chain.safes.length
  const measurements: Measurement[] = []
  for (const count of counts) measurements.push(...(await measure(chain, count, { from: first, last })))
  return measurements
}

async function measure(
  { rpcUrl, chainId, safes }: BusyChain,
  count: number,
  real: { from: number; last: number },
): Promise<Measurement[]> {
  const node = await startLongChain(rpcUrl, { ...real, spread: SPREAD, head: HEAD }, NODE)
  const dataPath = makeDataPath()
  const product = await startProduct({
    dataPath,
    configuration: { chains: [{ chainId, name: 'Long', rpcUrls: [node.url] }] },
    env: { COUNTERSIGN_RATE_LIMITS: 'off' },
  })
  const client = new pg.Client({ connectionString: databaseOf(product) })
  try {
    await client.connect()
    const anna = await signInByScript(product.url, team.anna.privateKey, chainId)
    const before = { requests: node.requests, started: performance.now() }
    for (const safe of safes.slice(0, count)) await addSafeByScript(anna, safe)
    const seconds = () => (performance.now() - before.started) / 1_000
    await untilReadTo(client, count, HEAD - MONTH_BLOCKS)
    const month = seconds()
    await untilReadTo(client, count, 0)
    const whole = seconds()
    const requests = node.requests - before.requests
    const { rows } = await client.query('select count(*)::int as rows from history_entry')
    if (!(rows[0]?.rows >= count)) throw new Error(`${rows[0]?.rows} rows are no history of ${count} Safes`)
    const name = `26 M blocks, ${count === 1 ? '1 Safe' : `${count} Safes`}`
    console.log(
      `  ${name}: ${Math.round(month)} s to the newest month, ${Math.round(whole)} s in all, ${requests} requests`,
    )
    return [
      { what: `${name}: newest month`, value: month, unit: 's', goal: { value: 60, isAtMost: true } },
      { what: `${name}: whole history, ${rows[0].rows} rows`, value: whole, unit: 's' },
      { what: `${name}: requests to the node`, value: requests, unit: '' },
    ]
  } finally {
    await client.end()
    await product.stop()
    node.close()
    rmSync(dataPath, { recursive: true, force: true })
  }
}

/** Waits until nothing above a block is left to be read of so many Safes; 0: nothing at all. */
async function untilReadTo(client: pg.Client, count: number, block: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query(
      `select (select count(*) from safe)::int as safes, (select count(*) from safe s join chain_cursor c on c.chain_id = s.chain_id
         where s.backfill_block is not null and coalesce(s.backfill_to, c.block_number) >= $1)::int as unread`,
      [block],
    )
    if (rows[0]?.safes >= count && rows[0]?.unread === 0) return
    await sleep(50)
  }
}
