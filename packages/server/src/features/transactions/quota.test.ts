import {
  addSafe,
  call,
  confirmTransaction,
  deleteTransaction,
  listQueue,
  proposeTransaction,
} from '@countersign/contract'
import { newCancellation } from '@countersign/safe'
import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { toBytes } from '../../db/columns.ts'
import {
  addedSafe,
  alice,
  asAlice,
  asBob,
  asDave,
  bob,
  chainId,
  dave,
  devnet,
  makeDelegate,
  openTeam,
  removeDelegate,
  server,
  stranger,
} from '../../test/scene.ts'
import { codeOf, newSafe, signedTx } from '../../test/test-server.ts'
import { newTxClient } from '../../test/tx-client.ts'

const OF_ACCOUNT = 200
const OF_OTHERS = 400

openTeam()

/** Open proposals as if an account had brought them, from nonce 1,000 on. */
async function fill(
  safeAddress: Address,
  account: Address,
  count: number,
  { bytes = 0, isSigned = true, first = 1_000 }: { bytes?: number; isSigned?: boolean; first?: number } = {},
): Promise<void> {
  const [place, who] = [safeAddress, account].map((address) => sql`${sql.param(toBytes(address))}::bytea`)
  await server.db.execute(sql`
    insert into multisig_transaction (chain_id, safe_tx_hash, safe_address, "to", value, data, operation, safe_tx_gas,
      base_gas, gas_price, gas_token, refund_receiver, nonce, proposer, kept_by, is_trusted, domain_version, submission_date)
    select ${chainId}, sha256((${safeAddress + account + first} || n)::bytea), ${place}, ${who}, n,
      decode(repeat('ab', ${bytes}), 'hex'), 0, 0, 0, 0, ${who}, ${who}, ${first}::int + n, ${who}, ${who}, ${isSigned}, '1.4.1',
      now()
    from generate_series(1, ${count}::int) as n`)
}

async function propose(safeAddress: Address, account: typeof alice | typeof bob | typeof dave, fields = {}) {
  const signed = await signedTx(safeAddress, account, fields)
  const browser = account === alice ? asAlice : account === bob ? asBob : asDave
  return codeOf(call(browser, proposeTransaction, { chainId, safeAddress, ...signed }))
}

