import { type RpcRequest, readRegisteredName } from '@countersign/safe'
import { type Address, encodeFunctionData, getAddress, type Hex, namehash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts } from './accounts.ts'
import { requestNode, sendAll } from './node-client.ts'
import { type Devnet, startDevnet } from './start.ts'
import { deployHostileToken, hostileTokenManners, testContractAbi, testContracts } from './test-contracts.ts'

const somebody = demoAccounts[8].address
const { supplier } = testContracts.nameRegistry

let devnet: Devnet
let request: RpcRequest

beforeAll(async () => {
  devnet = await startDevnet({ port: 0 })
  request = ({ method, params }) => requestNode(devnet.rpcUrl, method, ...((params ?? []) as unknown[]))
})
afterAll(() => devnet?.close())

const read = (name: string, chainId = 31337, address: Address = devnet.nameRegistry) =>
  readRegisteredName(request, { chainId: 31337, address }, { name, chainId })

async function set(functionName: string, ...args: unknown[]): Promise<void> {
  const data = encodeFunctionData({ abi: testContractAbi('NameRegistry'), functionName, args })
  await sendAll(devnet.rpcUrl, somebody, [{ to: devnet.nameRegistry, data, gas: 9_000_000n }])
}

const reverseNode = (address: Hex) => namehash(`${address.slice(2).toLowerCase()}.addr.reverse`)

describe('readRegisteredName', () => {
  test('default: an account, and the name that it gives itself', async () => {
    expect(await read(supplier.name)).toEqual({
      kind: 'found',
      address: supplier.address,
      primaryName: supplier.name,
    })
  })

  test('behavior: a name that somebody else points at an account', async () => {
    await set('setAddr', namehash('thief.eth'), supplier.address)
    await set('setAddr', namehash('quiet.eth'), somebody)
    expect(await read('thief.eth')).toMatchObject({ address: supplier.address, primaryName: supplier.name })
    expect(await read('quiet.eth')).toEqual({ kind: 'found', address: somebody, primaryName: null })
  })

  test('behavior: nobody has the name; it names nobody; there is no registry', async () => {
    await set('setName', namehash('nobody.eth'), '')
    expect(await read('free.eth')).toEqual({ kind: 'unregistered' })
    expect(await read('nobody.eth')).toEqual({ kind: 'no-address' })
    expect(await read(supplier.name, 31337, somebody)).toEqual({ kind: 'no-registry' })
  })

  test('behavior: on another chain, what was set for it, else an account that is no contract', async () => {
    expect(await read(supplier.name, 10)).toMatchObject({ address: supplier.address })
    await set('setAddr', namehash('shop.eth'), testContracts.erc20.address)
    expect(await read('shop.eth')).toMatchObject({ address: testContracts.erc20.address })
    expect(await read('shop.eth', 10)).toEqual({ kind: 'contract' })
    await set('setAddrOf', namehash('shop.eth'), 0x8000_000an, somebody)
    expect(await read('shop.eth', 10)).toMatchObject({ address: somebody })
    // Neither too short nor too long is an address.
    await set('setAddrOf', namehash('shop.eth'), 0x8000_000an, `${somebody}00`)
    expect(await read('shop.eth', 10)).toEqual({ kind: 'contract' })
  })

  test('behavior: a resolver or an account that answers nonsense names nobody', async () => {
    for (const [index, manner] of hostileTokenManners.entries()) {
      const hostile = await deployHostileToken(devnet.rpcUrl, somebody, manner)
      await set('setResolver', namehash(`hostile${index}.eth`), hostile)
      expect(['no-address', 'found'], manner).toContain((await read(`hostile${index}.eth`)).kind)
    }
    const odd = getAddress('0x00000000000000000000000000000000000a55e7')
    await set('setAddr', namehash('odd.eth'), odd)
    await set('setName', reverseNode(odd), 'x'.repeat(5_000))
    expect(await read('odd.eth')).toEqual({ kind: 'found', address: odd, primaryName: null })
  })

  test('behavior: unread when the node does not say', async () => {
    const silent: RpcRequest = async () => null
    const registry = { chainId: 31337, address: devnet.nameRegistry }
    expect(await readRegisteredName(silent, registry, { name: 'a.eth', chainId: 31337 })).toEqual({ kind: 'unread' })
  })
})
