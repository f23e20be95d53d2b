import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { parseGivenAbiJson, parseGivenFunctions } from '../calls/given-abi.ts'
import { CountersignError } from '../error.ts'
import { encodeTypedCall, type TypedValue } from './call-values.ts'
import { parseTransactionBuilderFile, writeTransactionBuilderFile } from './transaction-builder.ts'

/** A file that the released builder 1.18.2 wrote, with its checksum. */
const released = {
  version: '1.0',
  chainId: '1',
  createdAt: 1_761_326_849_944,
  meta: {
    name: 'Transactions Batch',
    description: '',
    txBuilderVersion: '1.18.2',
    createdFromSafeAddress: '0xA77DE01e157f9f57C7c4A326eeE9C4874D0598b6',
    createdFromOwnerAddress: '',
    checksum: '0x8b5032f716845c8b08bab3d63dbd9ba92e056f3557793cd041e59b84e16aa989',
  },
  transactions: [
    {
      to: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      value: '0',
      data: null,
      contractMethod: {
        inputs: [
          { internalType: 'address', name: 'spender', type: 'address' },
          { internalType: 'uint256', name: 'value', type: 'uint256' },
        ],
        name: 'approve',
        payable: false,
      },
      contractInputsValues: { spender: '0x474e5Ded6b5D078163BFB8F6dBa355C3aA5478C8', value: '100000000000' },
    },
  ],
}
const [transaction] = released.transactions
const safeAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const to = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

