import { readFact } from '@countersign/review'
import { hashSafeTx, newSafeTx, type RpcRequest, readSafeState, type SafeTx } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { deploySafe } from './deploy-safe.ts'
import { requestNode, sendAll } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'

// Payments of real Safes, added up from a real node's logs.

const owner = demoAccounts[4]
const payee = demoAccounts[5].address
const DAY = 86_400

let devnet: Devnet
let l1: Address
let l2: Address
beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  const { rpcUrl, chainId } = devnet
  const safe = { rpcUrl, chainId, version: '1.4.1', owners: [owner.address], threshold: 1 } as const
  l1 = await deploySafe({ ...safe, l2: false, saltNonce: 71n })
  l2 = await deploySafe({ ...safe, l2: true, saltNonce: 72n })
  for (const account of [l1, l2])
    await requestNode(rpcUrl, 'anvil_setBalance', account, `0x${(10n ** 18n).toString(16)}`)
})
afterAll(() => devnet?.close())

const request: RpcRequest = ({ method, params = [] }) => requestNode(devnet.rpcUrl, method, ...params)

async function execute(safeAddress: Address, fields: Partial<SafeTx>): Promise<void> {
  const { chainId, rpcUrl } = devnet
  const { nonce } = await readSafeState(request, safeAddress, chainId)
  const safeTx = newSafeTx({ to: payee, ...fields, nonce })
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version: '1.4.1', safeTx })
  const signature = await sign({ hash: safeTxHash, privateKey: owner.privateKey, to: 'hex' })
  await sendAll(rpcUrl, owner.address, [
    { to: safeAddress, data: encodeExecTransaction(safeTx, signature), gas: 500_000n },
  ])
}

async function amountsOf(safeAddress: Address, asset: Address, by: RpcRequest = request) {
  const { chainId } = devnet
  const { nonce } = await readSafeState(request, safeAddress, chainId)
  const need = { chainId, safeAddress, nonce, version: '1.4.1', limits: [{ asset, period: DAY }] }
  const [amount] = (await readFact(() => by, { id: 'executedAmounts', need })) as {
    executed?: unknown
    moved?: unknown
  }[]
  return amount
}

const values = (amount: unknown) =>
  (amount as { executed?: { safeTx: SafeTx; isSuccessful: boolean }[] }).executed?.map(
    ({ safeTx, isSuccessful }) => `${safeTx.value} ${isSuccessful}`,
  )

describe('executedAmounts', () => {
  test('default: what Safes of both kinds executed within the period, bound to their nonces', async () => {
    for (const safeAddress of [l1, l2]) {
      await execute(safeAddress, { value: 1n })
      await execute(safeAddress, { value: 2n })
      // More than it holds; with gas of its own it fails, and uses its nonce.
      await execute(safeAddress, { value: 10n ** 19n, safeTxGas: 50_000n })
      expect(values(await amountsOf(safeAddress, zeroAddress))).toEqual(['1 true', '2 true', `${10n ** 19n} false`])
    }
  })

  test('behavior: tokens by their transfers from the Safe to others', async () => {
    const { erc20 } = devnet.tokens
    const transfer = (to: Address, amount: bigint): Hex =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
    const [holder] = demoAccounts
    await sendAll(devnet.rpcUrl, holder.address, [{ to: erc20, data: transfer(l1, 1_000n), gas: 200_000n }])
    await execute(l1, { to: erc20, data: transfer(payee, 7n) })
    await execute(l1, { to: erc20, data: transfer(l1, 100n) })
    await execute(l1, { to: erc20, data: transfer(payee, 5n) })
    expect(await amountsOf(l1, erc20)).toMatchObject({ moved: 12n })
    expect(await amountsOf(l2, erc20)).toMatchObject({ moved: 0n })
  })

  test('behavior: a node that leaves an execution out, changes one or gives other logs is no answer', async () => {
    const lying =
      (change: (logs: Record<string, unknown>[]) => unknown): RpcRequest =>
      async (asked) => {
        const answer = await request(asked)
        return asked.method === 'eth_getLogs' ? change(answer as Record<string, unknown>[]) : answer
      }
    const of = async (safe: Address, change: (logs: Record<string, unknown>[]) => unknown) =>
      values(await amountsOf(safe, zeroAddress, lying(change)))
    expect(await of(l1, (logs) => logs)).toHaveLength(6)
    expect(await of(l1, (logs) => logs.slice(0, -1))).toBeUndefined()
    expect(await of(l1, (logs) => logs.toSpliced(2, 1))).toBeUndefined()
    expect(await of(l1, (logs) => logs.map((log) => ({ ...log, address: payee })))).toBeUndefined()
    expect(await of(l1, () => null)).toBeUndefined()
    const swap = (word: string) => (logs: Record<string, unknown>[]) =>
      logs.map((log) => ({ ...log, data: String(log.data).replace(word, '9'.repeat(word.length)) }))
    expect(await of(l2, swap(payee.slice(2).toLowerCase()))).toHaveLength(3)
    expect(
      await amountsOf(
        l1,
        zeroAddress,
        lying(() => Promise.reject(new Error('too many'))),
      ),
    ).toMatchObject({
      executed: undefined,
    })
  })

  test('behavior: what is older than the period does not count', async () => {
    await requestNode(devnet.rpcUrl, 'evm_increaseTime', DAY + 1)
    await requestNode(devnet.rpcUrl, 'evm_mine')
    expect(values(await amountsOf(l2, zeroAddress))).toEqual([])
    await execute(l2, { value: 3n })
    expect(values(await amountsOf(l2, zeroAddress))).toEqual(['3 true'])
  })
})
