import { MAX_ITEM_URI_BYTES, type RpcRequest, readItemUri } from '@countersign/safe'
import { type Address, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { requestNode, sendAll } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { deployHostileToken, deployTestArt, testContractAbi } from './test-contracts.ts'

const somebody = demoAccounts[8].address

let devnet: Devnet
let art: Address

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  art = await deployTestArt(devnet.rpcUrl, somebody)
})
afterAll(() => devnet?.close())

const request: RpcRequest = ({ method, params = [] }) => requestNode(devnet.rpcUrl, method, ...params)

async function mint(tokenId: bigint, text: string): Promise<void> {
  const data = encodeFunctionData({
    abi: testContractAbi('TestArt'),
    functionName: 'mint',
    args: [somebody, tokenId, text],
  })
  await sendAll(devnet.rpcUrl, somebody, [{ to: art, data, gas: 14_000_000n }])
}

const uriOf = (tokenId: bigint, kind: 'erc721' | 'erc1155' = 'erc721', address = art) =>
  readItemUri(request, { address, kind, tokenId })

describe('readItemUri', () => {
  test('default: what the contract says, by either standard', async () => {
    await mint(1n, 'ipfs://one')
    expect(await uriOf(1n)).toEqual({ kind: 'uri', uri: 'ipfs://one' })
    expect(await uriOf(1n, 'erc1155')).toEqual({ kind: 'uri', uri: 'ipfs://one' })
  })

  test('behavior: data that does not fit into one bounded answer is read as a whole', async () => {
    const long = `data:image/svg+xml,${'é'.repeat(8_500)}.`
    await mint(2n, long)
    expect(await uriOf(2n)).toEqual({ kind: 'uri', uri: long })
  })

  test('behavior: an item without a description, and a contract without the function', async () => {
    expect(await uriOf(3n)).toEqual({ kind: 'none' })
    expect(await uriOf(3n, 'erc721', devnet.tokens.erc20)).toEqual({ kind: 'none' })
  })

  test('error: what is longer than is read, and a long address elsewhere', async () => {
    await mint(4n, `https://${'a'.repeat(17_000)}`)
    expect(await uriOf(4n)).toEqual({ kind: 'too-long' })
    const asked: string[] = []
    // A node's answer, which says that more follows than is ever read.
    const claims: RpcRequest = ({ method }) => {
      asked.push(method)
      const word = (value: number) => value.toString(16).padStart(64, '0')
      const text = '64617461'.padEnd(31_600, '0')
      const body = word(32) + word(MAX_ITEM_URI_BYTES + 1) + text
      return Promise.resolve(`0x0101${(body.length / 2).toString(16).padStart(4, '0')}${body}`)
    }
    expect(await readItemUri(claims, { address: art, kind: 'erc721', tokenId: 5n })).toEqual({ kind: 'too-long' })
    expect(asked).toHaveLength(1)
  })

  test.each(['reverts with a megabyte', 'burns all gas', 'has texts of a length beyond bounds'] as const)(
    'behavior: a contract that %s is one without a description',
    async (manner) => {
      const hostile = await deployHostileToken(devnet.rpcUrl, somebody, manner)
      expect(await uriOf(1n, 'erc721', hostile)).toEqual({ kind: 'none' })
    },
  )

  test('error: when nobody is reached, nothing is said', async () => {
    const unreached: RpcRequest = () => Promise.reject(new TypeError('fetch failed'))
    await expect(readItemUri(unreached, { address: art, kind: 'erc721', tokenId: 1n })).rejects.toThrow('fetch failed')
  })
})
