import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addSafeByScript, type Product, signInByScript, startProduct, team } from '@countersign/e2e'
import pg from 'pg'
import { ownSeconds, peakMemory, processBelow, processSeconds } from '../load/process-time.ts'
import type { BusyChain } from './busy-chain.ts'

/** Cost of a run over all events: by the clock, and by processor. */
export type Run = { seconds: number; rows: number; peak: number | null; used: Used }
/** Processor seconds; null where they are not known. */
export type Used = { indexer: number | null; postgres: number | null; node: number | null }

/** Where the product keeps its data: in its own PostgreSQL, or in the one of DATABASE_URL. */
export type Place = { dataPath: string; databaseUrl?: string }

export function startFollowing({ rpcUrl, chainId }: BusyChain, place: Place) {
  return startProduct({
    dataPath: place.dataPath,
    configuration: { chains: [{ chainId, name: 'Busy', rpcUrls: [rpcUrl], startBlock: 0 }] },
    env: { COUNTERSIGN_RATE_LIMITS: 'off', ...(place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {}) },
  })
}

/** Has all Safes of the chain tracked, and everything read that they did until now. */
export async function track(chain: BusyChain, place: Place): Promise<void> {
  const product = await startFollowing(chain, place)
  const anna = await signInByScript(product.url, team.anna.privateKey, chain.chainId)
  for (const safe of chain.safes) await addSafeByScript(anna, safe)
  const head = await chain.mineEmpty(1)
  await whenFollowed(product, head)
  await product.stop()
}

/** Starts the product on a chain where much has happened since it was stopped. */
export async function catchUp(
  chain: BusyChain,
  place: Place,
  { from, upTo }: { from: number; upTo: number },
): Promise<Run> {
  const product = await startFollowing(chain, place)
  try {
    const server = serverOf(product)
    const used = startUsing(server)
    const done = await whenFollowed(product, upTo)
    const log = readFileSync(join(place.dataPath, 'logs/server.log'), 'utf8').trimEnd().split('\n')
    const started = log.map((line) => JSON.parse(line)).findLast(({ msg }) => msg === 'listening')
    const rows = await countRows(databaseOf(product), from)
    return { seconds: (done - Date.parse(started.time)) / 1_000, rows, peak: peakMemory(server), used: used() }
  } finally {
    await product.stop()
  }
}

/** From now on: what the processes of this benchmark use. */
export function startUsing(indexer: number): () => Used {
  const read = (): Used => ({
    indexer: ownSeconds(indexer),
    postgres: processSeconds(process.pid, 'postgres'),
    node: processSeconds(process.pid, 'anvil'),
  })
  const since = (now: number | null, before: number | null) => (now === null || before === null ? null : now - before)
  const before = read()
  return () => {
    const now = read()
    return {
      indexer: since(now.indexer, before.indexer),
      postgres: since(now.postgres, before.postgres),
      node: since(now.node, before.node),
    }
  }
}

export function serverOf({ pid }: Product): number {
  return processBelow(pid, 'server.js')
}

/** The launcher tells its server, and nobody else. */
export function databaseOf(product: Product): string {
  const environment = readFileSync(`/proc/${serverOf(product)}/environ`, 'utf8').split('\0')
  return environment.find((entry) => entry.startsWith('DATABASE_URL='))?.slice('DATABASE_URL='.length) ?? ''
}

/** @returns when the history of every Safe was complete up to a block. */
export async function whenFollowed(product: Product, upTo: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseOf(product) })
  await client.connect()
  try {
    for (;;) {
      const { rows } = await client.query(
        `select from chain_cursor where block_number >= $1 and stopped_at is null
           and not exists (select from safe where backfill_block is not null)`,
        [upTo],
      )
      if (rows.length > 0) return Date.now()
      await sleep(20)
    }
  } finally {
    await client.end()
  }
}

async function countRows(databaseUrl: string, from: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select (select count(*) from history_entry where block_number >= $1)::int
        + (select count(*) from multisig_transaction where block_number >= $1)::int as count`,
      [from],
    )
    return rows[0]?.count
  } finally {
    await client.end()
  }
}
