import { demoAccounts } from '@countersign/devnet'
import { examineExecution, parseExecutionReceipt } from '@countersign/review'
import { hashSafeTx, newSafeTx, type RpcRequest, type SafeTx } from '@countersign/safe'
import { concat, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { useTokenWorld } from './test/token-world.ts'

const payee = demoAccounts[3]
const world = useTokenWorld()
const { chainId, token, engine, stranger, send } = world
const safeAbi = parseAbi([
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
])

const pay = (amount: bigint) => world.transferOf(payee.address, amount)

/** Executes a transaction of a new Safe, and then something else, so that the chain has gone on. */
async function execute(version: '1.3.0' | '1.4.1', fields: Partial<SafeTx> & Pick<SafeTx, 'to'>, saltNonce: bigint) {
  const safeAddress = await world.deployFunded(version, saltNonce)
  await send(safeAddress, '0x', 5_000n)
  const safeTx = newSafeTx({ nonce: 0n, ...fields })
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
  const signers = world.owners.toSorted((one, other) =>
    one.address.toLowerCase() < other.address.toLowerCase() ? -1 : 1,
  )
  const signatures = await Promise.all(
    signers.map(({ privateKey }) => privateKeyToAccount(privateKey).sign({ hash: safeTxHash })),
  )
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = safeTx
  const args = [to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver] as const
  const input = encodeFunctionData({
    abi: safeAbi,
    functionName: 'execTransaction',
    args: [...args, concat(signatures)],
  })
  const transactionHash = await send(safeAddress, input)
  await send(token, pay(0n))
  return { chainId, safeAddress, safeTx, safeTxHash, transactionHash }
}

const askSources = (request: RpcRequest) => async (blockNumber: bigint) => {
  const block = await request({ method: 'eth_getBlockByNumber', params: [numberToHex(blockNumber), false] })
  const { hash } = block as { hash: Hex }
  return ['one', 'other'].map((host) => ({ kind: 'node', name: host, host, hash }) as const)
}

const examined = (execution: Awaited<ReturnType<typeof execute>>, request: RpcRequest = world.node.request) =>
  examineExecution(execution, { request, askSources: askSources(request), needed: 2 }, engine)

describe('examineExecution', () => {
  test.each(['1.3.0', '1.4.1'] as const)(
    'default: a Safe %s did what a run on the block before shows',
    async (version) => {
      const payment = await execute(version, { to: token, data: pay(700n) }, 1n)
      const found = await examined(payment)
      expect(found).toMatchObject({ differences: [], vouching: { status: 'enough' } })
      expect(found?.receipt).toMatchObject({ outcome: 'success', isDirect: true, from: stranger.address })
      expect(found?.result).toMatchObject({ status: 'finished', grade: 'proved', outcome: { kind: 'success' } })
      expect(found?.result?.block.number).toBe(found?.receipt.blockNumber)
    },
  )

  test('behavior: one whose own call failed, and used up its nonce', async () => {
    const failed = await execute('1.4.1', { to: token, data: pay(7_000n), safeTxGas: 100_000n }, 2n)
    const found = await examined(failed)
    expect(found).toMatchObject({ differences: [], receipt: { outcome: 'inner-failure' } })
  })

  test('behavior: a receipt that says something else is contradicted by the run', async () => {
    const payment = await execute('1.4.1', { to: token, data: pay(700n) }, 3n)
    type Receipt = { logs: { topics: Hex[]; data: Hex }[]; status: Hex }
    const lying =
      (lie: (receipt: Receipt) => unknown): RpcRequest =>
      async (call) => {
        const answer = await world.node.request(call)
        return call.method === 'eth_getTransactionReceipt' ? lie(structuredClone(answer) as Receipt) : answer
      }
    const partsOf = async (lie: (receipt: Receipt) => unknown) =>
      (await examined(payment, lying(lie)))?.differences?.map(({ part }) => part)
    expect(await partsOf((receipt) => ({ ...receipt, status: '0x0', logs: [] }))).toEqual(['outcome', 'only-in-run'])
    expect(await partsOf((receipt) => ({ ...receipt, logs: [...receipt.logs, receipt.logs.at(-1)] }))).toEqual([
      'only-in-receipt',
    ])
    const other = `0x${'77'.padStart(64, '0')}` as const
    const changed = (receipt: Receipt) => ({
      ...receipt,
      logs: receipt.logs.map((log) => (log.topics.length === 3 ? { ...log, data: other } : log)),
    })
    expect(await partsOf(changed)).toEqual(['only-in-receipt', 'only-in-run'])
  })

  test('behavior: a receipt of a block that was replaced, and a node without the state before', async () => {
    const payment = await execute('1.4.1', { to: token, data: pay(1n) }, 4n)
    const replaced: RpcRequest = async (call) => {
      const answer = await world.node.request(call)
      const isReceipt = call.method === 'eth_getTransactionReceipt'
      return isReceipt ? { ...(answer as object), blockHash: `0x${'12'.repeat(32)}` } : answer
    }
    expect(await examined(payment, replaced)).toMatchObject({ result: null, vouching: { status: 'disagree' } })
    const pruned: RpcRequest = (call) =>
      /Proof|getCode|getStorageAt|getBalance|TransactionCount|_call/.test(call.method)
        ? Promise.reject(new Error('missing trie node'))
        : world.node.request(call)
    expect(await examined(payment, pruned)).toMatchObject({
      result: null,
      differences: null,
      receipt: { outcome: 'success' },
    })
    expect(await examined({ ...payment, transactionHash: `0x${'34'.repeat(32)}` })).toBeNull()
  })

  test('error: RPC_ERROR for the receipt of another transaction, and for what is none', async () => {
    const payment = await execute('1.4.1', { to: token, data: pay(2n) }, 5n)
    const answer = await world.node.request({ method: 'eth_getTransactionReceipt', params: [payment.transactionHash] })
    const read = (value: unknown) => () => parseExecutionReceipt(value, payment)
    expect(read(answer)()?.outcome).toBe('success')
    const whole = answer as Record<string, unknown>
    for (const wrong of [
      { ...whole, transactionHash: `0x${'56'.repeat(32)}` },
      { ...whole, logs: null },
      { ...whole, logs: [{ address: token, topics: ['0x1'], data: '0x' }] },
      { ...whole, blockNumber: 'latest' },
      { ...whole, status: null },
      'receipt',
    ])
      expect(read(wrong)).toThrow(expect.objectContaining({ code: 'RPC_ERROR' }))
  })
})
