import { addSafe, call, confirmTransaction, proposeTransaction } from '@countersign/contract'
import { demoAccounts } from '@countersign/devnet'
import { encodeSignatures } from '@countersign/safe'
import { encodeExecTransaction } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, hexToBigInt, hexToNumber, parseGwei } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { settingsAbi } from '../test/safe-actor.ts'
import { actor, asAlice, asBob, devnet, openScene, server } from '../test/scene.ts'
import { eventually, newSafe, signedTx } from '../test/test-server.ts'
import { newTxClient, type TxClient } from '../test/tx-client.ts'

const [alice, bob, carol] = demoAccounts
const sender = demoAccounts[8].address
const chainId = 31337
const hex = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'))
const receipt = z.object({ gasUsed: hex, effectiveGasPrice: hex, blockNumber: hex, transactionHash: hex })
const block = z.object({ timestamp: hex })

let client: TxClient

openScene([alice, bob])

beforeAll(async () => {
  client = await newTxClient(server, asAlice)
})

/** A Safe of two with a transaction that both have confirmed, and the calldata that executes it. */
async function confirmed(): Promise<{ safeAddress: Address; safeTxHash: Hex; signatures: Hex; data: Hex }> {
  const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address] })
  await call(asAlice, addSafe, { chainId, address: safeAddress })
  const proposal = await signedTx(safeAddress, alice, { to: carol.address })
  const { signature } = await signedTx(safeAddress, bob, { to: carol.address })
  const { safeTxHash } = proposal
  await call(asAlice, proposeTransaction, { chainId, safeAddress, ...proposal, origin: '{"note":"rent"}' })
  await call(asBob, confirmTransaction, { chainId, safeTxHash, signature })
  const signatures = encodeSignatures([
    { owner: alice.address, signature: proposal.signature },
    { owner: bob.address, signature },
  ])
  return { safeAddress, safeTxHash, signatures, data: encodeExecTransaction(proposal.safeTx, signatures) }
}

function executedFacts(safeTxHash: Hex) {
  return eventually(async () => {
    const found = await client.kit.getTransaction(safeTxHash)
    return found.isExecuted && found
  })
}

