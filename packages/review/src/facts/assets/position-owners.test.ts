import { type Address, encodeFunctionData, pad, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { inputOf, otherOwner, safeAddress } from '../../scene.ts'
import { positionOwners } from './position-owners.ts'

const positions: Address = '0xC36442b4a4522E871399CD717aBDD847Ab11FE88'
const abi = parseAbi([
  'struct Params { uint256 tokenId; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function increaseLiquidity(Params params)',
  'function collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params)',
])
const amounts = { amount0Desired: 1n, amount1Desired: 1n, amount0Min: 1n, amount1Min: 1n, deadline: 1n }
const raise = encodeFunctionData({ abi, functionName: 'increaseLiquidity', args: [{ tokenId: 777n, ...amounts }] })

describe('positionOwners', () => {
  const ask = (answer: () => Promise<unknown>) => {
    const need = positionOwners.needs(inputOf({ to: positions, data: raise }))
    return need && positionOwners.read(() => answer, need)
  }

  it.each([
    ['an account', pad(otherOwner), { '777': otherOwner }],
    ['what is no account', `0x01${'00'.repeat(31)}`, undefined],
    ['nothing', '0x', undefined],
  ])('an answer of %s', async (_name, answer, expected) => {
    expect((await ask(async () => answer))?.[positions.toLowerCase()]).toEqual(expected)
  })

  it('asks nobody about other calls', () => {
    const params = { tokenId: 777n, recipient: safeAddress, amount0Max: 1n, amount1Max: 1n }
    const data = encodeFunctionData({ abi, functionName: 'collect', args: [params] })
    expect(positionOwners.needs(inputOf({ to: positions, data }))).toBeNull()
  })
})
