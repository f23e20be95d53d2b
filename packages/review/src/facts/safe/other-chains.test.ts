import { CountersignError, type RpcRequest, safeAbi } from '@countersign/safe'
import { encodeFunctionResult, type Hex, numberToHex, padHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { account, inputOf, outsider, safeAddress, state } from '../../scene.ts'
import type { ChainReader } from '../fact.ts'
import { otherChains } from './other-chains.ts'

const old = { ...state, version: '1.1.1', reportedVersion: '1.1.1' }
const needOf = (change: Parameters<typeof inputOf>[1]) => otherChains.needs(inputOf({}, change))

/** A node with a Safe 1.1.1 of one owner at every address. */
function nodeWithSafe(chainId: number, asked: string[] = []): RpcRequest {
  const answers: Record<string, Hex> = {
    '0xa0e67e2b': encodeFunctionResult({ abi: safeAbi, functionName: 'getOwners', result: [account.address] }),
    '0xe75235b8': encodeFunctionResult({ abi: safeAbi, functionName: 'getThreshold', result: 1n }),
    '0xaffed0e0': encodeFunctionResult({ abi: safeAbi, functionName: 'nonce', result: 3n }),
    '0xffa1ad74': encodeFunctionResult({ abi: safeAbi, functionName: 'VERSION', result: '1.1.1' }),
  }
  const modules = encodeFunctionResult({
    abi: safeAbi,
    functionName: 'getModulesPaginated',
    result: [[], '0x0000000000000000000000000000000000000001'],
  })
  return async ({ method, params }) => {
    asked.push(method)
    switch (method) {
      case 'eth_chainId':
        return numberToHex(chainId)
      case 'eth_getCode':
        return '0x6001'
      case 'eth_getStorageAt':
        return padHex(params?.[1] === `0x${'0'.repeat(64)}` ? outsider.address : '0x00')
      case 'eth_call': {
        const [call] = (params ?? []) as { data: Hex }[]
        return answers[call?.data.slice(0, 10) ?? ''] ?? modules
      }
      default:
        return '0x1'
    }
  }
}

describe('otherChains', () => {
  it('is needed before 1.3.0 alone, of the chains that can be asked, except the own one', () => {
    const chainIds = [1, 10, 100]
    expect(needOf({ state: old, chainIds })).toEqual({ safeAddress, chainIds: [10, 100] })
    expect(needOf({ state, chainIds })).toBeNull()
    expect(needOf({ state: null, chainIds })).toBeNull()
    expect(needOf({ state: old })).toBeNull()
    expect(needOf({ state: old, chainIds: [1] })).toEqual({ safeAddress, chainIds: [] })
  })

  it('tells the Safe there, none, and no answer apart', async () => {
    const nodes: Record<number, RpcRequest> = {
      10: nodeWithSafe(10),
      20: async ({ method }) => (method === 'eth_chainId' ? '0x14' : '0x'),
      30: async () => {
        throw new CountersignError('CHAIN_UNREACHABLE', 'No answer.')
      },
      // A node of another chain answers for none.
      40: nodeWithSafe(41),
    }
    const chain: ChainReader = (chainId) => nodes[chainId] ?? (async () => null)
    const read = await otherChains.read(chain, { safeAddress, chainIds: [10, 20, 30, 40] })
    expect(read[0]).toMatchObject({
      chainId: 10,
      safe: { owners: [account.address], threshold: 1, nonce: 3n, version: null, reportedVersion: '1.1.1' },
    })
    expect(read.slice(2)).toEqual([
      { chainId: 30, safe: 'unanswered' },
      { chainId: 40, safe: 'unanswered' },
    ])
  })

  it('an account without code is no Safe', async () => {
    const empty: RpcRequest = async ({ method, params }) => {
      const answer = await nodeWithSafe(20)({ method, ...(params ? { params } : {}) })
      return method === 'eth_getCode' || method === 'eth_call' ? '0x' : answer
    }
    expect(await otherChains.read(() => empty, { safeAddress, chainIds: [20] })).toEqual([{ chainId: 20, safe: null }])
  })

  it('asks thirty chains at the most; the others count as unanswered', async () => {
    const asked: number[] = []
    const chain: ChainReader = (chainId) => {
      asked.push(chainId)
      return nodeWithSafe(chainId)
    }
    const chainIds = Array.from({ length: 35 }, (_, index) => index + 2)
    const read = await otherChains.read(chain, { safeAddress, chainIds })
    expect(asked).toHaveLength(30)
    expect(read.filter(({ safe }) => safe === 'unanswered')).toHaveLength(5)
  })
})
