import { call, confirmTransaction, deleteTransaction, listActivity, proposeTransaction } from '@countersign/contract'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { encodeFunctionData, type Hex } from 'viem'
import { sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { settingsAbi } from '../../test/safe-actor.ts'
import {
  actor,
  addedSafe,
  alice,
  asAlice,
  asBob,
  asDave,
  asStranger,
  bob,
  chainId,
  dave,
  found,
  isExecuted,
  makeDelegate,
  openTeam,
  proposed,
  queueOf,
  removeDelegate,
  server,
} from '../../test/scene.ts'
import { type Browser, codeOf, eventually, signedTx } from '../../test/test-server.ts'

openTeam()

describe('deleteTransaction', () => {
  const remove = (browser: Browser, safeTxHash: Hex) => call(browser, deleteTransaction, { chainId, safeTxHash })

  test('default: its proposer deletes it; the log keeps what it was', async () => {
    const safeAddress = await addedSafe()
    const { safeTxHash, safeTx } = await proposed(safeAddress, { value: 7n })
    expect(await codeOf(remove(asBob, safeTxHash))).toBe('NOT_PROPOSER')
    expect(await codeOf(remove(asStranger, safeTxHash))).toBe('TRANSACTION_NOT_FOUND')
    await remove(asAlice, safeTxHash)
    expect(await queueOf(safeAddress)).toEqual([])
    expect(await codeOf(found(safeTxHash))).toBe('TRANSACTION_NOT_FOUND')
    expect(await codeOf(remove(asAlice, safeTxHash))).toBe('TRANSACTION_NOT_FOUND')
    const { entries } = await call(asAlice, listActivity, { chainId, safeAddress })
    expect(entries[0]).toMatchObject({
      verb: 'deleted',
      account: alice.address,
      safeTxHash,
      detail: { proposer: alice.address, nonce: '0', to: safeTx.to, value: '7', confirmedBy: alice.address },
    })
    await proposed(safeAddress, { value: 7n })
    expect(await queueOf(safeAddress)).toHaveLength(1)
  })

  test('behavior: the delegate who wrote it, while one; the owner it counts for always', async () => {
    const safeAddress = await addedSafe()
    await makeDelegate(safeAddress, bob.address)
    const write = async (nonce: bigint) => {
      const signed = await signedTx(safeAddress, dave, { nonce })
      await call(asDave, proposeTransaction, { chainId, safeAddress, ...signed })
      return signed.safeTxHash
    }
    const [first, second, third] = [await write(0n), await write(1n), await write(2n)]
    await remove(asDave, first)
    await removeDelegate(bob.address)
    expect(await codeOf(remove(asDave, second))).toBe('TRANSACTION_NOT_FOUND')
    await remove(asBob, third)
    expect((await queueOf(safeAddress)).map(({ safeTxHash }) => safeTxHash)).toEqual([second])
  })

  test('behavior: nobody deletes for who is no owner any more, or named them no longer just now', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address, bob.address], threshold: 1 })
    await makeDelegate(safeAddress, bob.address)
    const write = async (nonce: bigint) => {
      const signed = await signedTx(safeAddress, dave, { nonce })
      await call(asDave, proposeTransaction, { chainId, safeAddress, ...signed })
      return signed.safeTxHash
    }
    const [first, second] = [await write(1n), await write(2n)]
    const holder = new pg.Client({ connectionString: server.databaseUrl })
    await holder.connect()
    try {
      await holder.query('begin')
      const row = [Buffer.from(first.slice(2), 'hex')]
      await holder.query('select from multisig_transaction where safe_tx_hash = $1 for update', row)
      const removing = codeOf(remove(asDave, first))
      await eventually(async () => {
        const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
        return (await holder.query(waiting)).rowCount === 1
      })
      await removeDelegate(bob.address)
      await holder.query('commit')
      expect(await removing).toBe('TRANSACTION_NOT_FOUND')
    } finally {
      await holder.end()
    }
    await makeDelegate(safeAddress, bob.address)
    const args = [alice.address, bob.address, 1n] as const
    const data = encodeFunctionData({ abi: settingsAbi, functionName: 'removeOwner', args })
    await actor.execute(safeAddress, { to: safeAddress, data })
    expect(['NOT_PROPOSER', 'TRANSACTION_NOT_FOUND']).toContain(await codeOf(remove(asDave, second)))
    expect(await queueOf(safeAddress)).toHaveLength(2)
    await removeDelegate(bob.address)
  })

  test('behavior: a confirmation at the same time is there before, or finds nothing', async () => {
    for (let round = 0; round < 4; round += 1) {
      const safeAddress = await addedSafe()
      const { safeTxHash } = await proposed(safeAddress)
      const signature = await sign({ hash: safeTxHash, privateKey: bob.privateKey, to: 'hex' })
      const [confirmed] = await Promise.all([
        codeOf(call(asBob, confirmTransaction, { chainId, safeTxHash, signature })),
        remove(asAlice, safeTxHash),
      ])
      expect(['no error', 'TRANSACTION_NOT_FOUND']).toContain(confirmed)
      expect(await codeOf(found(safeTxHash))).toBe('TRANSACTION_NOT_FOUND')
    }
  })

  test('error: TRANSACTION_ALREADY_EXECUTED, also before the history has it', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address], threshold: 1 })
    const { safeTxHash } = await proposed(safeAddress, { to: bob.address })
    await actor.execute(safeAddress, { to: bob.address })
    const code = await codeOf(remove(asAlice, safeTxHash))
    expect(['HISTORY_BEHIND', 'TRANSACTION_ALREADY_EXECUTED']).toContain(code)
    await eventually(() => isExecuted(safeTxHash))
    expect(await codeOf(remove(asAlice, safeTxHash))).toBe('TRANSACTION_ALREADY_EXECUTED')
  })

  test('error: HISTORY_BEHIND while the history of the Safe is being read, although that of its chain is', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address], threshold: 1 })
    const { safeTxHash } = await proposed(safeAddress, { value: 9n })
    await actor.execute(safeAddress, { to: bob.address })
    const ofSafe = sql`address = decode(${safeAddress.slice(2)}, 'hex')`
    await eventually(async () => {
      const { rows } = await server.db.execute(
        sql`select from safe where ${ofSafe} and nonce = 1 and backfill_block is null`,
      )
      return rows.length > 0
    })
    // Reading begins once the chain has been read up to this block, which it does not have.
    await server.db.execute(sql`update safe set backfill_block = 0, block_number = 1000000 where ${ofSafe}`)
    expect(await codeOf(remove(asAlice, safeTxHash))).toBe('HISTORY_BEHIND')
    await server.db.execute(sql`update safe set backfill_stopped_at = now() where ${ofSafe}`)
    expect(await codeOf(remove(asAlice, safeTxHash))).toBe('no error')
  })

  test('behavior: what another transaction replaced can go', async () => {
    const safeAddress = await addedSafe({ owners: [alice.address], threshold: 1 })
    const { safeTxHash } = await proposed(safeAddress, { value: 9n })
    await actor.execute(safeAddress, { to: bob.address })
    await eventually(async () => (await codeOf(remove(asAlice, safeTxHash))) === 'no error')
  })
})
