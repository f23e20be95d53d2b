import { addSafe, call, listQueue, listSafes, proposeTransaction } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { encodeSignatures, safeEventTopics } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { and, eq, sql } from 'drizzle-orm'
import { type Address, concat, type Hex, pad, toHex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chainCursor, historyEntry, multisigTransaction, safe } from '../db/schema.ts'
import { transferTopics } from '../rpc/logs.ts'
import { actor, asAlice, closeScene, devnet, server, startScene } from '../test/scene.ts'
import { type Browser, eventually, newSafe, signedTx, signInAs } from '../test/test-server.ts'

const [alice, bob] = demoAccounts
const chainId = 31337

/** The contract was a Safe when it was added; another could imitate one from the start. */
let hostile: Address
let honest: Address

beforeEach(async () => {
  await startScene([alice])
  const owners = [alice.address]
  hostile = await newSafe(devnet.rpcUrl, { l2: false, owners, threshold: 1 })
  honest = await newSafe(devnet.rpcUrl, { l2: false, owners, threshold: 1 })
  for (const address of [hostile, honest])
    await eventually(() => call(asAlice, addSafe, { chainId, address }).catch(() => null))
})

afterEach(closeScene)

async function become(code: Hex): Promise<void> {
  await actor.rpc('anvil_setCode', hostile, code)
}

/** Emits a log with one word of data, whatever it is asked. */
function emitting(word: Hex, topics: Hex[]): Hex {
  const pushed = topics.toReversed().map((topic) => concat(['0x7f', topic]))
  return concat(['0x7f', word, '0x5f52', ...pushed, '0x60205f', `0xa${topics.length}`, '0x00'])
}

async function head(): Promise<number> {
  return Number(await actor.rpc('eth_blockNumber'))
}

/** Until everything up to now is read, and the honest Safe is compared with the chain. */
async function untilRead(): Promise<void> {
  const block = await head()
  await eventually(async () => {
    const [cursor] = await server.db.select().from(chainCursor).where(eq(chainCursor.chainId, chainId))
    const [row] = await server.db.select().from(safe).where(eq(safe.address, honest))
    return (cursor?.blockNumber ?? -1) >= block && (row?.comparedBlock ?? -1) >= block
  })
}

describe('a contract that calls itself a Safe', () => {
  test('behavior: a nonce that jumps by 2^200 each block keeps nobody busy', async () => {
    // number() << 200
    await become('0x4360c81b5f5260205ff3')
    const { safeTx, signature } = await signedTx(hostile, alice)
    const data = encodeExecTransaction(safeTx, encodeSignatures([{ owner: alice.address, signature }]))
    for (let round = 0; round < 3; round += 1) await actor.send({ to: hostile, data })
    await actor.send({ to: honest, value: 5n })
    await untilRead()
  })

  test.each([
    ['reverts', '0x5f5ffd'],
    ['answers more than a number', '0x5f195f5260405ff3'],
    ['uses up all gas', '0x5b5f56'],
  ] as const)('behavior: that %s does not keep the others from being compared', async (_, code) => {
    await become(code)
    await actor.send({ to: honest, value: 5n })
    await untilRead()
  })

  test('behavior: a threshold that no database holds is left out', async () => {
    await become(emitting(`0x${'ff'.repeat(32)}`, safeEventTopics('ChangedThreshold').slice(0, 1)))
    await actor.send({ to: hostile })
    await untilRead()
    const entries = await server.db.select().from(historyEntry).where(eq(historyEntry.safeAddress, hostile))
    expect(entries).toContainEqual(expect.objectContaining({ kind: 'threshold-changed', threshold: null }))
  })

  test("behavior: logging another Safe's hash changes nothing there", async () => {
    const { safeTx, safeTxHash, sender, signature } = await signedTx(honest, alice, { to: bob.address })
    const [topic = '0x'] = safeEventTopics('ExecutionSuccess')
    await become(emitting(pad('0x00'), [topic, safeTxHash]))
    await actor.send({ to: hostile })
    await untilRead()
    const find = () =>
      server.db
        .select()
        .from(multisigTransaction)
        .where(and(eq(multisigTransaction.chainId, chainId), eq(multisigTransaction.safeTxHash, safeTxHash)))
    expect(await find()).toMatchObject([{ safeAddress: hostile, nonce: null }])

    await call(asAlice, proposeTransaction, {
      chainId,
      safeAddress: honest,
      safeTx,
      safeTxHash,
      sender,
      signature,
    })
    const { transactions } = await call(asAlice, listQueue, { chainId, safeAddress: honest })
    expect(transactions).toMatchObject([{ safeTxHash, safeAddress: honest, isExecuted: false }])

    await actor.send({ to: hostile })
    await actor.execute(honest, { to: bob.address })
    await actor.send({ to: hostile })
    await untilRead()
    expect(await find()).toMatchObject([{ safeAddress: honest, isExecuted: true, nonce: 0n }])
  })

  test('behavior: nor does logging it before the Safe executes what was never proposed', async () => {
    const { safeTxHash } = await signedTx(honest, alice, { to: bob.address })
    const [topic = '0x'] = safeEventTopics('ExecutionSuccess')
    await become(emitting(pad('0x00'), [topic, safeTxHash]))
    await actor.send({ to: hostile })
    await untilRead()
    await actor.execute(honest, { to: bob.address })
    await actor.send({ to: hostile })
    await untilRead()
    const rows = await server.db
      .select()
      .from(multisigTransaction)
      .where(eq(multisigTransaction.safeTxHash, safeTxHash))
    expect(rows).toMatchObject([{ safeAddress: honest, isExecuted: true, nonce: 0n }])
  })

  test('behavior: a block that is full of made-up transfers to one Safe is read', async () => {
    const [count, perTransaction] = [4, 5_000]
    // Counts down, and each time emits Transfer(0, honest, count).
    await become(
      concat([
        '0x61',
        toHex(perTransaction, { size: 2 }),
        '0x5b807f',
        pad(honest),
        '0x5f7f',
        transferTopics.transfer,
        '0x5f5fa4',
        '0x6001900380600357',
        '0x00',
      ]),
    )
    await actor.rpc('evm_setBlockGasLimit', toHex(100_000_000))
    await actor.rpc('evm_setAutomine', false)
    for (let round = 0; round < count; round += 1)
      await actor.rpc('eth_sendTransaction', { from: bob.address, to: hostile, gas: toHex(14_000_000) })
    await actor.rpc('evm_mine')
    await actor.rpc('evm_setAutomine', true)
    await actor.send({ to: honest, value: 5n })
    await untilRead()
    const [row] = await server.db
      .select({ count: sql<number>`count(*)::int` })
      .from(historyEntry)
      .where(and(eq(historyEntry.safeAddress, honest), eq(historyEntry.tokenKind, 'erc721')))
    expect(row?.count).toBe(count * perTransaction)
  })

  test("behavior: what others add in an account's name comes after what it added itself", async () => {
    const asBob = await signInAs(server, bob)
    const add = async (browser: Browser) => {
      const address = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
      await eventually(() => call(browser, addSafe, { chainId, address }).catch(() => null))
      return address
    }
    const foreign = await add(asBob)
    const own = await add(asAlice)
    const { safes } = await call(asAlice, listSafes, {})
    expect(safes.map(({ address }) => address)).toEqual([hostile, honest, own, foreign])
  })
})
