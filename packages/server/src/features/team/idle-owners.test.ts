import { addSafe, call, listIdleOwners } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import { type Address, pad } from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SignedInCtx } from '../../context.ts'
import { toBytes } from '../../db/columns.ts'
import { safe } from '../../db/schema.ts'
import {
  alice,
  asAlice,
  asStranger,
  bob,
  carol,
  chainId,
  dave,
  devnet,
  openTeam,
  server,
  stranger,
} from '../../test/scene.ts'
import { codeOf, newSafe } from '../../test/test-server.ts'
import { findIdleOwners } from './idle-owners.ts'

const DAY_MS = 86_400_000
const owners = [alice, bob, carol, dave].map(({ address }) => address)

let safeAddress: Address
let count = 0

openTeam()

/** A Safe that is older than half a year, in which Alice signed twelve transactions; nobody else did anything. */
beforeEach(async () => {
  count += 1
  safeAddress = pad(`0x5afe${count.toString().padStart(2, '0')}`, { size: 20 })
  await server.db.insert(safe).values({
    chainId,
    address: safeAddress,
    owners,
    threshold: 1,
    nonce: 12n,
    version: '1.4.1',
    domainVersion: '1.4.1',
    blockNumber: 1,
    addedAt: new Date(),
  })
  await tell('created', null, 200)
  for (let nonce = 0; nonce < 12; nonce++) await execute(nonce, { daysAgo: 100 - nonce })
})

const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

function tell(kind: string, subject: Address | null, daysAgo: number) {
  return server.db.execute(sql`
    insert into history_entry (chain_id, safe_address, block_number, log_index, part, kind, block_time, subject)
    values (${chainId}, ${toBytes(safeAddress)}, ${1000 - daysAgo}, 0, 0, ${kind}, ${ago(daysAgo)}::timestamptz,
      ${subject && toBytes(subject)})`)
}

type Execution = { daysAgo: number; signer?: Address | null; executor?: Address; isExecuted?: boolean }

async function execute(nonce: number, { daysAgo, signer = alice.address, executor, isExecuted = true }: Execution) {
  const hash = sql`sha256(${`${safeAddress} ${nonce}`}::bytea)`
  const at = sql`${ago(daysAgo)}::timestamptz`
  await server.db.execute(sql`
    insert into multisig_transaction (chain_id, safe_tx_hash, safe_address, nonce, submission_date, is_executed,
      execution_date, executor, is_confirmed)
    values (${chainId}, ${hash}, ${toBytes(safeAddress)}, ${nonce}, ${at}, ${isExecuted}, ${isExecuted ? at : null},
      ${executor ? toBytes(executor) : null}, ${signer !== null})`)
  if (!signer) return
  await server.db.execute(sql`
    insert into confirmation (chain_id, safe_tx_hash, owner, signature, signature_type, submission_date)
    values (${chainId}, ${hash}, ${toBytes(signer)}, ${Buffer.alloc(65)}, 'EOA', ${at})`)
}

const idle = () => call(asAlice, listIdleOwners, { chainId, safeAddress })
const others = [bob.address, carol.address, dave.address]

describe('listIdleOwners', () => {
  test('default: owners who did nothing, of how many transactions, and since when', async () => {
    const found = await idle()
    expect(found).toEqual({ isKnown: true, since: found.since, transactions: 12, owners: others })
    expect(Math.abs(Date.parse(found.since) - Date.parse(ago(180)))).toBeLessThan(60_000)
  })

  test('behavior: executing, signing what waits, approving a hash, and becoming an owner are no idleness', async () => {
    await execute(12, { daysAgo: 5, executor: bob.address })
    expect((await idle()).owners).toEqual([carol.address, dave.address])
    await execute(13, { daysAgo: 4, isExecuted: false, signer: carol.address })
    expect((await idle()).owners).toEqual([dave.address])
    await tell('owner-added', dave.address, 3)
    expect((await idle()).owners).toEqual([])
    await tell('hash-approved', dave.address, 2)
    expect((await idle()).owners).toEqual([])
  })

  test('behavior: what an owner did before is not counted', async () => {
    await execute(14, { daysAgo: 181, signer: bob.address, executor: bob.address })
    await execute(15, { daysAgo: 190, isExecuted: false, signer: carol.address })
    await tell('hash-approved', dave.address, 185)
    expect((await idle()).owners).toEqual(others)
  })

  const unknown = async () => {
    const { isKnown, owners: found } = await idle()
    expect([isKnown, found]).toEqual([false, []])
  }

  test('behavior: nothing is said while the history is read', async () => {
    await server.db.execute(sql`update safe set backfill_block = 1 where address = ${toBytes(safeAddress)}`)
    await unknown()
  })

  test('behavior: nothing is said where the signers of one execution are not known', async () => {
    await execute(16, { daysAgo: 5, signer: null })
    await unknown()
  })

  test('behavior: nothing is said of a Safe that executed little, or is young', async () => {
    await server.db.execute(
      sql`delete from multisig_transaction where safe_address = ${toBytes(safeAddress)} and nonce > 8`,
    )
    await unknown()
    await execute(17, { daysAgo: 5 })
    expect((await idle()).owners).toEqual(others)
    await server.db.execute(sql`delete from history_entry where safe_address = ${toBytes(safeAddress)}`)
    await unknown()
  })
})

describe('listIdleOwners for others', () => {
  let real: Address
  beforeAll(async () => {
    real = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    await call(asStranger, addSafe, { chainId, address: real })
  })

  test('error: NOT_A_MEMBER for who only added the Safe', async () => {
    expect(await codeOf(call(asStranger, listIdleOwners, { chainId, safeAddress: real }))).toBe('NOT_A_MEMBER')
  })

  test('behavior: the query itself returns nothing to others, even without an earlier check', async () => {
    const find = async (address: Address) => {
      const viewer = { address, chainId, provenBy: 'key', credential: { kind: 'session', id: 'any' } } as const
      const ctx = { db: server.db, clock: () => new Date(), viewer } as Partial<SignedInCtx> as SignedInCtx
      return (await findIdleOwners(ctx, { chainId, safeAddress })).owners
    }
    expect(await find(alice.address)).toEqual(others)
    expect(await find(stranger.address)).toEqual([])
  })

  test('error: SAFE_NOT_FOUND for who has nothing to do with it', async () => {
    expect(await codeOf(call(asStranger, listIdleOwners, { chainId, safeAddress }))).toBe('SAFE_NOT_FOUND')
  })
})
