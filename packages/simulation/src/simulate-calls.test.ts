import {
  type Devnet,
  demoAccounts,
  deployMeddler,
  deploySafe,
  startDevnet,
  testContractAbi,
  testContracts,
} from '@countersign/devnet'
import {
  type CallRun,
  createFactReader,
  createProvedReader,
  createProvedRequest,
  type FactGrade,
  policySigners,
  type RunCall,
  readFact,
  readVouchedBlock,
  type StateReader,
} from '@countersign/review'
import { encodeCreateProxy, type RpcRequest } from '@countersign/safe'
import { type Address, encodeFunctionData, erc20Abi, type Hex, numberToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulateCalls } from './simulate-calls.ts'
import { readerOfLatest, type TestNode, testNode } from './test/chain.ts'

const chainId = 31337
const [first, second, stranger] = demoAccounts
const token = testContracts.erc20.address
const meddlerAbi = testContractAbi('Meddler')

let devnet: Devnet
let node: TestNode
let reader: StateReader
let safeAddress: Address
let meddler: Address

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  node = testNode(devnet.rpcUrl)
  const { rpcUrl } = devnet
  const owners = [first.address, second.address]
  safeAddress = await deploySafe({ rpcUrl, chainId, version: '1.4.1', owners, threshold: 2, saltNonce: 81n })
  meddler = await deployMeddler(rpcUrl, stranger.address)
  const data = encodeFunctionData({ abi: testContractAbi('TestErc20'), functionName: 'mint', args: [safeAddress, 77n] })
  await node.request({ method: 'eth_sendTransaction', params: [{ from: stranger.address, to: token, data }] })
  await node.request({ method: 'evm_mine' })
  reader = await readerOfLatest(node, chainId)
})
afterAll(() => devnet?.close())

const call = (to: Address, data: Hex): CallRun => ({ kind: 'call', from: zeroAddress, to, data })
const balance = (of: Address) => encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [of] })
const meddling = (name: string, args: unknown[]) => encodeFunctionData({ abi: meddlerAbi, functionName: name, args })
const runCall: RunCall = async (state, one) => {
  const [answer] = await simulateCalls(state, [one])
  if (answer === undefined) throw new Error('The call has no answer.')
  return answer
}

describe('simulateCalls', () => {
  test('default: answers what the node answers, and reads for all of them together', async () => {
    const before = node.batches
    const answers = await simulateCalls(reader, [
      call(token, balance(safeAddress)),
      call(token, balance(stranger.address)),
      call(meddler, meddling('fail', [2n])),
      call(stranger.address, '0x1234'),
    ])
    expect(answers).toMatchObject([
      { kind: 'returned', data: `0x${'4d'.padStart(64, '0')}`, grade: 'one-node' },
      { kind: 'returned' },
      { kind: 'reverted' },
      { kind: 'returned', data: '0x' },
    ])
    expect(node.batches - before).toBeLessThanOrEqual(4)
  })

  test('behavior: a call that burns its time leaves the others their answers', async () => {
    const rich = { ...reader, header: { ...reader.header, gasLimit: 10n ** 15n } }
    const [spinning, asked] = await simulateCalls(rich, [
      { ...call(meddler, meddling('spin', [])), gas: 10n ** 14n },
      call(token, balance(safeAddress)),
    ])
    expect(spinning).toEqual({ kind: 'unfinished', reason: { kind: 'limit', limit: 'milliseconds' } })
    expect(asked).toMatchObject({ kind: 'returned' })
  })

  test('behavior: a call that the machine stops is unfinished, as other limits may hold elsewhere', async () => {
    const [answer] = await simulateCalls(reader, [{ ...call(token, balance(safeAddress)), gas: 100n }])
    expect(answer).toMatchObject({ kind: 'unfinished', reason: { kind: 'engine', message: 'out of gas' } })
  })

  test('behavior: a reader that does not answer leaves every call unfinished', async () => {
    const silent: StateReader = { ...reader, read: async () => ({ accounts: [], blockHashes: [] }) }
    const answers = await simulateCalls(silent, [call(token, '0x'), call(meddler, '0x')])
    expect(answers.map(({ kind }) => kind)).toEqual(['unfinished', 'unfinished'])
  })
})

/** The newest block, which one source names. */
function readBlock(needed: number) {
  const askSources = async (number: bigint) => {
    const params = [`0x${number.toString(16)}`, false]
    const { hash } = (await node.request({ method: 'eth_getBlockByNumber', params })) as { hash: Hex }
    return [{ kind: 'node', name: 'a', host: 'a', hash } as const]
  }
  return readVouchedBlock({ chainId, request: node.request, askSources, needed })
}

