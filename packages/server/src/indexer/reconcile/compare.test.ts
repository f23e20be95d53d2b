import { addSafe, call } from '@countersign/contract'
import {
  canonicalContract,
  demoAccounts,
  deployContractAccount,
  deployOldSafe,
  testContractAbi,
} from '@countersign/devnet'
import { encodeSignatures } from '@countersign/safe'
import { encodeExecTransaction, encodeMultiSend } from '@countersign/safe/calls'
import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { type Abi, type Address, encodeFunctionData, type Hex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { historyEntry, multisigTransaction, safe } from '../../db/schema.ts'
import { settingsAbi } from '../../test/safe-actor.ts'
import { actor, asAlice, devnet, openScene, server } from '../../test/scene.ts'
import { type Asked, changing, honest, refusing, type Script, startScriptedNode } from '../../test/scripted-node.ts'
import { devnetChain, eventually, newSafe, signedTx, signInAs, startTestServer } from '../../test/test-server.ts'

const [alice, bob, carol, stranger] = demoAccounts
const chainId = 31337

openScene([alice])

type Row = typeof historyEntry.$inferSelect

async function historyOf(safeAddress: Address): Promise<Row[]> {
  return server.db
    .select()
    .from(historyEntry)
    .where(and(eq(historyEntry.chainId, chainId), eq(historyEntry.safeAddress, safeAddress)))
    .orderBy(asc(historyEntry.blockNumber), asc(historyEntry.logIndex), asc(historyEntry.part))
}

function settings(functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: settingsAbi as Abi, functionName, args })
}

function erc20(functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName, args })
}

