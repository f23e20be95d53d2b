import { describe, expect, test } from 'vitest'
import { withGasLimit } from './call.ts'

const to = '0x4444444444444444444444444444444444444444'
const limit = '0xf42400'

describe('withGasLimit', () => {
  test.each<[string, string, unknown[], unknown[]]>([
    ['a getter', 'eth_call', [{ to, data: '0x' }, 'latest'], [{ to, data: '0x', gas: limit }, 'latest']],
    ['at a block by its hash', 'eth_call', [{ to }, { blockHash: '0x0' }], [{ to, gas: limit }, { blockHash: '0x0' }]],
    ['with overrides', 'eth_call', [{ to }, '0x1', { [to]: {} }], [{ to, gas: limit }, '0x1', { [to]: {} }]],
    ['of a creation', 'eth_call', [{ data: '0x00' }, '0x1'], [{ data: '0x00', gas: limit }, '0x1']],
    ['that names gas', 'eth_call', [{ to, gas: '0x5208' }, '0x1'], [{ to, gas: '0x5208' }, '0x1']],
    ['no call', 'eth_getCode', [to, '0x1'], [to, '0x1']],
    ['what is no call at all', 'eth_call', ['nonsense'], ['nonsense']],
  ])('behavior: %s', (_, method, params, limited) => {
    expect(withGasLimit({ method, params })).toEqual({ method, params: limited })
  })

  test('behavior: without parameters', () => {
    expect(withGasLimit({ method: 'eth_chainId' })).toEqual({ method: 'eth_chainId' })
  })
})
