import { CountersignError, type RpcRequest } from '@countersign/safe'
import { type Address, encodeAbiParameters, encodeFunctionData, numberToHex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { inForce } from '../../policy/scene.ts'
import { inputOf, safeAddress, state, stranger, token } from '../../scene.ts'
import { collections } from '../assets/collections.ts'
import { tokenDecimals } from '../assets/token-decimals.ts'
import { codeAges } from '../contracts/code-ages.ts'
import { installedCodes } from '../contracts/installed-codes.ts'
import { otherSafes } from './other-safes.ts'
import { ownerAccounts } from './owner-accounts.ts'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
])
const approve = encodeFunctionData({ abi, functionName: 'approve', args: [stranger, 1n] })
const nested: Address = '0x8888888888888888888888888888888888888888'
const refused = new CountersignError('CHAIN_UNREACHABLE', 'No answer.')

describe('codeAges', () => {
  const DAY = 86_400
  const blockTime = 12
  const newest = 21_000_000
  /** A node that keeps the state of as many days; the contract came so many days ago. */
  const node =
    (keptDays: number, bornDays: number, height = newest): RpcRequest =>
    async ({ method, params = [] }) => {
      if (method === 'eth_getBlockByNumber') {
        const number = params[0] === 'latest' ? height : Number(params[0])
        return { number: numberToHex(number), timestamp: numberToHex(1_700_000_000 + number * blockTime) }
      }
      const days = ((height - Number(params[1])) * blockTime) / DAY
      if (days > keptDays) throw refused
      return days > bornDays ? '0x' : '0x6001'
    }
  const need = codeAges.needs(inputOf({ to: stranger, data: approve }))
  const read = (request: RpcRequest) => codeAges.read(() => request, need ?? { chainId: 1, contracts: [] })

  it('tells contracts that were not there thirty days ago from others', async () => {
    expect(await read(node(9_999, 400))).toEqual({ [stranger.toLowerCase()]: 'old' })
    expect(await read(node(9_999, 3))).toEqual({ [stranger.toLowerCase()]: 'young' })
  })

  it('says nothing where the node keeps no such state, or the chain is younger', async () => {
    expect(await read(node(1, 400))).toEqual({})
    expect(await read(node(9_999, 400, 1_000))).toEqual({})
  })

  it('asks nothing of listed tokens, and nothing where nothing is called', () => {
    expect(codeAges.needs(inputOf({ to: token, data: approve }))).toMatchObject({ contracts: [stranger] })
    expect(codeAges.needs(inputOf({}))).toBeNull()
  })
})

describe('ownerAccounts', () => {
  const owners = encodeAbiParameters([{ type: 'address[]' }], [[safeAddress]])

  it('finds delegated accounts, and the owners of owners', async () => {
    const [key, safe] = state.owners as [Address, Address]
    const request: RpcRequest = async ({ method, params = [] }) => {
      if (method === 'eth_call') return owners
      const asked = String(params[0]).toLowerCase()
      if (asked === key.toLowerCase()) return `0xef0100${nested.slice(2)}`
      return asked === safe.toLowerCase() || asked === safeAddress.toLowerCase() ? '0x6001' : '0x'
    }
    const need = ownerAccounts.needs(inputOf({}))
    const read = await ownerAccounts.read(() => request, need ?? { chainId: 1, owners: [] })
    expect(read[key.toLowerCase()]).toMatchObject({ code: { delegatesTo: nested }, owners: null })
    expect(read[safe.toLowerCase()]?.owners).toEqual([safeAddress])
  })

  it('asks once about an owner whom many Safes share, and has room for the others', async () => {
    const address = (index: number): Address => `0x${String(index).padStart(40, '0')}`
    const safes = Array.from({ length: 30 }, (_, index) => address(index + 100))
    const shared = Array.from({ length: 20 }, (_, index) => address(index + 200))
    const asked: string[] = []
    const request: RpcRequest = async ({ method, params = [] }) => {
      if (method === 'eth_call') return encodeAbiParameters([{ type: 'address[]' }], [shared])
      const of = String(params[0]).toLowerCase()
      asked.push(of)
      return safes.includes(of as Address) ? '0x6001' : '0x'
    }
    const read = await ownerAccounts.read(() => request, { chainId: 1, owners: safes })
    expect(Object.keys(read)).toHaveLength(50)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('leaves out what the node does not answer', async () => {
    const need = ownerAccounts.needs(inputOf({}))
    const read = ownerAccounts.read(() => async () => Promise.reject(refused), need ?? { chainId: 1, owners: [] })
    expect(await read).toEqual({})
  })
})

describe('what is asked for', () => {
  it('of contracts that a function of ERC-20 calls: whether they are collections', () => {
    expect(collections.needs(inputOf({ to: stranger, data: approve }))).toMatchObject({ contracts: [stranger] })
    expect(collections.needs(inputOf({}))).toBeNull()
  })

  it('of listed tokens: their decimals', () => {
    expect(tokenDecimals.needs(inputOf({ to: token, data: approve }))).toMatchObject({ tokens: [token] })
    expect(tokenDecimals.needs(inputOf({ to: stranger, data: approve }))).toBeNull()
    const policy = inForce({ amountLimits: [{ asset: stranger, amount: 1n, period: 60 }] })
    expect(tokenDecimals.needs(inputOf({ to: stranger, data: approve }, { policy }))).toMatchObject({
      tokens: [stranger],
    })
  })

  it('of another Safe whose settings change: all that decides', async () => {
    const data = encodeFunctionData({ abi, functionName: 'swapOwner', args: [stranger, stranger, nested] })
    // Nobody but the Safe itself may change it: on its own address alone it is a change of settings.
    expect(otherSafes.needs(inputOf({ to: nested, data }))).toBeNull()
    const read = await otherSafes.read(() => async () => Promise.reject(refused), { chainId: 1, safes: [nested] })
    expect(read).toEqual({})
  })

  it('of the Safe: the code of its modules, guards and handler', () => {
    expect(installedCodes.needs(inputOf({}))).toBeNull()
    const change = { state: { ...state, modules: [stranger], guard: nested } }
    expect(installedCodes.needs(inputOf({}, change))).toMatchObject({ addresses: [stranger, nested] })
  })
})