describe('the request of createFactReader', () => {
  /** The node says of every signature that it is one. */
  const lying: RpcRequest = async (asked) =>
    asked.method === 'eth_call' ? `0x1626ba7e${'0'.repeat(56)}` : node.request(asked)
  const hash: Hex = `0x${'7'.repeat(64)}`
  const signersBy = async (needed: number, run?: RunCall) => {
    const { request } = createFactReader(() => lying, await readBlock(needed), run)
    return policySigners(hash, [{ owner: safeAddress, signature: '0x' }], request)
  }

  test('behavior: a node alone makes no owner of a contract approve a policy', async () => {
    const contradicted = { code: 'PROOF_INVALID' }
    await expect(signersBy(1, runCall)).rejects.toMatchObject(contradicted)
    // An answer that was not run is worth less than the block.
    const unfinished = async () => ({ kind: 'unfinished', reason: { kind: 'other-rules' } }) as const
    await expect(signersBy(1, unfinished)).rejects.toMatchObject(contradicted)
    await expect(signersBy(1)).rejects.toMatchObject(contradicted)
    // Where too few sources name the block, everything is said by one node, and the verdict says so.
    expect(await signersBy(2, runCall)).toEqual([safeAddress])
  })

  test('default: an answer that is proved', async () => {
    const { request } = createFactReader(() => node.request, await readBlock(1), runCall)
    const params = [{ to: token, data: balance(safeAddress) }, 'latest']
    expect(await request({ method: 'eth_call', params })).toBe(`0x${'4d'.padStart(64, '0')}`)
  })
})

describe('createProvedRequest', () => {
  const needOf = () => ({ id: 'balances', need: { chainId, safeAddress, tokens: [token] } }) as const

  async function open(plain: RpcRequest, needed = 1) {
    const block = await readBlock(needed)
    const grades: FactGrade[] = []
    const reader = createProvedReader(node.request, block)
    return { request: createProvedRequest(reader, { plain, runCall })((grade) => grades.push(grade)), grades }
  }
  test('default: answers of contracts are proved, whole batches of them as well', async () => {
    const { request, grades } = await open(node.request)
    expect(await readFact(() => request, needOf())).toEqual({ [token.toLowerCase()]: 77n })
    expect(await request({ method: 'eth_call', params: [{ to: token, data: balance(safeAddress) }, 'latest'] })).toBe(
      `0x${'4d'.padStart(64, '0')}`,
    )
    expect(new Set(grades)).toEqual(new Set(['proved']))
  })

  test('behavior: one node says it where too few name the block, and with an override', async () => {
    const few = await open(node.request, 2)
    expect(await readFact(() => few.request, needOf())).toEqual({ [token.toLowerCase()]: 77n })
    expect(new Set(few.grades)).toEqual(new Set(['one-node']))
    const { request, grades } = await open(node.request)
    const params = [{ to: token, data: balance(safeAddress) }, 'latest', {}]
    await request({ method: 'eth_call', params })
    expect(grades).toEqual(['one-node'])
  })

  test('behavior: one node says what takes more gas than a transaction may have; it does not lie', async () => {
    const many = Array.from({ length: 700 }, (_, index) => numberToHex(BigInt(index) + 10_000n, { size: 20 }))
    const creation = { version: '1.4.1', isL2: true, threshold: 2, saltNonce: 5n } as const
    const { request, grades } = await open(node.request)
    const { to, data } = encodeCreateProxy({ ...creation, owners: many })
    const answer = await request({ method: 'eth_call', params: [{ to, data }, 'latest'] })
    expect([answer, grades]).toEqual([expect.stringMatching(/^0x0{24}[0-9a-f]{40}$/), ['one-node']])
    const few = encodeCreateProxy({ ...creation, owners: many.slice(0, 3) })
    await request({ method: 'eth_call', params: [{ to: few.to, data: few.data }, 'latest'] })
    expect(grades.at(-1)).toBe('proved')
  })

  test('error: PROOF_INVALID', async () => {
    const lying: RpcRequest = async (asked) =>
      asked.method === 'eth_call' ? `0x${'ff'.repeat(32)}` : node.request(asked)
    const { request } = await open(lying)
    const params = [{ to: token, data: balance(safeAddress) }, 'latest']
    await expect(request({ method: 'eth_call', params })).rejects.toMatchObject({
      code: 'PROOF_INVALID',
      data: { reason: 'call', address: token },
    })
    // One that says nothing of the call contradicts nobody.
    const silent: RpcRequest = async (asked) => {
      if (asked.method === 'eth_call') throw new Error('no such method')
      return node.request(asked)
    }
    const other = await open(silent)
    expect(await other.request({ method: 'eth_call', params })).toBe(`0x${'4d'.padStart(64, '0')}`)
  })

  test('error: RPC_ERROR', async () => {
    const { request } = await open(node.request)
    const params = [{ to: meddler, data: meddling('fail', [2n]) }, 'latest']
    await expect(request({ method: 'eth_call', params })).rejects.toMatchObject({
      code: 'RPC_ERROR',
      data: { rpcCode: 3, address: meddler },
    })
  })
})
