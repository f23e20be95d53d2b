import { type Devnet, testContractAbi } from '@countersign/devnet'
import { createProvedReader, readVouchedBlock, type SafeTxRun } from '@countersign/review'
import { CountersignError, type RpcRequest, type SafeTx } from '@countersign/safe'
import { encodeMultiSend } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askAccessList } from './access-list.ts'
import { crossCheck, nodeSimulation } from './cross-check.ts'
import { prepareExecution } from './safe-execution.ts'
import { simulate } from './simulate.ts'
import { readerBefore, readerOfLatest, type TestNode } from './test/chain.ts'
import { chainId, first, runOfSafe, startMeddledSafe, stranger } from './test/meddled-safe.ts'
import { approveOnChain, sendAndWait } from './test/random-world.ts'

const meddlerAbi = testContractAbi('Meddler')
const multiSend: Address = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'

let devnet: Devnet
let node: TestNode
let safeAddress: Address
let meddler: Address

beforeAll(async () => {
  ;({ devnet, node, safeAddress, meddler } = await startMeddledSafe('1.4.1'))
})
afterAll(() => devnet?.close())

function runOf(fields: Partial<SafeTx> & Pick<SafeTx, 'to'>, more: Partial<SafeTxRun> = {}): SafeTxRun {
  return runOfSafe(safeAddress, '1.4.1', fields, { gasPrice: 2_000_000_000n, ...more })
}

function meddle(functionName: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: meddlerAbi, functionName, args })
}

const payment = () => runOf({ to: stranger.address, value: 5n })
const failing = () => runOf({ to: meddler, data: meddle('fail', [0n]) })
const forgiven = () => runOf({ to: meddler, data: meddle('fail', [1n]), safeTxGas: 100_000n })
const later = () => runOf({ to: stranger.address, value: 5n, nonce: 12n })

/** A node that answers one method in another way. */
function nodeThat(method: string, answer: () => unknown): RpcRequest {
  return async (call) => (call.method === method ? answer() : node.request(call))
}

function refuse(): never {
  throw new CountersignError('RPC_ERROR', 'refused', { data: { rpcCode: -32602, rpcMessage: 'too many arguments' } })
}

describe("the node's own word", () => {
  test.each([
    ['a payment', payment, 'success'],
    ['a failing call', failing, 'reverted'],
    ['a failing call that the Safe forgives', forgiven, 'inner-failure'],
    ['a future nonce', later, 'success'],
  ] as const)('agrees on %s', async (_, build, outcome) => {
    const run = build()
    const result = await simulate(await readerOfLatest(node, chainId), run)
    expect(result).toMatchObject({ outcome: { kind: outcome } })
    expect(await crossCheck(node.request, run, result)).toMatchObject({ status: 'agrees', method: 'eth_call', outcome })
  })

  test('diverges where the node says that it ends otherwise', async () => {
    const run = payment()
    const result = await simulate(await readerOfLatest(node, chainId), run)
    const lying = nodeThat('eth_call', () => numberToHex(0, { size: 32 }))
    expect(await crossCheck(lying, run, result)).toMatchObject({ status: 'diverges', outcome: 'inner-failure' })
    const reverting = nodeThat('eth_call', () => {
      throw new CountersignError('RPC_ERROR', 'reverted', { data: { rpcCode: 3, rpcData: '0x' } })
    })
    expect(await crossCheck(reverting, run, result)).toMatchObject({ status: 'diverges', outcome: 'reverted' })
  })

  test('is missing where the node takes no overrides, and no agreement is made up', async () => {
    const run = payment()
    const result = await simulate(await readerOfLatest(node, chainId), run)
    expect(await crossCheck(nodeThat('eth_call', refuse), run, result)).toEqual({
      status: 'unasked',
      reason: 'refused',
    })
    expect(
      await crossCheck(
        nodeThat('eth_call', () => 'nonsense'),
        run,
        result,
      ),
    ).toMatchObject({ status: 'unasked' })
  })

  test('stands in by name where no run is possible', async () => {
    const { header } = await readerOfLatest(node, chainId)
    const block = { chainId, number: header.number, hash: header.hash, timestamp: header.timestamp }
    expect(await nodeSimulation(node.request, payment(), block)).toMatchObject({
      method: 'eth_simulateV1',
      outcome: 'success',
      failure: null,
    })
    const older = nodeThat('eth_simulateV1', refuse)
    expect(await nodeSimulation(older, payment(), block)).toMatchObject({ method: 'eth_call', outcome: 'success' })
    expect(await nodeSimulation(older, failing(), block)).toMatchObject({
      method: 'eth_call',
      outcome: 'reverted',
      failure: { explanation: { reason: { code: 'GS013' } } },
    })
    expect(await nodeSimulation(async () => refuse(), payment(), block)).toBeNull()
  })
})