describe('compare', () => {
  const versions = ['1.0.0', '1.1.1', '1.2.0'] as const

  test.each(versions)('behavior: what leaves no log is found, Safe %s', async (version) => {
    const safeAddress = await deployOldSafe({
      rpcUrl: devnet.rpcUrl,
      version,
      owners: [alice.address],
      threshold: 1,
      saltNonce: 1n,
    })
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    await actor.send({ to: safeAddress, value: 9_000n })
    const paid = await actor.execute(safeAddress, { to: bob.address, value: 1_000n }, version)
    await actor.send({ to: safeAddress, value: 5n })
    const data = erc20('mint', [safeAddress, 3n])
    const called = await actor.execute(safeAddress, { to: devnet.tokens.erc20, data }, version)

    const wanted = (rows: Row[]) => rows.filter(({ kind }) => kind !== 'created')
    const rows = await eventually(async () => {
      const found = wanted(await historyOf(safeAddress))
      return found.length >= 6 && found
    })
    const summary = rows.map(({ kind, amount, counterparty, safeTxHash, transactionHash }) => ({
      kind,
      amount,
      counterparty,
      safeTxHash,
      transactionHash,
    }))
    const nothing: Address = '0x0000000000000000000000000000000000000000'
    const native = (kind: string, amount: bigint, counterparty: Address) =>
      expect.objectContaining({ kind, amount, counterparty })
    const executed = (of: { safeTxHash: Hex; transactionHash: Hex }) =>
      expect.objectContaining({ kind: 'executed', safeTxHash: of.safeTxHash, transactionHash: of.transactionHash })
    expect(summary).toHaveLength(6)
    for (const expected of [
      native('transfer-in', 9_000n, demoAccounts[8].address),
      executed(paid),
      native('transfer-out', 1_000n, bob.address),
      native('transfer-in', 5n, demoAccounts[8].address),
      native('transfer-in', 3n, nothing),
      executed(called),
    ])
      expect(summary).toContainEqual(expected)
    const [transaction] = await server.db
      .select()
      .from(multisigTransaction)
      .where(eq(multisigTransaction.safeTxHash, paid.safeTxHash))
    expect(transaction).toMatchObject({
      isExecuted: true,
      isSuccessful: true,
      to: bob.address,
      value: 1_000n,
      nonce: 0n,
    })
  })

  test('behavior: coin that a contract moves from inside is found by traces', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl, { l2: false, owners: [alice.address], threshold: 1 })
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    await actor.send({ to: safeAddress, value: 500n })
    await actor.execute(safeAddress, { to: safeAddress, data: settings('enableModule', [stranger.address]) })
    await actor.send({
      from: stranger.address,
      to: safeAddress,
      data: settings('execTransactionFromModule', [carol.address, 40n, '0x', 0]),
    })
    const out = await eventually(async () => (await historyOf(safeAddress)).find(({ kind }) => kind === 'transfer-out'))
    expect(out).toMatchObject({ amount: 40n, counterparty: carol.address, tokenKind: 'native' })
  })

  test('behavior: without traces it is said that the cause is not known, with blocks and amount', async () => {
    const node = await startScriptedNode(
      devnet.rpcUrl,
      refusing(({ method }) => method.startsWith('debug_')),
    )
    const other = await startTestServer({ chains: [devnetChain(node.url)] })
    try {
      const safeAddress = await newSafe(devnet.rpcUrl, { l2: false, owners: [alice.address], threshold: 1 })
      await call(await signInAs(other, alice), addSafe, { chainId, address: safeAddress })
      await actor.send({ to: safeAddress, value: 500n })
      // A contract: of a key the transaction itself tells.
      const module = await deployContractAccount(devnet.rpcUrl, stranger.address, stranger.address)
      await actor.execute(safeAddress, { to: safeAddress, data: settings('enableModule', [module]) })
      await actor.send({
        from: stranger.address,
        to: module,
        data: encodeFunctionData({
          abi: testContractAbi('ContractAccount'),
          functionName: 'execute',
          args: [safeAddress, 0n, settings('execTransactionFromModule', [carol.address, 40n, '0x', 0])],
        }),
      })
      const unexplained = (count: number) =>
        eventually(async () => {
          const found = await other.db
            .select()
            .from(historyEntry)
            .where(and(eq(historyEntry.safeAddress, safeAddress), isNotNull(historyEntry.afterBlock)))
            .orderBy(asc(historyEntry.blockNumber))
          return found.length === count && found
        })
      await unexplained(1)
      // The node alone knows of this one; in a block of its own, as it changes the newest.
      await actor.rpc('anvil_mine', '0x1')
      await actor.rpc('anvil_setBalance', safeAddress, '0x1000')
      await actor.rpc('anvil_mine', '0x1')
      const rows = await unexplained(2)
      expect(rows[0]).toMatchObject({
        kind: 'unexplained-out',
        amount: 40n,
        transactionHash: null,
        tokenKind: 'native',
      })
      expect((rows[0]?.blockNumber ?? 0) - (rows[0]?.afterBlock ?? 0)).toBe(1)
      expect(rows[1]).toMatchObject({ kind: 'unexplained-in', amount: 0x1000n - 460n })

      // As soon as the node traces, what a trace explains is explained; the other stays.
      node.play(honest)
      other.pass(120_000)
      const [left] = await unexplained(1)
      expect(left).toEqual(rows[1])
      const all = await other.db.select().from(historyEntry).where(eq(historyEntry.safeAddress, safeAddress))
      const outgoing = all.filter(({ kind }) => kind === 'transfer-out')
      expect(outgoing).toMatchObject([
        { amount: 40n, counterparty: carol.address, blockNumber: rows[0]?.blockNumber, afterBlock: null },
      ])
    } finally {
      await other.stop()
      await node.close()
    }
  })

  test('behavior: several executions in one Ethereum transaction are found, Safe 1.0.0', async () => {
    const owners = [alice.address]
    const target = { rpcUrl: devnet.rpcUrl, version: '1.0.0', owners, threshold: 1, saltNonce: 2n } as const
    const safeAddress = await deployOldSafe(target)
    const outer = await newSafe(devnet.rpcUrl, { owners, threshold: 1 })
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    await actor.send({ to: safeAddress, value: 9_000n })
    const calls = await Promise.all(
      [0n, 1n, 2n].map(async (nonce) => {
        const fields = { to: bob.address, value: 10n + nonce, nonce }
        const { safeTx, signature } = await signedTx(safeAddress, alice, fields, { version: '1.0.0' })
        const data = encodeExecTransaction(safeTx, encodeSignatures([{ owner: alice.address, signature }]))
        return { to: safeAddress, value: 0n, data }
      }),
    )
    const to = canonicalContract('1.4.1', 'multi_send_call_only').address
    await actor.execute(outer, { to, operation: 1, data: encodeMultiSend(calls) })
    const compared = await eventually(async () => {
      const [row] = await server.db.select().from(safe).where(eq(safe.address, safeAddress))
      return row?.comparedNonce === 3n && row
    })
    expect(compared.comparedBalance).toBe(9_000n - 33n)
    const rows = await historyOf(safeAddress)
    expect(rows.filter(({ kind }) => kind === 'executed')).toHaveLength(3)
    expect(rows.filter(({ kind }) => kind === 'transfer-out').map(({ amount }) => amount)).toEqual([10n, 11n, 12n])
    expect(rows.filter(({ kind }) => kind.startsWith('unexplained'))).toEqual([])
  })

  test('behavior: what was sent twice in one block and failed once was executed once, Safe 1.0.0', async () => {
    const target = {
      rpcUrl: devnet.rpcUrl,
      version: '1.0.0',
      owners: [alice.address],
      threshold: 1,
      saltNonce: 3n,
    } as const
    const safeAddress = await deployOldSafe(target)
    await actor.send({ to: safeAddress, value: 50n })
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    const fields = { to: bob.address, value: 7n, nonce: 0n }
    const { safeTx, signature } = await signedTx(safeAddress, alice, fields, { version: '1.0.0' })
    const data = encodeExecTransaction(safeTx, encodeSignatures([{ owner: alice.address, signature }]))
    await actor.rpc('evm_setAutomine', false)
    const send = (from: Address, gas: number, gasPrice: bigint) =>
      actor.rpc('eth_sendTransaction', { from, to: safeAddress, data, gas: toHex(gas), gasPrice: toHex(gasPrice) })
    const failed = await send(carol.address, 40_000, 9n * 10n ** 9n)
    const done = await send(stranger.address, 1_000_000, 3n * 10n ** 9n)
    await actor.rpc('evm_mine')
    await actor.rpc('evm_setAutomine', true)
    expect(await actor.rpc('eth_getTransactionReceipt', failed)).toMatchObject({
      status: '0x0',
      transactionIndex: '0x0',
    })
    const [row] = await eventually(async () => {
      const found = (await historyOf(safeAddress)).filter(({ kind }) => kind === 'executed')
      return found.length > 0 && found
    })
    expect(row?.transactionHash).toBe(done)
    await eventually(
      async () => (await server.db.select().from(safe).where(eq(safe.address, safeAddress)))[0]?.comparedNonce === 1n,
    )
    const rows = await historyOf(safeAddress)
    expect(rows.filter(({ kind }) => kind === 'executed')).toHaveLength(1)
    expect(rows.filter(({ afterBlock }) => afterBlock !== null)).toEqual([])
  })

  test('behavior: after a reorganisation it goes on where the node still has state', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl, { l2: false, owners: [alice.address], threshold: 1 })
    const start = Number(await actor.rpc('eth_blockNumber'))
    await actor.rpc('anvil_mine', '0x14')
    const isOld = (block: unknown) => /^0x/.test(String(block)) && Number(block) < start + 15
    const node = await startScriptedNode(
      devnet.rpcUrl,
      refusing(({ method, params }) => ['eth_getBalance', 'eth_call'].includes(method) && isOld(params[1])),
    )
    const chain = { ...devnetChain(node.url), startBlock: start }
    const other = await startTestServer({ chains: [chain] })
    const readRow = async () => (await other.db.select().from(safe).where(eq(safe.address, safeAddress)))[0]
    try {
      await call(await signInAs(other, alice), addSafe, { chainId, address: safeAddress })
      const snapshot = await actor.rpc('evm_snapshot')
      await actor.rpc('anvil_mine', '0x3')
      const head = Number(await actor.rpc('eth_blockNumber'))
      await eventually(async () => ((await readRow())?.comparedBlock ?? -1) >= head)
      await actor.revert(snapshot)
      await actor.rpc('anvil_mine', '0x1')
      // No log tells of it.
      await actor.rpc('anvil_setBalance', safeAddress, '0x1000')
      await actor.rpc('anvil_mine', '0x5')
      const found = await eventually(async () => {
        const rows = await other.db.select().from(historyEntry).where(eq(historyEntry.safeAddress, safeAddress))
        return rows.find(({ kind }) => kind === 'unexplained-in')
      })
      expect(found.amount).toBe(0x1000n)
    } finally {
      await other.stop()
      await node.close()
    }
  })

  /** Follows a Safe through a node that says what it is told to of its balance. */
  async function followThrough(script: Script) {
    const node = await startScriptedNode(devnet.rpcUrl)
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    const other = await startTestServer({ chains: [devnetChain(node.url)] })
    await call(await signInAs(other, alice), addSafe, { chainId, address: safeAddress })
    const readRow = async () => (await other.db.select().from(safe).where(eq(safe.address, safeAddress)))[0]
    await eventually(async () => (await readRow())?.comparedBlock !== null)
    node.exchanges.length = 0
    node.play(script)
    await actor.send({ to: safeAddress, value: 500n })
    return {
      node,
      other,
      compared: () => eventually(async () => (await readRow())?.comparedBalance === 500n),
      entries: () => other.db.select().from(historyEntry).where(eq(historyEntry.safeAddress, safeAddress)),
      stop: async () => {
        await other.stop()
        await node.close()
      },
    }
  }
  const isState = ({ method }: Asked) => method === 'eth_getBalance' || method === 'eth_call'
  /** Asked of one Safe, or of many at once. */
  const isQuantity = ({ method, params: [call] }: Asked) =>
    method === 'eth_getBalance' ||
    (method === 'eth_call' && typeof call === 'object' && call !== null && !('to' in call))
  const isByHash = ({ params }: Asked) => typeof params[1] === 'object'

  test('behavior: state is asked for by the hash of the block that is followed', async () => {
    // By number it is of another branch.
    const lying = changing((answer, asked) =>
      isQuantity(asked) && !isByHash(asked) ? { ...answer, result: '0x7' } : answer,
    )
    const { compared, entries, stop } = await followThrough(lying)
    try {
      await compared()
      expect((await entries()).map(({ kind }) => kind)).toEqual(['created', 'transfer-in'])
    } finally {
      await stop()
    }
  })

  test('behavior: a node that takes no hashes there is asked by number, and for the hash afterwards', async () => {
    const error = { code: -32602, message: 'invalid argument 1: hex string expected' }
    const { node, compared, entries, stop } = await followThrough(
      refusing((exchange) => isState(exchange) && isByHash(exchange), error),
    )
    try {
      await compared()
      expect((await entries()).map(({ kind }) => kind)).toEqual(['created', 'transfer-in'])
      node.exchanges.length = 0
      await actor.rpc('anvil_mine', '0x1')
      await eventually(async () => node.exchanges.flat().some(isState))
      // It is not asked in vain again.
      expect(node.exchanges.flat().filter((exchange) => isState(exchange) && isByHash(exchange))).toEqual([])
    } finally {
      await stop()
    }
  })

  test('behavior: nothing is written down of a block that is not followed', async () => {
    let last = 0
    const onBranch: Script = async (asked, truth) => {
      const isAlone = asked.every(({ method }) => method === 'eth_getBlockByNumber')
      const answers = await truth()
      return answers.map((answer) => {
        const question = asked.find(({ id }) => id === answer.id)
        if (!question) return answer
        if (isState(question) && isByHash(question))
          return {
            jsonrpc: '2.0',
            id: question.id,
            error: { code: -32000, message: 'hash is not currently canonical' },
          }
        if (isQuantity(question)) {
          last = Date.now()
          return { ...answer, result: '0x7' }
        }
        // Just after its state it tells the hash that belongs to it.
        const isAfterState = isAlone && asked.length === 1 && Date.now() - last < 200 && question.params[0] !== 'latest'
        return isAfterState && typeof answer.result === 'object'
          ? { ...answer, result: { ...answer.result, hash: `0x${'cd'.repeat(32)}` } }
          : answer
      })
    }
    const { node, other, compared, entries, stop } = await followThrough(onBranch)
    try {
      await eventually(async () => other.logged.some((line) => line.includes('changed while it was read')))
      expect((await entries()).map(({ kind }) => kind)).not.toContain('unexplained-out')
      node.play(honest)
      await compared()
      expect((await entries()).map(({ kind }) => kind)).toEqual(['created', 'transfer-in'])
    } finally {
      await stop()
    }
  })
})
