import { describedFunctions, loadDescriptorRegistry } from '@countersign/safe'
import { describeCall, parseGivenAbiJson, writeAbiJson } from '@countersign/safe/calls'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { namedNumbers } from './named-numbers.ts'

const contract: Address = '0x5555555555555555555555555555555555555555'
const safeAddress: Address = '0x6666666666666666666666666666666666666666'
const callOf = (to: Address, data: `0x${string}`, functions: ReturnType<typeof parseGivenAbiJson> = []) =>
  describeCall({ to, value: 0n, data, operation: 0, safeAddress, abis: [{ address: to, functions }] })

const json = JSON.stringify([
  {
    type: 'function',
    name: 'place',
    inputs: [
      { name: 'side', type: 'uint8', internalType: 'enum Exchange.Side' },
      {
        name: 'orders',
        type: 'tuple[]',
        internalType: 'struct Exchange.Order[]',
        components: [
          { name: 'amount', type: 'uint256', internalType: 'uint256' },
          { name: 'kinds', type: 'uint8[2]', internalType: 'enum Kind[2]' },
        ],
      },
    ],
  },
])

describe('namedNumbers', () => {
  it('default: members of enums, by the name that the ABI gives the enum, in tuples and lists too', () => {
    const functions = parseGivenAbiJson(json)
    const abi = parseAbi(['function place(uint8 side, (uint256 amount, uint8[2] kinds)[] orders)'])
    const args = [1, [{ amount: 7n, kinds: [3, 4] }]] as const
    const { args: read, name } = callOf(contract, encodeFunctionData({ abi, args }), functions)
    expect(name).toBe('place(uint8,(uint256,uint8[2])[])')
    const unnamed = { name: null }
    expect(namedNumbers(read, [])).toEqual([
      { place: 'side', value: 1n, enumName: 'Exchange.Side', ...unnamed },
      { place: 'orders[0].kinds[0]', value: 3n, enumName: 'Kind', ...unnamed },
      { place: 'orders[0].kinds[1]', value: 4n, enumName: 'Kind', ...unnamed },
    ])
    // Written and read again, as a draft and a book keep it, it is the same.
    expect(parseGivenAbiJson(writeAbiJson(functions))).toEqual(functions)
  })

  it('behavior: names of the registry, for a function on the own list and one that is not', async () => {
    const registry = await loadDescriptorRegistry()
    const namesOf = (chainId: number, to: Address, name: string) =>
      describedFunctions(registry, chainId, to).find(({ declaration }) => declaration.startsWith(`${name}(`))?.named ??
      []
    const pool: Address = '0x8dFf5E27EA6b7AC08EbFdf9eB090F32ee9a30fcf'
    const borrow = parseAbi(['function borrow(address, uint256, uint256, uint16, address)'])
    const borrowing = (mode: bigint) =>
      callOf(pool, encodeFunctionData({ abi: borrow, args: [contract, 5n, mode, 0, safeAddress] }))
    expect(borrowing(2n).source).toBe('built-in')
    expect(namedNumbers(borrowing(2n).args, namesOf(137, pool, 'borrow'))).toEqual([
      { place: 'interestRateMode', value: 2n, enumName: null, name: 'variable' },
    ])
    // A number without a name is shown as it is.
    expect(namedNumbers(borrowing(9n).args, namesOf(137, pool, 'borrow'))).toEqual([])
    const governance: Address = '0xD533Ca259b330c7A88f74E000a3FaEa2d63B7972'
    const vote = encodeFunctionData({
      abi: parseAbi(['function vote(uint256 proposalId, uint256 index, uint8 value)']),
      args: [3n, 1n, 3],
    })
    const given = parseGivenAbiJson(
      JSON.stringify([
        {
          type: 'function',
          name: 'vote',
          inputs: [
            { name: 'proposalId', type: 'uint256' },
            { name: 'index', type: 'uint256' },
            { name: 'value', type: 'uint8', internalType: 'enum Proposals.VoteValue' },
          ],
        },
      ]),
    )
    const { args } = callOf(governance, vote, given)
    expect(namedNumbers(args, namesOf(42220, governance, 'vote'))).toEqual([
      { place: 'value', value: 3n, enumName: 'Proposals.VoteValue', name: 'Yes' },
    ])
  })

  it.each([
    ['uint8', 'enum Side<script>'],
    ['uint8', 'struct Side'],
    ['uint8', 8],
    ['address', 'enum Side'],
    ['int8', 'enum Side'],
    ['uint8', `enum ${'S'.repeat(200)}`],
  ])('behavior: a %s of the internal type %s is no enum', (type, internalType) => {
    const [read] = parseGivenAbiJson(
      JSON.stringify([{ type: 'function', name: 'f', inputs: [{ name: 'a', type, internalType }] }]),
    )
    expect(JSON.stringify(read)).not.toContain('enumName')
  })

  it('behavior: a list without end is cut', () => {
    const functions = parseGivenAbiJson(
      '[{"type":"function","name":"many","inputs":[{"name":"sides","type":"uint8[]","internalType":"enum Side[]"}]}]',
    )
    const data = encodeFunctionData({ abi: parseAbi(['function many(uint8[])']), args: [Array(500).fill(1)] })
    expect(namedNumbers(callOf(contract, data, functions).args, [])).toHaveLength(50)
  })
})
