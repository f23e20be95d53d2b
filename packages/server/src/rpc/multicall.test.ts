import { testContracts } from '@countersign/devnet'
import type { RpcRequest } from '@countersign/safe'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deployMulticall } from '../test/deploy-multicall.ts'
import { actor, alice, bob, devnet, openChain } from '../test/scene.ts'
import { refusing, type ScriptedNode, startScriptedNode } from '../test/scripted-node.ts'
import { devnetChain } from '../test/test-server.ts'
import { createChains } from './clients.ts'
import { isRevert } from './errors.ts'
import { gatherCalls } from './multicall.ts'

openChain()

const { erc20 } = testContracts
const abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address to, uint256 value)',
])
const decimals = encodeFunctionData({ abi, functionName: 'decimals' })
/** Reverts: nobody has this much. */
const transfer = encodeFunctionData({ abi, functionName: 'transfer', args: [alice.address, 1n << 250n] })

let multicall: Address
let createdIn: number
let node: ScriptedNode
beforeAll(async () => {
  ;({ address: multicall, blockNumber: createdIn } = await deployMulticall(actor))
  node = await startScriptedNode(devnet.rpcUrl)
})
afterAll(() => node.close())

function gathered(contract: Address | null = multicall, now?: () => number): RpcRequest {
  const settings = { ...devnetChain(node.url), rpcUrls: [node.url] }
  const chain = createChains([settings]).get(settings.chainId)
  if (!chain) throw new Error('there is no chain')
  node.exchanges.length = 0
  return gatherCalls(chain.request, contract, now)
}
const calling = (to: Address, data: Hex, block = 'latest') => ({
  method: 'eth_call',
  params: [{ to, data, gas: numberToHex(100_000) }, block],
})
const asked = (): number => node.exchanges.flat().filter(({ method }) => method === 'eth_call').length
const six = `0x${'6'.padStart(64, '0')}`

describe('gatherCalls', () => {
  test('default: calls of one turn go as one, and are answered as each would be', async () => {
    const request = gathered()
    const calls = Array.from({ length: 120 }, (_, at) => {
      const args = [numberToHex(at + 1, { size: 20 })] as const
      return calling(erc20.address, encodeFunctionData({ abi, functionName: 'balanceOf', args }))
    })
    const answers = await Promise.all([calling(erc20.address, decimals), ...calls].map(request))
    expect(answers[0]).toBe(six)
    expect(answers).toHaveLength(121)
    expect(asked()).toBe(3)
    // One alone needs no other contract.
    expect(await request(calling(erc20.address, decimals))).toBe(six)
    expect(asked()).toBe(4)
  })

  test('behavior: one that fails is asked alone, and fails as it would; an account without code answers with nothing', async () => {
    const request = gathered()
    const [first, failed, empty] = await Promise.allSettled([
      request(calling(erc20.address, decimals)),
      request(calling(erc20.address, transfer)),
      request(calling(alice.address, decimals)),
    ])
    expect([first, empty]).toEqual([
      { status: 'fulfilled', value: six },
      { status: 'fulfilled', value: '0x' },
    ])
    expect(failed.status === 'rejected' && isRevert(failed.reason)).toBe(true)
    expect(asked()).toBe(2)
  })

  test('behavior: blocks are not mixed, and one from before the contract is asked call by call', async () => {
    const request = gathered()
    const before = numberToHex(createdIn - 1)
    const calls = ['latest', before].flatMap((block) => [0, 1].map(() => calling(erc20.address, decimals, block)))
    expect(await Promise.all(calls.map(request))).toEqual([six, six, six, six])
    expect(asked()).toBe(4)
  })

  const places: [string, () => Address | null][] = [
    ['no contract is named', () => null],
    ['nothing is there', () => alice.address],
    ['something else is there', () => erc20.address],
  ]
  test.each(places)('behavior: where %s, each is asked alone', async (_, contract) => {
    const request = gathered(contract())
    const calls = [0, 1].map(() => calling(erc20.address, decimals))
    expect(await Promise.all(calls.map(request))).toEqual([six, six])
    expect(asked()).toBeGreaterThanOrEqual(2)
  })

  test('behavior: a node that does not run it is left in peace for ten minutes', async () => {
    let time = 0
    const request = gathered(multicall, () => time)
    const both = (): Promise<unknown[]> => Promise.all([0, 1].map(() => request(calling(erc20.address, decimals))))
    const isGathered = ({ method, params: [call] }: { method: string; params: unknown[] }) =>
      method === 'eth_call' && JSON.stringify(call).includes(multicall)
    node.play(refusing(isGathered, { code: -32000, message: 'out of gas budget' }))
    expect(await both()).toEqual([six, six])
    expect(asked()).toBe(3)
    expect(await both()).toEqual([six, six])
    expect(asked()).toBe(5)
    node.play((_, truth) => truth())
    time += 600_001
    expect(await both()).toEqual([six, six])
    expect(asked()).toBe(6)
  })

  test('behavior: what is no plain call of a contract goes as it is', async () => {
    const request = gathered()
    const from = { method: 'eth_call', params: [{ from: bob.address, to: erc20.address, data: decimals }, 'latest'] }
    expect(await Promise.all([request(from), request(from), request({ method: 'eth_chainId' })])).toEqual([
      six,
      six,
      numberToHex(31337),
    ])
    expect(asked()).toBe(2)
  })
})