describe('an execution', () => {
  test('default: what it cost and carried, and everything that was said before stays', async () => {
    const { safeAddress, safeTxHash, signatures, data } = await confirmed()
    const other = await signedTx(safeAddress, alice, { to: carol.address, value: 1n })
    await call(asAlice, proposeTransaction, { chainId, safeAddress, ...other })
    const before = await client.kit.getTransaction(safeTxHash)
    const hash = await actor.send({ to: safeAddress, data })
    const mined = receipt.parse(await actor.rpc('eth_getTransactionReceipt', hash))
    const { timestamp } = block.parse(await actor.rpc('eth_getBlockByNumber', mined.blockNumber, false))
    const after = await executedFacts(safeTxHash)
    const gasUsed = hexToNumber(mined.gasUsed)
    expect(after).toEqual({
      ...before,
      isExecuted: true,
      isSuccessful: true,
      transactionHash: hash,
      blockNumber: hexToNumber(mined.blockNumber),
      executor: sender,
      gasUsed,
      fee: (BigInt(gasUsed) * hexToBigInt(mined.effectiveGasPrice)).toString(),
      ethGasPrice: hexToBigInt(mined.effectiveGasPrice).toString(),
      payment: '0',
      signatures,
      executionDate: new Date(hexToNumber(timestamp) * 1000).toISOString().replace('.000Z', 'Z'),
      modified: expect.any(String),
    })
    expect((await client.kit.getSafeInfo(safeAddress)).nonce).toBe('1')
    const list = `/v2/safes/${safeAddress}/multisig-transactions/`
    expect((await client.ask(list)).body.count).toBe(2)
    expect((await client.kit.getPendingTransactions(safeAddress)).count).toBe(0)
    expect((await client.ask(`${list}?executed=false`)).body.results).toMatchObject([{ safeTxHash: other.safeTxHash }])
  })

  test('behavior: what its sender would have paid at most, and what the Safe refunded', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address], threshold: 1 })
    await actor.send({ to: safeAddress, value: 10n ** 18n })
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    const refunded = { to: carol.address, value: 1n, baseGas: 100_000n, gasPrice: 10n, refundReceiver: bob.address }
    const { safeTx, safeTxHash, signature } = await signedTx(safeAddress, alice, refunded)
    const data = encodeExecTransaction(safeTx, signature)
    const feeCaps = { maxFeePerGas: parseGwei('7'), maxPriorityFeePerGas: parseGwei('2') }
    const balance = async () => BigInt(String(await actor.rpc('eth_getBalance', bob.address, 'latest')))
    const before = await balance()
    const hash = await actor.send({ to: safeAddress, data, feeCaps })
    const payment = ((await balance()) - before).toString()
    const mined = receipt.parse(await actor.rpc('eth_getTransactionReceipt', hash))
    const found = await eventually(async () => {
      const { status, body } = await client.ask(`/v2/multisig-transactions/${safeTxHash}/`)
      return status === 200 && body.isExecuted && body
    })
    expect(found).toMatchObject({
      ethGasPrice: hexToBigInt(mined.effectiveGasPrice).toString(),
      maxFeePerGas: parseGwei('7').toString(),
      maxPriorityFeePerGas: parseGwei('2').toString(),
      payment,
    })
    expect(Number(payment)).toBeGreaterThan(1_000_000)
    const v1 = (await client.ask(`/v1/safes/${safeAddress}/all-transactions/?limit=1`)).body.results[0]
    expect(v1.payment).toBe(payment)
    const { results } = (await client.ask(`/v1/safes/${safeAddress}/export/`)).body
    expect(results.find((row: { to: Address }) => row.to === carol.address)).toMatchObject({ payment })
  })

  test('behavior: a block that goes takes it back, and the block that comes brings it again', async () => {
    const { safeAddress, safeTxHash, data } = await confirmed()
    const before = await client.kit.getTransaction(safeTxHash)
    const history = async () => (await client.kit.getAllTransactions(safeAddress)).count
    await eventually(async () => (await client.ask(`/v1/safes/${safeAddress}/creation/`)).status === 200)
    expect(await history()).toBe(0)
    const snapshot = await actor.rpc('evm_snapshot')
    await actor.send({ to: safeAddress, value: 5n })
    await actor.send({ to: safeAddress, data })
    await executedFacts(safeTxHash)
    expect(await history()).toBe(2)
    expect((await client.kit.getIncomingTransactions(safeAddress)).count).toBe(1)

    await actor.rpc('evm_revert', snapshot)
    await actor.rpc('anvil_mine', '0x4')
    const reopened = await eventually(async () => {
      const found = await client.kit.getTransaction(safeTxHash)
      return !found.isExecuted && found
    })
    expect(reopened).toEqual({ ...before, modified: expect.any(String) })
    expect(await history()).toBe(0)
    expect((await client.kit.getIncomingTransactions(safeAddress)).count).toBe(0)
    expect((await client.kit.getSafeInfo(safeAddress)).nonce).toBe('0')

    const again = await actor.send({ to: safeAddress, data })
    expect(await executedFacts(safeTxHash)).toMatchObject({ transactionHash: again, isSuccessful: true })
    expect(await history()).toBe(1)
  })

  test('behavior: approved on the chain, with the transaction that did it', async () => {
    const safeAddress = await newSafe(devnet.rpcUrl, { owners: [alice.address, bob.address] })
    await call(asAlice, addSafe, { chainId, address: safeAddress })
    const proposal = await signedTx(safeAddress, bob, { to: carol.address })
    await call(asBob, proposeTransaction, { chainId, safeAddress, ...proposal })
    const { safeTxHash } = proposal
    const approve = encodeFunctionData({ abi: settingsAbi, functionName: 'approveHash', args: [safeTxHash] })
    const transactionHash = await actor.send({ from: alice.address, to: safeAddress, data: approve })
    const { results } = await eventually(async () => {
      const found = await client.kit.getTransactionConfirmations(safeTxHash)
      return found.count === 2 && found
    })
    expect(results.find(({ owner }) => owner === bob.address)).toMatchObject({
      signatureType: 'EOA',
      transactionHash: null,
    })
    expect(results.find(({ owner }) => owner === alice.address)).toMatchObject({
      signatureType: 'APPROVED_HASH',
      transactionHash,
    })
  })
})
