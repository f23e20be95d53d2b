import { type Address, concat, encodeAbiParameters, encodeFunctionData, type Hex, pad, size, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { safeAbi } from '../abi/abi.ts'
import { describeCall, flattenCalls } from './calldata.ts'
import {
  callOnly,
  describePlain,
  faultsOf,
  functions,
  multicall3,
  other,
  safeAddress,
  to,
  transfer,
  word,
  zero,
} from './calldata-scene.ts'
import { parseGivenAbi } from './given-abi.ts'
import { encodeMultiSend } from './multi-send.ts'

const callOnly150: Address = '0xA83c336B20401Af773B6219BA5027174338D1836'

describe('describeCall', () => {
  it('says which bytes every argument comes from', () => {
    const call = describePlain(transfer)
    expect(call).toMatchObject({
      kind: 'erc20-transfer',
      name: 'transfer(address,uint256)',
      source: 'built-in',
      family: 'erc20-transfer',
      alternatives: [],
      undecoded: [],
      issues: [],
      args: [
        { name: 'to', value: other, decoded: { kind: 'address', value: other, ranges: [{ start: 4, end: 36 }] } },
        { name: 'amount', value: '5', decoded: { kind: 'number', value: 5n, ranges: [{ start: 36, end: 68 }] } },
      ],
    })
  })

  it('describes the entries of a batch, with their place in the tree', () => {
    const inner = encodeMultiSend([{ to, value: 1n, data: '0x' }])
    const data = encodeMultiSend([
      { to, value: 7n, data: '0x' },
      { to: callOnly, value: 0n, data: inner, operation: 1 },
    ])
    const call = describePlain(data, { to: callOnly, operation: 1 })
    expect(flattenCalls(call).map(({ kind, path }) => [kind, path])).toEqual([
      ['multi-send', []],
      ['native-transfer', [0]],
      ['multi-send', [1]],
      ['native-transfer', [1, 0]],
    ])
    expect(faultsOf(call)).toEqual([])
    expect(call.issues).toMatchObject([{ id: 'batch-delegatecall-refused' }])
  })

  it('takes the zero address for the Safe from 1.5.0 on, and only then', () => {
    const data = encodeMultiSend([{ to: zero, value: 0n, data: '0x' }])
    const describeWith = (target: Address) => describePlain(data, { to: target, operation: 1 }).calls?.[0]
    expect(describeWith(callOnly150)).toMatchObject({ to: safeAddress, isZeroTarget: true })
    expect(describeWith(callOnly)).toMatchObject({ to: zero, isZeroTarget: true })
  })

  it('never calls a delegatecall a transfer', () => {
    expect(describePlain(transfer, { operation: 1 })).toMatchObject({ kind: 'unknown', name: null, undecodedBytes: 68 })
  })

  it.each([
    ['trailing-bytes', `0xa9059cbb${'00'.repeat(65)}`, [{ start: 68, end: 69 }]],
    ['dirty-bits', `0xa9059cbb01${'00'.repeat(63)}`, [{ start: 4, end: 16 }]],
    ['too-short', `0xa9059cbb${'00'.repeat(40)}`, [{ start: 0, end: 44 }]],
    ['dirty-bits', `0xa22cb465${'00'.repeat(63)}02`, [{ start: 36, end: 68 }]],
    ['dirty-padding', `0x85a5affe${word(32)}${word(1)}aa${'00'.repeat(30)}01`, [{ start: 69, end: 100 }]],
    ['missing-padding', `0x85a5affe${word(32)}${word(1)}aa`, []],
    ['offset-gap', `0x85a5affe${word(64)}${word(7)}${word(0)}`, [{ start: 36, end: 68 }]],
    ['offset-backwards', `0x85a5affe${word(0)}`, []],
    ['offset-out-of-bounds', `0x85a5affe${'ff'.repeat(32)}`, [{ start: 0, end: 36 }]],
    ['length-out-of-bounds', `0x85a5affe${word(32)}${'ff'.repeat(32)}`, [{ start: 0, end: 68 }]],
  ] as const)('finds %s', (id, data, undecoded) => {
    const call = describePlain(data as Hex)
    expect(call.issues.map((issue) => issue.id)).toContain(id)
    expect(call).toMatchObject({ problem: 'NONCANONICAL' })
    if (id !== 'dirty-bits' || data.startsWith('0xa905')) expect(call.undecoded).toEqual(undecoded)
    expect(faultsOf(call)).toEqual([])
  })

  it('keeps texts as they are, and says what hides in them or is none', () => {
    const abis = [
      {
        address: to,
        functions: parseGivenAbi([{ type: 'function', name: 'note', inputs: [{ type: 'string', name: 'text' }] }]),
      },
    ]
    const note = (raw: Hex) => concat(['0x48fe9eec', encodeAbiParameters([{ type: 'bytes' }], [raw])])
    const [known] = abis[0]?.functions ?? []
    const describeNote = (raw: Hex) =>
      describePlain(note(raw).replace('0x48fe9eec', known?.selector ?? '') as Hex, { abis })
    const hidden = 'pay\u202eecila\u0000\n'
    expect(describeNote(stringToHex(hidden))).toMatchObject({
      args: [{ value: hidden, decoded: { raw: stringToHex(hidden) } }],
      issues: [{ id: 'text-control' }],
      problem: null,
      undecoded: [],
      source: 'given',
    })
    expect(describeNote('0xff00fe')).toMatchObject({
      args: [{ value: '0xff00fe', decoded: { value: null, raw: '0xff00fe' } }],
      issues: [{ id: 'text-not-utf8' }],
      problem: null,
    })
    expect(describeNote(stringToHex('Grüße'))).toMatchObject({ args: [{ value: 'Grüße' }], issues: [] })
  })

  it('reads by a given ABI what the list does not know, for its own address only, and exactly only', () => {
    const functions = parseGivenAbi([{ type: 'function', name: 'poke', inputs: [{ name: 'ids', type: 'uint256[]' }] }])
    const poke = concat([functions[0]?.selector ?? '0x', encodeAbiParameters([{ type: 'uint256[]' }], [[1n, 2n]])])
    const abis = [{ address: to, functions }]
    expect(describePlain(poke, { abis })).toMatchObject({
      name: 'poke(uint256[])',
      source: 'given',
      family: null,
      args: [{ value: '["1","2"]' }],
    })
    expect(describePlain(poke, { abis, to: other })).toMatchObject({
      name: null,
      source: null,
      undecodedBytes: size(poke),
    })
    expect(describePlain(`${poke}00`, { abis })).toMatchObject({
      name: null,
      problem: 'NONCANONICAL',
      alternatives: [{ signature: 'poke(uint256[])', isExact: false }],
    })
  })

  it('throws our error for an address or data that is none', () => {
    for (const change of [
      { to: '0x12' },
      { safeAddress: '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9b' },
      { data: '0x1' },
      { data: '0xgg' },
    ] as const) {
      const call = { to, value: 0n, data: '0x', operation: 0, safeAddress, ...change } as const
      expect(() => describeCall(call)).toThrow(expect.objectContaining({ code: 'FIELD_MALFORMED' }))
    }
  })
})

describe('calls inside calls', () => {
  const inner = [{ from: to, to: other, data: transfer, name: 'transfer(address,uint256)', path: [0] }]

  it.each([
    [
      'execTransaction of another Safe',
      encodeFunctionData({
        abi: safeAbi,
        functionName: 'execTransaction',
        args: [other, 1n, transfer, 1, 0n, 0n, 0n, zero, zero, '0x'],
      }),
      [{ from: to, to: other, value: 1n, operation: 1, path: [0] }],
    ],
    [
      'execTransactionFromModule',
      encodeFunctionData({ abi: functions, functionName: 'execTransactionFromModule', args: [other, 0n, transfer, 0] }),
      inner,
    ],
    [
      'tryAggregate',
      encodeFunctionData({
        abi: functions,
        functionName: 'tryAggregate',
        args: [true, [{ target: other, callData: transfer }]],
      }),
      inner,
    ],
    [
      'aggregate3Value',
      encodeFunctionData({
        abi: functions,
        functionName: 'aggregate3Value',
        args: [[{ target: other, allowFailure: true, value: 3n, callData: transfer }]],
      }),
      [{ ...inner[0], value: 3n }],
    ],
    [
      'multicall, which the contract makes of itself',
      encodeFunctionData({ abi: functions, functionName: 'multicall', args: [[transfer, '0x']] }),
      [
        { from: safeAddress, to, kind: 'erc20-transfer', path: [0] },
        { from: safeAddress, to, kind: 'empty', path: [1] },
      ],
    ],
    [
      'executeBatch of a timelock',
      encodeFunctionData({
        abi: functions,
        functionName: 'executeBatch',
        args: [[other, to], [0n, 1n], [transfer, '0x'], pad('0x00'), pad('0x00')],
      }),
      [inner[0], { to, value: 1n, kind: 'native-transfer' }],
    ],
    [
      'upgradeAndCall of a ProxyAdmin',
      encodeFunctionData({ abi: functions, functionName: 'upgradeAndCall', args: [other, safeAddress, transfer] }),
      inner,
    ],
  ] as const)('are found in %s', (_name, data, calls) => {
    const call = describePlain(data)
    expect(call).toMatchObject({ undecoded: [], issues: [], calls })
    expect(call.calls).toHaveLength(calls.length)
    expect(faultsOf(call)).toEqual([])
  })

  it('are the entries of a batch that is called: then the library makes them', () => {
    const data = encodeMultiSend([{ to: other, value: 0n, data: transfer }])
    expect(describePlain(data, { to: callOnly })).toMatchObject({
      kind: 'multi-send',
      calls: [{ from: callOnly, to: other }],
    })
    expect(describePlain(data, { to: callOnly, operation: 1 })).toMatchObject({ calls: [{ from: safeAddress }] })
  })

  it('are not guessed: approveHash is a leaf that names the hash', () => {
    const hash = pad('0xabcd')
    const call = describePlain(encodeFunctionData({ abi: safeAbi, functionName: 'approveHash', args: [hash] }))
    expect(call).toMatchObject({ name: 'approveHash(bytes32)', args: [{ name: 'hashToApprove', value: hash }] })
    expect(call.calls).toBeUndefined()
  })

  it('are none in an operation that no Safe has, and that is told', () => {
    const data = encodeFunctionData({
      abi: functions,
      functionName: 'execTransactionFromModule',
      args: [other, 0n, transfer, 2],
    })
    expect(describePlain(data)).toMatchObject({
      problem: 'NONCANONICAL',
      issues: [{ id: 'inner-call-invalid', start: 100, end: 132 }],
    })
    const uneven = encodeFunctionData({
      abi: functions,
      functionName: 'executeBatch',
      args: [[other], [], [transfer], pad('0x00'), pad('0x00')],
    })
    expect(describePlain(uneven)).toMatchObject({ problem: 'NONCANONICAL' })
  })

  it('are made by the Safe when Multicall3 runs as the Safe, as calls or delegatecalls', () => {
    const data = encodeFunctionData({
      abi: functions,
      functionName: 'aggregate3',
      args: [[{ target: other, allowFailure: false, callData: transfer }]],
    })
    expect(describePlain(data, { to: multicall3, operation: 1 })).toMatchObject({
      kind: 'unknown',
      name: 'aggregate3((address,bool,bytes)[])',
      calls: [{ from: safeAddress, operation: 0, kind: 'erc20-transfer' }],
    })
    expect(describePlain(data, { to: '0x93dc480940585D9961bfcEab58124fFD3d60f76a', operation: 1 })).toMatchObject({
      calls: [{ from: safeAddress, operation: 1, kind: 'unknown', name: null }],
    })
  })

  it('names what a released library deploys', () => {
    const data = encodeFunctionData({ abi: functions, functionName: 'performCreate', args: [0n, '0x6001'] })
    const createCall: Address = '0x9b35Af71d77eaf8d7e40252370304687390A1A52'
    expect(describePlain(data, { to: createCall, operation: 1 })).toMatchObject({
      family: 'create-call',
      args: [{}, { value: '0x6001' }],
    })
    expect(describePlain(data, { operation: 1 })).toMatchObject({ name: null })
  })
})
