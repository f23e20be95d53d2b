import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataPath } from '@countersign/e2e'
import pg from 'pg'
import { type Address, getAddress, numberToHex } from 'viem'
import type { Measurement } from '../entry.ts'
import { type BusyChain, startBusyChain } from './busy-chain.ts'
import { startCountingProxy } from './counting-proxy.ts'
import { serverOf, startFollowing, startUsing, track, whenFollowed } from './following.ts'
import { requestAll } from './json-rpc.ts'
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts'

const counts = [100, 10_000, 100_000]
const REAL = 100
const BLOCKS = 30
/** Transfers of each block that are no tracked Safe's. */
const STRANGERS = 100
/** As often for every count, also where the node needs long for its state: the follower asks by the clock. */
const BLOCK_MS = 2_000
const AT_ONCE = 1_000

/** Measures the cost of following one block more, and whether it grows with the Safes that are tracked. */
export async function measureBlockCost(): Promise<Measurement[]> {
  await using chain = await startBusyChain(REAL)
  await using postgres = await startOwnPostgres()
  const measurements: Measurement[] = []
  for (const count of counts) measurements.push(...(await measure(chain, postgres, count)))
  return measurements
}

async function measure(chain: BusyChain, postgres: OwnPostgres, count: number): Promise<Measurement[]> {
  const place = { dataPath: makeDataPath(), databaseUrl: await postgres.create(`safes_${count}`) }
  const proxy = await startCountingProxy(chain.rpcUrl)
  try {
    await track(chain, place)
    await addImitations(chain, place.databaseUrl, count - REAL)
    const product = await startFollowing({ ...chain, rpcUrl: proxy.url }, place)
    try {
      await whenFollowed(product, await chain.mineEmpty(1))
      await sleep(2_000)
      const used = startUsing(serverOf(product))
      proxy.take()
      let head = 0
      const started = performance.now()
      for (let block = 1; block <= BLOCKS; block += 1) {
        head = await chain.mineTransfers(STRANGERS)
        await sleep(Math.max(0, started + block * BLOCK_MS - performance.now()))
      }
      await whenFollowed(product, head)
      const { indexer, postgres: database } = used()
      const each = (seconds: number | null) => ((seconds ?? Number.NaN) * 1_000) / BLOCKS
      const name = `${count.toLocaleString('en-US')} Safes, each block`
      return [
        { what: `${name}: follower`, value: each(indexer), unit: 'ms of its core' },
        { what: `${name}: PostgreSQL`, value: each(database), unit: 'ms of its cores' },
        { what: `${name}: requests to the node`, value: proxy.take() / BLOCKS, unit: '' },
      ]
    } finally {
      await product.stop()
    }
  } finally {
    proxy.close()
    rmSync(place.dataPath, { recursive: true, force: true })
  }
}

/** Further proxies of the official singleton, put there without their creation, and tracked since the last block. */
async function addImitations(chain: BusyChain, databaseUrl: string, count: number): Promise<void> {
  const [real] = chain.safes
  const [code, singleton, head] = await requestAll(chain.rpcUrl, [
    { method: 'eth_getCode', params: [real, 'latest'] },
    { method: 'eth_getStorageAt', params: [real, '0x0', 'latest'] },
    { method: 'eth_blockNumber' },
  ])
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (let from = 0; from < count; from += AT_ONCE) {
      const addresses = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => imitation(from + at))
      await requestAll(
        chain.rpcUrl,
        addresses.flatMap((address) => [
          { method: 'anvil_setCode', params: [address, code] },
          { method: 'anvil_setStorageAt', params: [address, `0x${'0'.repeat(64)}`, singleton] },
        ]),
      )
      await client.query(
        `insert into safe select made.* from safe as one, unnest($1::bytea[]) as other (address),
           jsonb_populate_record(one, jsonb_build_object('address', other.address,
             'compared_block', $3::bigint, 'compared_balance', 0, 'compared_nonce', 0)) as made
         where one.address = $2`,
        [addresses.map(toBytes), toBytes(real ?? imitation(0)), Number(head)],
      )
    }
    await client.query('analyze safe')
  } finally {
    await client.end()
  }
}

function imitation(index: number): Address {
  return getAddress(numberToHex(10n ** 47n + BigInt(index), { size: 20 }))
}

function toBytes(address: Address): Buffer {
  return Buffer.from(address.slice(2), 'hex')
}
