import { type RpcRequest, readItems, readTokens } from '@countersign/safe'
import { type Address, encodeFunctionData, getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { requestNode } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { deployHostileToken, hostileTokenManners, testContractAbi } from './test-contracts.ts'

const holder = getAddress('0x00000000000000000000000000000000000a55e7')
const somebody = demoAccounts[8].address
const everybodyHas = 5_000_000n

let devnet: Devnet
let hostile: Address[]
let gone: Address

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  const { rpcUrl, tokens } = devnet
  hostile = []
  for (const manner of hostileTokenManners) hostile.push(await deployHostileToken(rpcUrl, somebody, manner))
  const mint = (to: Address, name: 'TestErc20' | 'TestErc721' | 'TestErc1155', args: unknown[]) =>
    requestNode(rpcUrl, 'eth_sendTransaction', {
      from: somebody,
      to,
      data: encodeFunctionData({ abi: testContractAbi(name), functionName: 'mint', args }),
    })
  await mint(tokens.erc20, 'TestErc20', [holder, 1_250_000n])
  await mint(tokens.erc721, 'TestErc721', [holder, 77n])
  await mint(tokens.erc721, 'TestErc721', [somebody, 78n])
  await mint(tokens.erc1155, 'TestErc1155', [holder, 9n, 3n])
  gone = getAddress('0x000000000000000000000000000000000000dEaD')
})
afterAll(() => devnet?.close())

/** A node, and the requests that came to it. */
function countingNode(refuses: (params: unknown[]) => boolean = () => false) {
  const asked: string[] = []
  const request: RpcRequest = ({ method, params = [] }) => {
    asked.push(method)
    return refuses(params) ? requestNode(devnet.rpcUrl, 'no_method') : requestNode(devnet.rpcUrl, method, ...params)
  }
  return { asked, request }
}

const isCreation = ([call]: unknown[]) => typeof call === 'object' && call !== null && !('to' in call)

describe.each([
  ['in one call', () => countingNode()],
  ['one by one, where the node does not run it', () => countingNode(isCreation)],
])('readTokens %s', (way, startNode) => {
  test('default: balance, name, symbol and decimals', async () => {
    const { request, asked } = startNode()
    expect(await readTokens(request, holder, [devnet.tokens.erc20])).toEqual([
      { address: devnet.tokens.erc20, name: 'Test Dollar', symbol: 'TUSD', decimals: 6, balance: 1_250_000n },
    ])
    expect(asked).toHaveLength(way === 'in one call' ? 1 : 5)
  })

  test('behavior: no hostile token spoils what another says', async () => {
    const { request, asked } = startNode()
    const all = [...hostile, gone, devnet.tokens.erc20]
    const readings = await readTokens(request, holder, all)
    const [imitates, longName, decimals, oneWord, reverts, burns, length, twoWords, none, real] = readings
    expect(imitates).toMatchObject({
      symbol: 'ТUSD',
      name: '\u202eralloD tseT\n\u0007\u200b\ufffd',
      balance: everybodyHas,
    })
    // A megabyte costs more gas than a name may.
    expect(longName).toMatchObject({ balance: everybodyHas, decimals: 6, name: null, symbol: null })
    expect(decimals).toMatchObject({ balance: everybodyHas, decimals: null, symbol: 'ODD!' })
    expect(oneWord).toMatchObject({ balance: everybodyHas, symbol: 'MKR', name: 'MKR' })
    const silent = { name: null, symbol: null, decimals: null }
    expect(reverts).toMatchObject({ ...silent, balance: 'failed' })
    expect(burns).toMatchObject({ ...silent, balance: 'failed' })
    expect(length?.symbol).toMatch(/^ODD!/)
    expect(twoWords).toMatchObject({ balance: 'failed' })
    // One by one, the answer of no contract looks like an empty one.
    expect(none).toMatchObject({ ...silent, balance: way === 'in one call' ? 'no-contract' : 'failed' })
    expect(real).toMatchObject({ symbol: 'TUSD', balance: 1_250_000n })
    if (way === 'in one call') expect(asked).toHaveLength(1)
  })

  test('behavior: any number, in few calls', async () => {
    const { request, asked } = startNode()
    const many = Array.from({ length: 60 }, (_, index) => (index % 2 ? devnet.tokens.erc20 : (hostile[5] ?? gone)))
    const balances = (await readTokens(request, holder, many)).map(({ balance }) => balance)
    expect(balances).toEqual(many.map((_, index) => (index % 2 ? 1_250_000n : 'failed')))
    if (way === 'in one call') expect(asked).toHaveLength(4)
  })
})

describe('readItems', () => {
  test('default: what the collections say of owner and balance', async () => {
    const { erc721, erc1155 } = devnet.tokens
    const { request } = countingNode()
    const readings = await readItems(request, holder, [
      { address: erc721, kind: 'erc721', tokenId: 77n },
      { address: erc1155, kind: 'erc1155', tokenId: 9n },
      { address: erc721, kind: 'erc721', tokenId: 78n },
      { address: erc721, kind: 'erc721', tokenId: 79n },
    ])
    expect(readings.map(({ address, name, symbol }) => ({ address, name, symbol }))).toEqual([
      { address: erc721, name: 'Test Art', symbol: 'TART' },
      { address: erc1155, name: null, symbol: null },
    ])
    expect(readings.map(({ items }) => items.map(({ tokenId, balance }) => [tokenId, balance]))).toEqual([
      [
        [77n, 1n],
        [78n, 0n],
        [79n, 'failed'],
      ],
      [[9n, 3n]],
    ])
  })
})

test('error: when nobody is reached, nothing is said of any token', async () => {
  const request: RpcRequest = () => Promise.reject(new TypeError('fetch failed'))
  await expect(readTokens(request, holder, [devnet.tokens.erc20])).rejects.toThrow('fetch failed')
})