describe('an access list of a node', () => {
  const batch = () => {
    const data = meddle('readFresh', [40n])
    const calls = [1, 2, 3].map(() => ({ to: meddler, value: 0n, data, operation: 0 as const }))
    return runOf({ to: multiSend, data: encodeMultiSend(calls), operation: 1 })
  }

  test.each([
    ['a call', () => runOf({ to: meddler, data: meddle('readFresh', [40n]) })],
    ['a batch', batch],
  ] as const)('lets %s be read in two round trips', async (_, build) => {
    const run = build()
    const reader = await readerOfLatest(node, chainId)
    const hints = await askAccessList(node.request, run, reader.header.number)
    const result = await simulate(reader, run, { hints })
    expect(result).toMatchObject({ outcome: { kind: 'success' } })
    expect(result.cost.rounds).toBeLessThanOrEqual(2)
  })

  test.each([
    ['nothing', null],
    ['a text', 'list'],
    ['entries that are none', { accessList: [null, 7, {}, { address: '0x12' }, { address: 'x', storageKeys: 'y' }] }],
    ['keys that are none', { accessList: [{ address: `0x${'11'.repeat(20)}`, storageKeys: [1, '0x', null] }] }],
    [
      'a hundred thousand keys',
      {
        accessList: [
          { address: `0x${'11'.repeat(20)}`, storageKeys: Array(100_000).fill(numberToHex(1, { size: 32 })) },
        ],
      },
    ],
  ])('that holds %s changes no result', async (_, answer) => {
    const run = payment()
    const reader = await readerOfLatest(node, chainId)
    const hints = await askAccessList(
      nodeThat('eth_createAccessList', () => answer),
      run,
      reader.header.number,
    )
    expect(await simulate(reader, run, { hints })).toMatchObject({ outcome: { kind: 'success' } })
  })
})

describe('code that looks whether it is simulated', () => {
  test('sees the same gas, block, sender, price, balances and code as on the chain', async () => {
    const run = runOf({ to: meddler, data: meddle('observe', [safeAddress, first.address]) }, { gas: 5_000_000n })
    const execution = prepareExecution(run, chainId)
    await approveOnChain(node, run, execution.approvedBy)
    await node.request({ method: 'evm_mine' })
    const hash = await sendAndWait(node, {
      from: run.executor,
      to: safeAddress,
      data: execution.data,
      gas: numberToHex(5_000_000n),
      gasPrice: numberToHex(2_000_000_000n),
    })
    const receipt = (await node.request({ method: 'eth_getTransactionReceipt', params: [hash] })) as {
      blockNumber: Hex
    }
    const result = await simulate(await readerBefore(node, chainId, BigInt(receipt.blockNumber)), run)
    if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
    const seen = result.slots.filter(({ account }) => account === meddler)
    expect(seen.length).toBeGreaterThan(12)
    for (const { slot, after } of seen) {
      const params = [meddler, slot, receipt.blockNumber]
      expect([slot, await node.request({ method: 'eth_getStorageAt', params })]).toEqual([slot, after])
    }
  })
})

describe('over proofs', () => {
  test('a run says the same as over plain answers, and has the grade of its block', async () => {
    const run = runOf({ to: meddler, data: meddle('observe', [safeAddress, first.address]), nonce: 1n })
    const source = { kind: 'node', name: 'node', host: null } as const
    const askSources = async (blockNumber: bigint) => {
      const params = [numberToHex(blockNumber), false]
      const { hash } = (await node.request({ method: 'eth_getBlockByNumber', params })) as { hash: Hex }
      return [{ ...source, hash }]
    }
    const block = await readVouchedBlock({ chainId, request: node.request, askSources, needed: 1 })
    if (block.header === null) throw new Error('The block has no header.')
    const proved = await simulate({ ...createProvedReader(node.request, block), header: block.header }, run)
    const plain = await simulate(await readerOfLatest(node, chainId), run)
    expect(proved).toMatchObject({ status: 'finished', grade: 'proved' })
    expect(plain).toMatchObject({ status: 'finished', grade: 'one-node' })
    const same = ({ cost: _, grade: __, ...rest }: typeof plain & { grade?: unknown }) => rest
    expect(same(proved)).toEqual(same(plain))
  })

  test('a lie in one slot or in code ends the run, and says why', async () => {
    const askSources = async () => []
    const lying: RpcRequest = async (call) => {
      const answer = await node.request(call)
      if (call.method !== 'eth_getCode' || answer === '0x') return answer
      return `${String(answer).slice(0, -2)}ff`
    }
    const block = await readVouchedBlock({ chainId, request: lying, askSources, needed: 1 })
    if (block.header === null) throw new Error('The block has no header.')
    const result = await simulate({ ...createProvedReader(lying, block), header: block.header }, payment())
    expect(result).toMatchObject({ status: 'unfinished', reason: { kind: 'reader', code: 'PROOF_INVALID' } })
  })
})
