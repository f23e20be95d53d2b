import { addSafe, call, findPayments, getSafe } from '@countersign/contract'
import { canonicalContract, demoAccounts, testContractAbi } from '@countersign/devnet'
import { isProvedPayment, readSignedPayment } from '@countersign/review'
import { encodeMultiSend } from '@countersign/safe/calls'
import { eq } from 'drizzle-orm'
import {
  type Address,
  concatHex,
  encodeFunctionData,
  getAddress,
  type Hex,
  numberToHex,
  pad,
  toEventSelector,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { payment, multisigTransaction as transaction } from '../../db/schema.ts'
import { recordOldPayments } from '../../indexer/write/payments.ts'
import { actor, asAlice, devnet, openScene, server } from '../../test/scene.ts'
import { devnetChain, eventually, newSafe } from '../../test/test-server.ts'

const [alice, bob, carol, dave, erin] = demoAccounts
const chainId = 31337
const topic = toEventSelector('Transfer(address,address,uint256)')
/** A contract that logs any transfer it is told to log. */
const LOGGER: Hex = `0x60206040600037602035600035${`7f${topic.slice(2)}`}60206000a300`
const logger: Address = '0x00000000000000000000000000000000000b0001'

let safeAddress: Address

openScene([alice], () => ({
  chains: [{ ...devnetChain(devnet.rpcUrl), tokens: [{ address: devnet.tokens.erc20, symbol: 'TUSD', decimals: 6 }] }],
}))

const token = (functionName: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName, args })
const logged = (to: Address, amount = 10n ** 30n): Hex =>
  concatHex([pad(safeAddress), pad(to), numberToHex(amount, { size: 32 })])
const accountAt = (index: number): Address => getAddress(numberToHex(2n ** 150n + BigInt(index), { size: 20 }))
const paid = async () => (await call(asAlice, getSafe, { chainId, safeAddress })).paid
const paymentsTo = async (...payees: Address[]) =>
  (await call(asAlice, findPayments, { chainId, safeAddress, payees })).executions
const executed = () => server.db.$count(transaction, eq(transaction.safeAddress, safeAddress))

beforeAll(async () => {
  const { erc20 } = devnet.tokens
  safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
  await actor.rpc('anvil_setCode', logger, LOGGER)
  await actor.send({ to: safeAddress, value: 10n ** 18n })
  await actor.send({ to: erc20, data: token('mint', [safeAddress, 5_000_000n]) })
  await actor.execute(safeAddress, { to: bob.address, value: 1n })
  await actor.execute(safeAddress, {
    to: canonicalContract('1.4.1', 'multi_send_call_only').address,
    operation: 1,
    data: encodeMultiSend([
      { to: bob.address, value: 1n, data: '0x' },
      { to: erc20, value: 0n, data: token('transfer', [carol.address, 1_250_000n]) },
    ]),
  })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  await eventually(async () => (await executed()) === 2)
})

describe('findPayments', () => {
  test('default: returns the newest execution for each payee once, with the fields for its proof', async () => {
    expect((await paid()).sort()).toEqual([bob.address, carol.address].sort())
    const executions = await paymentsTo(bob.address, carol.address, dave.address)
    expect(executions).toHaveLength(1)
    const [execution] = executions
    if (execution === undefined) throw new Error('unreachable')
    const read = await readSignedPayment({ chainId, safeAddress }, execution)
    expect(read?.payees.toSorted()).toEqual([bob.address, carol.address].sort())
    const state = { owners: [alice.address], threshold: 1, nonce: 2n }
    expect(read && isProvedPayment(read, state)).toBe(true)
    expect(await paymentsTo()).toEqual([])
  })

  test('behavior: reads payments of transactions that were stored without them', async () => {
    await server.db.delete(payment)
    await server.db.update(transaction).set({ hasPayments: false })
    expect(await paid()).toEqual([])
    await recordOldPayments(server.db, chainId)
    expect((await paid()).sort()).toEqual([bob.address, carol.address].sort())
    await recordOldPayments(server.db, chainId)
    expect(await server.db.$count(payment)).toBe(3)
  })

  test('behavior: logs neither add nor displace a payee', async () => {
    const { erc20 } = devnet.tokens
    const before = await paid()
    const strangers = Array.from({ length: 120 }, (_, index) => accountAt(index))
    // An unknown contract logs payments, and a listed token logs a payment of zero, which anyone can cause.
    for (const to of strangers) await actor.send({ to: logger, data: logged(to) })
    await actor.send({ to: erc20, data: token('transferFrom', [safeAddress, dave.address, 0n]) })
    // The Safe itself calls the contract, alone and beside a payment of nothing.
    await actor.execute(safeAddress, { to: logger, data: logged(dave.address) })
    await actor.execute(safeAddress, { to: erc20, data: token('transfer', [dave.address, 0n]) })
    await actor.execute(safeAddress, { to: erc20, data: token('approve', [dave.address, 7n]) })
    await actor.execute(safeAddress, { to: erin.address })
    // An execution that fails pays nobody.
    await actor.execute(safeAddress, { to: erin.address, value: 10n ** 24n, safeTxGas: 1n })
    await eventually(async () => (await executed()) === 7)
    expect((await paid()).sort()).toEqual(before.sort())
    expect(await paymentsTo(...strangers, dave.address, erin.address)).toEqual([])
    expect((await paymentsTo(bob.address)).map(({ safeTx }) => safeTx.nonce)).toEqual([1n])
  })
})