describe('parseTransactionBuilderFile', () => {
  test('default: a released file, its call encoded, its checksum right', () => {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: ['0x474e5Ded6b5D078163BFB8F6dBa355C3aA5478C8', 100_000_000_000n],
    })
    expect(parseTransactionBuilderFile(JSON.stringify(released))).toEqual({
      chainId: 1,
      name: 'Transactions Batch',
      isChecksumRight: true,
      calls: [{ kind: 'call', to: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', value: 0n, data }],
    })
  })

  test('behavior: a changed file has a wrong checksum, a renamed one has not, and none is none', () => {
    const changed = { ...released, transactions: [{ ...transaction, value: '1' }] }
    expect(parseTransactionBuilderFile(JSON.stringify(changed)).isChecksumRight).toBe(false)
    const renamed = { ...released, meta: { ...released.meta, name: 'Other' } }
    expect(parseTransactionBuilderFile(JSON.stringify(renamed)).isChecksumRight).toBe(true)
    const { meta: _meta, ...bare } = released
    expect(parseTransactionBuilderFile(JSON.stringify(bare)).isChecksumRight).toBeNull()
  })

  test('behavior: what is written is read again', () => {
    const calls = [
      { kind: 'call' as const, to, value: 10n ** 30n, data: '0x' as const },
      { kind: 'call' as const, to, value: 0n, data: '0xaabb' as const },
    ] as const
    const file = writeTransactionBuilderFile({ chainId: 5, safeAddress, name: '', createdAt: 1, calls })
    expect(parseTransactionBuilderFile(file)).toEqual({ chainId: 5, name: null, calls, isChecksumRight: true })
  })

  const list = (type: string, all: unknown) => {
    const contractMethod = { inputs: [{ name: 'all', type }], name: 'run', payable: false }
    const transactions = [{ to, value: '0', data: null, contractMethod, contractInputsValues: { all } }]
    return parseTransactionBuilderFile(JSON.stringify({ version: '1.0', chainId: '1', transactions })).calls[0]?.data
  }

  test.each<[string, unknown, unknown[]]>([
    ['uint256[]', '1,2,3', [1n, 2n, 3n]],
    ['uint256[]', ' 1 , 2,3 ', [1n, 2n, 3n]],
    ['uint256[]', '7', [7n]],
    ['uint256[]', 7, [7n]],
    ['uint256[]', `${2n ** 256n - 1n},0`, [2n ** 256n - 1n, 0n]],
    ['uint256[]', '"1","2"', [1n, 2n]],
    ['uint256[]', '0x10,5', [16n, 5n]],
    ['uint256[]', '[1,2,3]', [1n, 2n, 3n]],
    ['uint256[]', ['1', '2'], [1n, 2n]],
    ['uint256[]', '[]', []],
    ['int8[]', '-1,5', [-1, 5]],
    ['uint8[2]', '1,2', [1, 2]],
    ['address[]', `${to},${safeAddress.toLowerCase()}`, [to, safeAddress]],
    ['bool[]', 'true,false', [true, false]],
    ['bytes[]', '0xab,0x', ['0xab', '0x']],
    ['bytes4[]', '0xAABBCCDD', ['0xaabbccdd']],
  ])('behavior: %s as %j', (type, given, values) => {
    const abi = [
      { type: 'function', name: 'run', inputs: [{ name: 'all', type }], outputs: [], stateMutability: 'view' },
    ]
    expect(list(type, given)).toBe(encodeFunctionData({ abi, functionName: 'run', args: [values] }))
  })

  test.each<[string, unknown]>([
    ...(['', ' ', '1,,3', '1,2,', ',1', '1;2', '1 2', '1,x', '1],[2'] as const).map((text): [string, string] => [
      'uint256[]',
      text,
    ]),
    ['uint8[2]', '1,2,3'],
    ['uint8[]', '1,256'],
    ['string[]', 'a,b'],
    ['uint256[][]', '1,2'],
    ['address[]', `${to.slice(0, -1)},${to}`],
  ])('error: %s as %j is refused', (type, given) => {
    expect(() => list(type, given)).toThrow(expect.objectContaining({ code: 'FIELD_MALFORMED' }))
  })

  test('behavior: every way in which the builder writes values, to their bytes and back', () => {
    const parts = [
      { name: 'who', type: 'address' },
      { name: 'sums', type: 'uint256[]' },
      { name: 'mark', type: 'bytes4' },
    ]
    const inputs = [
      { name: 'all', type: 'address[]', internalType: 'contract IERC20[]' },
      { name: 'rows', type: 'uint256[][2]', internalType: 'uint256[][2]' },
      { name: 'parts', type: 'tuple[]', internalType: 'struct Part[]', components: parts },
      {
        name: 'options',
        type: 'tuple',
        components: [
          { name: '', type: 'bool' },
          { name: '', type: 'string' },
        ],
      },
      { name: '', type: 'int64', internalType: 'int64' },
      { name: 'data', type: 'bytes', internalType: 'bytes' },
    ]
    const contractInputsValues = {
      // Without quotation marks, as people type addresses.
      all: `[${to}, ${safeAddress.toLowerCase()}]`,
      rows: `[[1,${2n ** 200n}], []]`,
      parts: `[["${to}",["7","8"],"0xAABBCCDD"],["${safeAddress}",[],"0x00000000"]]`,
      options: '[false, "a, [b] \\"c\\" für"]',
      4: '-5',
      data: '0xABCD',
    }
    const expected = encodeFunctionData({
      abi: parseAbi([
        'struct Part { address who; uint256[] sums; bytes4 mark }',
        'function run(address[] all, uint256[][2] rows, Part[] parts, (bool, string) options, int64, bytes data)',
      ]),
      args: [
        [to, safeAddress],
        [[1n, 2n ** 200n], []],
        [
          { who: to, sums: [7n, 8n], mark: '0xaabbccdd' },
          { who: safeAddress, sums: [], mark: '0x00000000' },
        ],
        [false, 'a, [b] "c" für'],
        -5n,
        '0xabcd',
      ],
    })
    const transactions = [
      { to, value: '0', data: null, contractMethod: { inputs, name: 'run', payable: false }, contractInputsValues },
      { to, value: '0', data: '0xAAbb', contractMethod: null, contractInputsValues: null },
      { to, value: '1000000000000000001', data: null, contractMethod: null, contractInputsValues: null },
      { to, value: '5', contractMethod: { inputs: [], name: 'receive', payable: true }, contractInputsValues: null },
    ]
    const { calls } = parseTransactionBuilderFile(JSON.stringify({ ...released, transactions }))
    expect(calls.map(({ value, data }) => [value, data])).toEqual([
      [0n, expected],
      [0n, '0xaabb'],
      [10n ** 18n + 1n, '0x'],
      [5n, '0x'],
    ])
    const written = writeTransactionBuilderFile({ chainId: 1, safeAddress, name: 'Pay', createdAt: 7, calls })
    const again = parseTransactionBuilderFile(written)
    expect(again).toEqual({ chainId: 1, name: 'Pay', calls, isChecksumRight: true })
    expect(
      writeTransactionBuilderFile({ chainId: 1, safeAddress, name: 'Pay', createdAt: 7, calls: again.calls }),
    ).toBe(written)
  })

  test.each<[string, object, string]>([
    ['an address with a wrong checksum', { to: to.toLowerCase().replace('f79', 'F79') }, 'transactions[0].to'],
    ['a value that is no number', { value: '1e18' }, 'transactions[0].value'],
    ['a value above 2^256', { value: '9'.repeat(78) }, 'transactions[0].value'],
    ['half a byte', { data: '0x123' }, 'transactions[0].data'],
    ['a delegatecall', { operation: 1 }, 'transactions[0].operation'],
    [
      'a value that is missing, its name misspelled',
      {
        contractMethod: { name: 'note', inputs: [{ name: 'memo', type: 'string' }], payable: false },
        contractInputsValues: { Memo: 'rent' },
      },
      'transactions[0].contractInputsValues.memo',
    ],
    [
      'a value that only every object has',
      {
        contractMethod: { name: 'note', inputs: [{ name: 'constructor', type: 'string' }], payable: false },
        contractInputsValues: {},
      },
      'transactions[0].contractInputsValues.constructor',
    ],
    [
      'a value that does not fit its type',
      { contractInputsValues: { spender: 'me', value: '1' } },
      'transactions[0].contractInputsValues.spender',
    ],
  ])('error: FIELD_MALFORMED on %s', (_, change, field) => {
    const file = { ...released, transactions: [{ ...transaction, ...change }] }
    let thrown: unknown
    try {
      parseTransactionBuilderFile(JSON.stringify(file))
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ code: 'FIELD_MALFORMED', data: { field } })
  })

  test.each(['', 'nonsense', '[]', '{}', '{"transactions":[]}', '{"transactions":[5]}'])(
    'error: FIELD_MALFORMED on %s',
    (text) => {
      expect(() => parseTransactionBuilderFile(text)).toThrow(CountersignError)
    },
  )

  test('error: FIELD_MALFORMED on values that are nested without end', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const values = JSON.stringify({ ...released, meta: undefined }).replace('"100000000000"', deep)
    const meta = JSON.stringify(released).replace('"description":""', `"description":${deep}`)
    for (const text of [values, meta]) expect(() => parseTransactionBuilderFile(text)).toThrow(CountersignError)
  })
})

