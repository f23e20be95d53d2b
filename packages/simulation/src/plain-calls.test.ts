import { generateKeyPairSync, sign } from 'node:crypto'
import { canonicalContract, type Devnet, testContractAbi, testContracts } from '@countersign/devnet'
import type { SimulationResult } from '@countersign/review'
import {
  type Address,
  bytesToHex,
  concatHex,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  hexToBytes,
  numberToHex,
  parseAbi,
  sha256,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareExecution } from './safe-execution.ts'
import { simulate } from './simulate.ts'
import { readerBefore, readerOfLatest, type TestNode } from './test/chain.ts'
import { chainId, first, runOfSafe, startMeddledSafe, stranger } from './test/meddled-safe.ts'
import { approveOnChain, sendAndWait } from './test/random-world.ts'

const meddlerAbi = testContractAbi('Meddler')
const { erc20 } = testContracts

let devnet: Devnet
let node: TestNode
let safeAddress: Address
let meddler: Address

beforeAll(async () => {
  ;({ devnet, node, safeAddress, meddler } = await startMeddledSafe('1.4.1'))
})
afterAll(() => devnet?.close())

async function call(to: Address | null, data: Hex, value = 0n): Promise<SimulationResult> {
  return simulate(await readerOfLatest(node, chainId), { kind: 'call', from: first.address, to, data, value })
}

/** The node's own answer: the output, or what it reverted with. */
async function askNode(to: Address, data: Hex): Promise<unknown> {
  return node.request({ method: 'eth_call', params: [{ from: first.address, to, data }, 'latest'] }).catch((error) => {
    return error.data.rpcData
  })
}

describe('a plain call', () => {
  const abi = parseAbi([
    'function balanceOf(address account) view returns (uint256)',
    'function transfer(address to, uint256 value)',
    'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
    'function supportsInterface(bytes4 id) view returns (bool)',
  ])
  const questions = (): [string, Address, Hex][] => [
    ['a balance', erc20.address, encodeFunctionData({ abi, functionName: 'balanceOf', args: [safeAddress] })],
    [
      'a custom error',
      erc20.address,
      encodeFunctionData({ abi, functionName: 'transfer', args: [stranger.address, 10n ** 30n] }),
    ],
    [
      'an ERC-1271 answer of a Safe',
      safeAddress,
      encodeFunctionData({ abi, functionName: 'isValidSignature', args: [numberToHex(7, { size: 32 }), '0x'] }),
    ],
    ['a guard', meddler, encodeFunctionData({ abi, functionName: 'supportsInterface', args: ['0xe6d7a83a'] })],
    ['a panic', meddler, encodeFunctionData({ abi: meddlerAbi, functionName: 'fail', args: [2n] })],
    ['an account without code', stranger.address, '0x1234'],
  ]

  test.each([0, 1, 2, 3, 4, 5])('answers as the node does: question %i', async (index) => {
    const [what, to, data] = questions()[index] ?? ['', meddler, '0x']
    const result = await call(to, data)
    if (result.status === 'unfinished') throw new Error(JSON.stringify(result.reason))
    expect([what, result.call.output]).toEqual([what, await askNode(to, data)])
  })

  test('creates a contract where the sender would', async () => {
    // PUSH1 42 PUSH0 SSTORE, and code of one byte.
    const result = await call(null, '0x602a5f5560015ff3')
    const nonce = BigInt(
      (await node.request({ method: 'eth_getTransactionCount', params: [first.address, 'latest'] })) as Hex,
    )
    const address = getContractAddress({ from: first.address, nonce })
    expect(result).toMatchObject({
      status: 'finished',
      outcome: { kind: 'success' },
      created: [address],
      slots: [{ account: address, slot: numberToHex(0, { size: 32 }), after: numberToHex(42, { size: 32 }) }],
    })
  })

  test('moves coin that the sender has, and none that it has not', async () => {
    expect(await call(stranger.address, '0x', 5n)).toMatchObject({ outcome: { kind: 'success' } })
    expect(await call(stranger.address, '0x', 10n ** 40n)).toMatchObject({
      outcome: { kind: 'reverted', failure: { kind: 'halt', reason: 'insufficient balance' } },
    })
  })
})