describe('requireRoom', () => {
  test('error: TOO_MANY_PROPOSALS: more open proposals of one owner than fit; the other owners have their own room', async () => {
    const safeAddress = await addedSafe()
    await fill(safeAddress, alice.address, OF_ACCOUNT - 1)
    const last = await signedTx(safeAddress, alice, { value: 1n })
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...last })
    const refused = await signedTx(safeAddress, alice, { value: 2n })
    await expect(call(asAlice, proposeTransaction, { chainId, safeAddress, ...refused })).rejects.toMatchObject({
      code: 'TOO_MANY_PROPOSALS',
      message: `The account \`${alice.address}\` has \`200\` open proposals of the Safe \`${safeAddress}\`.`,
      data: { chainId, safeAddress, limit: OF_ACCOUNT },
    })
    // A transaction that is here already needs no room.
    expect(await codeOf(call(asAlice, proposeTransaction, { chainId, safeAddress, ...last }))).toBe('no error')
    expect(await propose(safeAddress, bob, { value: 3n })).toBe('no error')
    // A deletion makes room.
    await call(asAlice, deleteTransaction, { chainId, safeTxHash: last.safeTxHash })
    expect(await codeOf(call(asAlice, proposeTransaction, { chainId, safeAddress, ...refused }))).toBe('no error')
  })

  test('behavior: what is no longer possible takes no room in the queue', async () => {
    const safeAddress = await addedSafe()
    await fill(safeAddress, alice.address, OF_ACCOUNT, { first: -1_000 })
    expect(await propose(safeAddress, alice, {})).toBe('no error')
    await server.db.execute(sql`update multisig_transaction set nonce = nonce + 5000, domain_version = '1.1.1'
      where safe_address = ${sql.param(toBytes(safeAddress))} and nonce < 0`)
    expect(await propose(safeAddress, alice, { value: 1n })).toBe('no error')
  })

  test('error: TOO_MANY_PROPOSALS: more calldata of one owner than fits', async () => {
    const safeAddress = await addedSafe()
    const data: Hex = `0x${'ab'.repeat(120_000)}`
    await fill(safeAddress, alice.address, 17, { bytes: 120_000 })
    await expect(
      signedTx(safeAddress, alice, { data }).then((signed) =>
        call(asAlice, proposeTransaction, { chainId, safeAddress, ...signed }),
      ),
    ).rejects.toMatchObject({
      code: 'TOO_MANY_PROPOSALS',
      message: `The account \`${alice.address}\` has open proposals of the Safe \`${safeAddress}\` with \`2040000\` bytes of calldata; with \`120000\` more they would have over \`2097152\`.`,
    })
    expect(await propose(safeAddress, alice, { data: '0xab' })).toBe('no error')
    expect(await propose(safeAddress, bob, { data })).toBe('no error')
  })

  test('behavior: a full proposer stops no owner, and all proposers share what is left', async () => {
    const safeAddress = await addedSafe()
    await makeDelegate(safeAddress, bob.address)
    await fill(safeAddress, dave.address, OF_ACCOUNT)
    expect(await propose(safeAddress, dave)).toBe('TOO_MANY_PROPOSALS')
    await fill(safeAddress, stranger.address, OF_OTHERS - OF_ACCOUNT)
    expect(await propose(safeAddress, alice, { value: 2n })).toBe('no error')
    expect(await propose(safeAddress, bob, { value: 3n })).toBe('no error')
    await server.db.execute(sql`delete from multisig_transaction
      where kept_by = ${sql.param(toBytes(dave.address))} and nonce < 1011`)
    expect(await propose(safeAddress, dave)).toBe('no error')
    await fill(safeAddress, stranger.address, 9, { first: 9_000 })
    expect(await propose(safeAddress, dave, { value: 1n })).toBe('TOO_MANY_PROPOSALS')
    await removeDelegate(bob.address)
  })

  test('behavior: an owner with no room left cancels what others proposed, and what comes next; once for each nonce', async () => {
    const safeAddress = await addedSafe()
    await fill(safeAddress, alice.address, OF_ACCOUNT)
    await fill(safeAddress, bob.address, 5, { bytes: 10, first: 50 })
    expect(await propose(safeAddress, alice, { nonce: 51n })).toBe('TOO_MANY_PROPOSALS')
    expect(await propose(safeAddress, alice, newCancellation(safeAddress, 51n))).toBe('no error')
    expect(await propose(safeAddress, alice, newCancellation(safeAddress, 0n))).toBe('no error')
    const again = { ...newCancellation(safeAddress, 51n), safeTxGas: 1n }
    expect(await propose(safeAddress, alice, again)).toBe('TOO_MANY_PROPOSALS')
    // Nobody else proposed anything there.
    expect(await propose(safeAddress, alice, newCancellation(safeAddress, 7n))).toBe('TOO_MANY_PROPOSALS')
  })

  test('behavior: proposals that come together pass no bound together', async () => {
    const safeAddress = await addedSafe()
    await fill(safeAddress, alice.address, OF_ACCOUNT - 3)
    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, at) => propose(safeAddress, alice, { value: BigInt(at + 1) })),
    )
    expect(codes.filter((code) => code === 'no error')).toHaveLength(3)
    expect(codes.filter((code) => code === 'TOO_MANY_PROPOSALS')).toHaveLength(7)
  })

  test('error: TOO_MANY_PROPOSALS: over all Safes, also of what is not possible any more', async () => {
    const many = await Promise.all(
      Array.from({ length: 3 }, () => newSafe(devnet.rpcUrl, { owners: [dave.address], threshold: 1 })),
    )
    for (const [at, address] of many.entries()) {
      await call(asDave, addSafe, { chainId, address })
      if (at < 2) await fill(address, dave.address, 130, { bytes: 128_000, first: at === 0 ? 1_000 : -1_000 })
    }
    const [, , last] = many
    if (!last) throw new Error('There is no third Safe')
    expect(await propose(last, dave)).toBe('TOO_MANY_PROPOSALS')
    await server.db.execute(sql`delete from multisig_transaction where kept_by = ${sql.param(toBytes(dave.address))}`)
    expect(await propose(last, dave)).toBe('no error')
  })

  test('behavior: through the other transport: the same bounds, as a 422 with its sentence', async () => {
    const safeAddress = await addedSafe()
    const byBob = await newTxClient(server, asBob)
    const ask = async (fields: object, isSigned: boolean) => {
      const { safeTx, safeTxHash, signature } = await signedTx(safeAddress, bob, fields)
      const numbers = Object.fromEntries(
        Object.entries(safeTx).map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]),
      )
      const body = { ...numbers, contractTransactionHash: safeTxHash, sender: isSigned ? bob.address : alice.address }
      return byBob.post(`/v1/safes/${safeAddress}/multisig-transactions/`, isSigned ? { ...body, signature } : body)
    }
    // Transactions that bob leaves there in the name of alice take none of her room.
    await fill(safeAddress, stranger.address, OF_OTHERS - 1, { isSigned: false })
    expect((await ask({ value: 1n }, false)).status).toBe(201)
    expect(await ask({ value: 2n }, false)).toMatchObject({
      status: 422,
      body: {
        nonFieldErrors: [`There are \`400\` open proposals of the Safe \`${safeAddress}\` without a signature.`],
      },
    })
    expect(await propose(safeAddress, alice)).toBe('no error')
    expect((await ask({ value: 3n }, true)).status).toBe(201)
    await fill(safeAddress, bob.address, OF_ACCOUNT)
    expect(await ask({ value: 4n }, true)).toMatchObject({
      status: 422,
      body: { nonFieldErrors: [expect.stringContaining(bob.address)] },
    })
  })

  test('behavior: what an owner signs of another takes none of that other one’s room', async () => {
    const safeAddress = await addedSafe()
    const byBob = await newTxClient(server, asBob)
    const { safeTx, safeTxHash, signature } = await signedTx(safeAddress, bob, { value: 1n })
    const numbers = Object.fromEntries(
      Object.entries(safeTx).map(([key, value]) => [key, typeof value === 'bigint' ? value.toString() : value]),
    )
    const body = { ...numbers, contractTransactionHash: safeTxHash, sender: alice.address }
    expect((await byBob.post(`/v1/safes/${safeAddress}/multisig-transactions/`, body)).status).toBe(201)
    await call(asBob, confirmTransaction, { chainId, safeTxHash, signature })
    await fill(safeAddress, alice.address, OF_ACCOUNT - 1)
    expect(await propose(safeAddress, alice, { value: 2n })).toBe('no error')
    const { transactions } = await call(asAlice, listQueue, { chainId, safeAddress, limit: 100 })
    // The largest page that there is.
    expect(transactions).toHaveLength(100)
    expect(transactions.some((queued) => queued.safeTxHash === safeTxHash)).toBe(true)
  })
})