describe('encodeTypedCall', () => {
  const abi = parseAbi([
    'struct Part { address who; uint256[] sums; bytes4 mark }',
    'function run(Part[] parts, (bool isOn, string note) options, int8 shift, bytes data)',
  ])
  const [called] = parseGivenAbiJson(JSON.stringify(abi))
  if (called === undefined) throw new Error('no function')
  const expected = encodeFunctionData({
    abi,
    args: [[{ who: to, sums: [1n, 2n ** 200n], mark: '0x01020304' }], { isOn: true, note: 'für 5' }, -3, '0x'],
  })

  test.each<[string, TypedValue[]]>([
    ['part by part', [[[to, ['1', `${2n ** 200n}`], '0x01020304']], ['true', 'für 5'], '-3', '']],
    ['as JSON', [`[["${to}", [1, ${2n ** 200n}], "0x01020304"]]`, '[true, "für 5"]', '-3', '0x']],
    [
      'as objects',
      [
        `[{"who":"${to}","sums":["0x1",${2n ** 200n}],"mark":"0x01020304"}]`,
        '{"isOn":true,"note":"für 5"}',
        '-3',
        '0x',
      ],
    ],
  ])('default: tuples and lists, %s', (_, values) => {
    expect(encodeTypedCall(called, values)).toEqual({ ok: true, data: expected })
  })

  test('behavior: names every value at fault, with its place', () => {
    const read = encodeTypedCall(called, [[[to.replace('F7', 'f7'), ['x'], '0x01']], ['ja', '\ud800'], '128', '0x1'])
    expect(!read.ok && read.problems.map(({ path, reason }) => [path.join('.'), reason])).toEqual([
      ['0.0.0', 'bad-checksum'],
      ['0.0.1.0', 'not-a-number'],
      ['0.0.2', 'wrong-size'],
      ['1.0', 'not-a-bool'],
      ['1.1', 'half-character'],
      ['2', 'out-of-range'],
      ['3', 'not-bytes'],
    ])
  })

  test.each<[string, string]>([
    ['lacks a member', '{"isOn":true}'],
    ['has one that the tuple does not have', '{"isOn":true,"note":"a","notes":"b"}'],
    ['holds nothing in the place of a value', '[true, null]'],
    ['is nested without end', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['begins with a text that is all quotation marks', `["${'\\"'.repeat(300_000)}`],
  ])('behavior: JSON is no tuple that %s', (_, json) => {
    const read = encodeTypedCall(called, ['[]', json, '1', '0x'])
    expect(!read.ok && read.problems.map(({ path, reason }) => [path.join('.'), reason])).toEqual([['1', 'not-a-list']])
  })

  test('behavior: numbers in JSON keep their digits, however they are written', () => {
    const [list] = parseGivenAbiJson(JSON.stringify(parseAbi(['function f(uint256[] all)'])))
    if (list === undefined) throw new Error('no function')
    const typed = '[12345678901234567890e1, 1.5e18, "7", -0x1, 1.5, 1e30]'
    const read = encodeTypedCall(list, [typed])
    expect(!read.ok && read.problems.map(({ path, reason }) => [path.join('.'), reason])).toEqual([
      ['0.3', 'out-of-range'],
      ['0.4', 'not-a-number'],
    ])
    const all = [123_456_789_012_345_678_900n, 15n * 10n ** 17n, 7n, 10n ** 30n]
    const data = encodeFunctionData({ abi: parseAbi(['function f(uint256[] all)']), args: [all] })
    expect(encodeTypedCall(list, [typed.replace('-0x1, 1.5, ', '')])).toEqual({ ok: true, data })
  })

  test('behavior: a list that is none, or of another length', () => {
    const [fixed] = parseGivenAbiJson(JSON.stringify(parseAbi(['function f(uint8[2] pair, uint8[] all)'])))
    if (fixed === undefined) throw new Error('no function')
    const read = encodeTypedCall(fixed, ['[1]', '1,2'])
    expect(!read.ok && read.problems.map(({ reason }) => reason)).toEqual(['wrong-length', 'not-a-list'])
    expect(encodeTypedCall(fixed, ['[1, 255]', '[]']).ok).toBe(true)
  })
})

describe('parseGivenFunctions', () => {
  test.each([
    ['transfer(address to, uint256 amount)', 'transfer(address,uint256)'],
    [
      'function run((address who, uint256[] sums)[] calldata parts, bytes memory data) external payable returns (bool)',
      'run((address,uint256[])[],bytes)',
    ],
    ['  poke()  ', 'poke()'],
    [JSON.stringify([{ type: 'function', name: 'poke', inputs: [] }]), 'poke()'],
  ])('default: %s', (given, signature) => {
    expect(parseGivenFunctions(given).map((called) => called.signature)).toEqual([signature])
  })

  test.each(['', 'nonsense', 'f(', 'f(address to,)', '{'])('error: ABI_MALFORMED on %s', (given) => {
    expect(() => parseGivenFunctions(given)).toThrow(CountersignError)
  })
})