describe('an account that delegates its code (EIP-7702)', () => {
  test('runs it in its own storage, with the gas of the chain, and is named', async () => {
    const account = getAddress('0x00000000000000000000000000000000000d7702')
    await node.request({ method: 'anvil_setCode', params: [account, concatHex(['0xef0100', meddler])] })
    const data = encodeFunctionData({ abi: meddlerAbi, functionName: 'set', args: [5n, 7n] })
    const costs = { gasPrice: 2_000_000_000n, gas: 3_000_000n }
    const run = runOfSafe(safeAddress, '1.4.1', { to: account, data }, costs)
    const execution = prepareExecution(run, chainId)
    await approveOnChain(node, run, execution.approvedBy)
    await node.request({ method: 'evm_mine' })
    const hash = await sendAndWait(node, {
      from: run.executor,
      to: safeAddress,
      data: execution.data,
      gas: numberToHex(3_000_000n),
      gasPrice: numberToHex(2_000_000_000n),
    })
    const receipt = (await node.request({ method: 'eth_getTransactionReceipt', params: [hash] })) as {
      blockNumber: Hex
      gasUsed: Hex
    }
    const result = await simulate(await readerBefore(node, chainId, BigInt(receipt.blockNumber)), run)
    expect(result).toMatchObject({
      outcome: { kind: 'success' },
      gasUsed: BigInt(receipt.gasUsed),
      delegations: [{ account, to: meddler }],
    })
    const written = result.status === 'finished' ? result.slots.filter((slot) => slot.account === account) : []
    expect(written).toMatchObject([{ after: numberToHex(7, { size: 32 }) }])
  })
})

describe('a contract that a library creates', () => {
  test('is named with its address', async () => {
    const library = canonicalContract('1.4.1', 'create_call').address
    const data = encodeFunctionData({
      abi: parseAbi(['function performCreate(uint256 value, bytes deploymentData) returns (address)']),
      functionName: 'performCreate',
      args: [0n, '0x602a5f5560015ff3'],
    })
    const result = await simulate(await readerOfLatest(node, chainId), {
      ...runOfSafe(safeAddress, '1.4.1', { to: library, data, operation: 1, nonce: 1n }),
    })
    expect(result).toMatchObject({ outcome: { kind: 'success' }, created: [expect.stringMatching(/^0x/)] })
  })
})

describe('what came with recent forks', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const signed = sign('sha256', hexToBytes('0x1234'), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const point = concatHex([x, y].map((part) => bytesToHex(Buffer.from(part, 'base64url'))))
  const p256 = concatHex([sha256('0x1234'), bytesToHex(signed), point])
  const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`
  const field = (value: number) => numberToHex(value, { size: 64 })

  test.each<[string, bigint, Hex]>([
    ['a signature of P-256', 0x100n, p256],
    ['another signature of P-256', 0x100n, concatHex([sha256('0x1235'), bytesToHex(signed), point])],
    ['BLS, a sum', 0x0bn, zeros(256)],
    ['BLS, a product', 0x0cn, zeros(160)],
    ['BLS, a sum in the second group', 0x0dn, zeros(512)],
    ['BLS, a pairing', 0x0fn, zeros(384)],
    ['BLS, a map', 0x10n, field(5)],
    ['BLS, a map to the second group', 0x11n, concatHex([field(5), field(7)])],
  ])('a precompile answers as that of the node: %s', async (_, at, data) => {
    const to = numberToHex(at, { size: 20 })
    const said = await askNode(to, data)
    expect(await call(to, data)).toMatchObject({ outcome: { kind: 'success', output: said } })
  })

  test.each<[string, Hex]>([
    ['CLZ', '0x60ff1e'],
    ['BLOBHASH', '0x600049'],
    ['BLOBBASEFEE', '0x4a'],
    ['PREVRANDAO', '0x44'],
    ['TLOAD', '0x600760015d60015c'],
    ['BLOCKHASH of an older block', '0x6003430340'],
    ['BLOCKHASH of its own', '0x4340'],
  ])('an operation gives what it gives at the node: %s', async (name, operation) => {
    const to = numberToHex((0xccn << 152n) | BigInt(name.length), { size: 20 })
    await node.request({ method: 'anvil_setCode', params: [to, concatHex([operation, '0x60005260206000f3'])] })
    await node.request({ method: 'evm_mine' })
    const said = await askNode(to, '0x')
    expect(said).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await call(to, '0x')).toMatchObject({ outcome: { kind: 'success', output: said } })
  })
})
