import { describe, expect, test } from 'vitest'
import { readNamedValues } from './named-values.ts'

const governance = '0xD533Ca259b330c7A88f74E000a3FaEa2d63B7972'
const proxy = '0x5555555555555555555555555555555555555555'
const signature = 'vote(uint256,uint256,uint8)'

describe('readNamedValues', () => {
  test('default: by chain, contract and function; of the code behind a contract too', async () => {
    const [value, ...others] = await readNamedValues({ chainId: 42220, contracts: [governance], signature })
    expect(value?.path).toEqual([2])
    expect(value?.names.get('3')).toBe('Yes')
    expect(others).toEqual([])
    expect(await readNamedValues({ chainId: 42220, contracts: [proxy, governance], signature })).toHaveLength(1)
  })

  test.each([
    [1, governance, signature],
    [42220, proxy, signature],
    [42220, governance, 'vote(uint256,uint256,uint256)'],
    [42220, governance, ''],
  ] as const)('behavior: none on chain %d for %s and %s', async (chainId, contract, asked) => {
    expect(await readNamedValues({ chainId, contracts: [contract], signature: asked })).toEqual([])
  })
})
