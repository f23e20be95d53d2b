import { concat, encodeFunctionData, type Hex, pad } from 'viem'
import { describe, expect, it } from 'vitest'
import { multiSendAbi } from './abi.ts'
import { DECODE_BUDGET, describeCall, flattenCalls } from './calldata.ts'
import { decodeMultiSend, encodeMultiSend } from './multi-send.ts'

const to = '0x1111111111111111111111111111111111111111'
const safeAddress = '0x2222222222222222222222222222222222222222'
const library = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'

function wrap(packed: Hex): Hex {
  return encodeFunctionData({ abi: multiSendAbi, functionName: 'multiSend', args: [packed] })
}

function entry(operation: Hex, length: number, data: Hex): Hex {
  return concat([operation, to, pad('0x00', { size: 32 }), pad(`0x${length.toString(16)}`, { size: 32 }), data])
}

describe('multiSend', () => {
  it('comes back as it went in', () => {
    const calls = [
      { to, value: 0n, data: '0x', operation: 0 },
      { to, value: 12n, data: '0xdeadbeef', operation: 0 },
      { to, value: 2n ** 255n, data: `0x${'ab'.repeat(100)}`, operation: 1 },
    ] as const
    expect(decodeMultiSend(encodeMultiSend(calls))).toEqual(calls)
    expect(decodeMultiSend(encodeMultiSend([]))).toEqual([])
  })

  it.each([
    ['leftover bytes', wrap(concat([entry('0x00', 0, '0x'), '0x00']))],
    ['a head cut off', wrap('0x00')],
    ['a length beyond the end', wrap(entry('0x00', 5, '0xdeadbeef'))],
    ['a huge length', wrap(concat(['0x00', to, pad('0x00', { size: 32 }), `0x${'ff'.repeat(32)}`]))],
    ['operation 2', wrap(entry('0x02', 0, '0x'))],
    ['trailing calldata', concat([wrap(entry('0x00', 0, '0x')), '0x00'])],
    ['another offset', wrap(entry('0x00', 0, '0x')).replace('20', '40') as Hex],
    ['another function', '0xdeadbeef'],
  ] as const)('refuses %s', (_name, data) => {
    expect(() => decodeMultiSend(data)).toThrow(expect.objectContaining({ code: 'MULTISEND_MALFORMED' }))
  })
})

describe('describeCall', () => {
  it('describes the entries, with their place in the tree', () => {
    const inner = encodeMultiSend([{ to, value: 1n, data: '0x' }])
    const data = encodeMultiSend([
      { to, value: 7n, data: '0x' },
      { to: library, value: 0n, data: inner, operation: 1 },
    ])
    const call = describeCall({ to: library, value: 0n, data, operation: 1, safeAddress })
    expect(flattenCalls(call).map(({ kind, path }) => [kind, path])).toEqual([
      ['multi-send', []],
      ['native-transfer', [0]],
      ['multi-send', [1]],
      ['native-transfer', [1, 0]],
    ])
  })

  it('takes the zero address for the Safe from 1.5.0 on, and only then', () => {
    const data = encodeMultiSend([{ to: '0x0000000000000000000000000000000000000000', value: 0n, data: '0x' }])
    const describeWith = (target: typeof to | typeof library | '0xA83c336B20401Af773B6219BA5027174338D1836') =>
      describeCall({ to: target, value: 0n, data, operation: 1, safeAddress }).calls?.[0]
    expect(describeWith('0xA83c336B20401Af773B6219BA5027174338D1836')).toMatchObject({
      to: safeAddress,
      isZeroTarget: true,
    })
    expect(describeWith(library)).toMatchObject({ isZeroTarget: false })
  })

  it('never calls a delegatecall a transfer', () => {
    const data: Hex = `0xa9059cbb${'00'.repeat(64)}`
    expect(describeCall({ to, value: 0n, data, operation: 1, safeAddress })).toMatchObject({
      kind: 'unknown',
      name: null,
      undecodedBytes: 68,
    })
    expect(describeCall({ to, value: 0n, data, operation: 0, safeAddress }).kind).toBe('erc20-transfer')
  })

  it.each([
    ['bytes after the arguments', `0xa9059cbb${'00'.repeat(65)}`],
    ['an address with dirty bytes', `0xa9059cbb01${'00'.repeat(63)}`],
    ['too few bytes', `0xa9059cbb${'00'.repeat(40)}`],
  ] as const)('marks %s', (_name, data) => {
    expect(describeCall({ to, value: 0n, data, operation: 0, safeAddress }).problem).toBe('NONCANONICAL')
  })

  it('stops at the budget and says so', () => {
    let data = encodeMultiSend([])
    for (let depth = 0; depth < DECODE_BUDGET.depth + 2; depth += 1) {
      data = encodeMultiSend([{ to: library, value: 0n, data, operation: 1 }])
    }
    const deep = describeCall({ to: library, value: 0n, data, operation: 1, safeAddress })
    expect(flattenCalls(deep).at(-1)?.problem).toBe('BUDGET')
    const many = encodeMultiSend(Array.from({ length: 600 }, () => ({ to, value: 1n, data: '0x' as const })))
    const wide = flattenCalls(describeCall({ to: library, value: 0n, data: many, operation: 1, safeAddress }))
    expect(wide.at(-1)?.problem).toBe('BUDGET')
    expect(wide.length).toBeLessThanOrEqual(DECODE_BUDGET.calls + 1)
    const long: Hex = `0x${'00'.repeat(DECODE_BUDGET.bytes + 1)}`
    expect(describeCall({ to, value: 0n, data: long, operation: 0, safeAddress }).problem).toBe('BUDGET')
  })
})
