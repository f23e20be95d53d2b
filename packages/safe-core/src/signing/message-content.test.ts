import { hashMessage, hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { describeTypedData, messageLimits, parseMessageContent } from './message-content.ts'
import { encodeMessageContent } from './safe-message.ts'

const spender = '0x1c694Fc3006D81ff4a56F97E1b99529066a23725'
const typedData = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Item: [
      { name: 'to', type: 'address' },
      { name: 'amounts', type: 'uint256[2]' },
    ],
    Order: [
      { name: 'note_text', type: 'string' },
      { name: 'items', type: 'Item[]' },
      { name: 'isFinal', type: 'bool' },
      { name: 'data', type: 'bytes' },
    ],
  },
  domain: { name: 'Shop', chainId: 1 },
  primaryType: 'Order',
  message: { isFinal: true, data: '0x12', note_text: 'two', items: [{ amounts: ['0x10', 7], to: spender }] },
}

const withDomain = (types: object) => ({ EIP712Domain: typedData.types.EIP712Domain, ...types })

type Change = { [Key in keyof typeof typedData]?: unknown }
const read = (change: Change = {}) => parseMessageContent(JSON.stringify({ ...typedData, ...change }))
const messageOf = (type: string, value: unknown) =>
  read({ types: withDomain({ Order: [{ name: 'field', type }] }), message: { field: value } })

describe('parseMessageContent', () => {
  test('default: a JSON string is a text, whatever it looks like', () => {
    expect(parseMessageContent('"0xdead"')).toEqual({ encoding: 'EIP191_TEXT', text: '0xdead' })
    expect(encodeMessageContent(parseMessageContent('"Hello \\u0053afe"'))).toBe(hashMessage('Hello Safe'))
  })

  test('default: an object is typed data', () => {
    const content = read()
    expect(content).toEqual({ encoding: 'EIP712', typedData })
    // biome-ignore lint/suspicious/noExplicitAny: typed for constants alone
    expect(encodeMessageContent(content)).toBe(hashTypedData(typedData as any))
  })

  test.each([
    ['nothing', ''],
    ['half of it', '{"domain":'],
    ['a number', '1'],
    ['a list', '[]'],
    ['half a character', '"\\ud800"'],
    ['depth', '['.repeat(60_000)],
    ['too long', JSON.stringify('a'.repeat(messageLimits.characters))],
    ['no domain', JSON.stringify({ ...typedData, domain: null })],
    ['no types', JSON.stringify({ ...typedData, types: [] })],
    ['no primaryType', JSON.stringify({ ...typedData, primaryType: undefined })],
    ['a primaryType without its type', JSON.stringify({ ...typedData, primaryType: 'toString' })],
    ['no message', JSON.stringify({ ...typedData, message: 'text' })],
  ])('error: FIELD_MALFORMED %s', (_name, json) => {
    expect(() => parseMessageContent(json)).toThrowError(expect.objectContaining({ code: 'FIELD_MALFORMED' }))
  })

  test.each<[string, string, unknown]>([
    ['a number that JSON cannot hold', 'uint256', 2 ** 53],
    ['a fraction', 'uint256', 1.5],
    ['a number over its type', 'uint8', 256],
    ['words for a number', 'uint256', 'seven'],
    ['a number for a text', 'string', 7],
    ['a text for a truth', 'bool', 'true'],
    ['half a byte', 'bytes', '0x1'],
    ['words for bytes', 'bytes', 'abc'],
    ['too few bytes', 'bytes32', '0x12'],
    ['a wrong checksum', 'address', spender.replace('c', 'C')],
    ['nothing', 'string', undefined],
    ['null', 'string', null],
    ['a type that is none', 'uint7', 1],
    ['a list that is too short', 'uint8[2]', [1]],
    ['an object for a list', 'uint8[]', { length: 0 }],
    ['a type with a space in it', 'uint256 value,uint256', 1],
  ])('error: FIELD_MALFORMED the value is %s', (_name, type, value) => {
    expect(() => messageOf(type, value)).toThrowError(expect.objectContaining({ code: 'FIELD_MALFORMED' }))
  })

  const json = JSON.stringify(typedData)
  const twice: [string, string][] = [
    ['a key twice', json.replace('"isFinal":true', '"isFinal":false,"isFinal":true')],
    ['a key twice, once written otherwise', json.replace('"isFinal":true', '"isF\\u0069nal":false,"isFinal" : true')],
    ['a key twice in a list', json.replace('{"amounts":', '{"amounts":[1,2],"amounts":')],
    ['a type twice', json.replace('"Item":', '"Item":[],"Item":')],
    ['the message twice', json.replace(/}$/, ',"message":{}}')],
    ['an exponent', json.replace(',7]', ',7e2]')],
    ['a fraction that is rounded', json.replace(',7]', ',7.00000000000000000001]')],
  ]
  test.each(twice)('error: FIELD_MALFORMED two readers could read %s differently', (_name, changed) => {
    expect(changed).not.toBe(json)
    expect(() => JSON.parse(changed)).not.toThrow()
    expect(() => parseMessageContent(changed)).toThrowError(
      expect.objectContaining({
        code: 'FIELD_MALFORMED',
        message: expect.stringMatching(/twice in one object|whole number/),
      }),
    )
  })

  test('default: the same key in two objects, and keys, colons and numbers inside texts', () => {
    const { message } = typedData
    for (const note_text of ['"a":1,"a":2', '\\"a\\": 1.5e3 {[', 'isFinal: 1.5'])
      expect(read({ message: { ...message, note_text } })).toMatchObject({ encoding: 'EIP712' })
    expect(read({ message: { ...message, items: [message.items[0], message.items[0]] } })).toMatchObject({})
    expect(parseMessageContent('"{\\"a\\":1,\\"a\\":1.5}"')).toMatchObject({ encoding: 'EIP191_TEXT' })
  })

  test('error: FIELD_MALFORMED half a character in a name', () => {
    const half = '\ud800'
    expect(() =>
      read({ types: withDomain({ Order: [{ name: half, type: 'uint8' }] }), message: { [half]: 1 } }),
    ).toThrow(/name cannot be hashed/)
  })

  test('error: FIELD_MALFORMED a name that reads as two fields, or stands twice', () => {
    const named = (name: string) =>
      read({ types: withDomain({ Order: [{ name, type: 'uint8' }] }), message: { [name]: 1 } })
    expect(() => named('a,uint8 b')).toThrow(/name cannot be hashed/)
    const twice = { name: 'a', type: 'uint8' }
    expect(() => read({ types: withDomain({ Order: [twice, twice] }), message: { a: 1 } })).toThrow(/twice/)
  })

  test('error: FIELD_MALFORMED what would take too long to hash', () => {
    const long = Array.from({ length: 200 }, (_, index) => ({ name: `field${index}`, type: 'uint8' }))
    const types = withDomain({ Order: [{ name: 'all', type: 'Empty[]' }], Empty: [], Long: long })
    expect(() => read({ types, message: { all: Array.from({ length: 10_000 }, () => ({})) } })).toThrow(/more objects/)
    const nested = withDomain({ Order: [{ name: 'inner', type: 'Order[]' }] })
    const deep = Array.from({ length: 40 }).reduce((inner) => ({ inner: [inner] }), { inner: [] })
    expect(() => read({ types: nested, message: deep })).toThrow(/deeper/)
  })
})

describe('describeTypedData', () => {
  test('default: in the order of the types, with what they are', () => {
    const { fields, unsigned } = describeTypedData(typedData)
    expect(fields.map(({ path, type, value }) => `${path}: ${type} ${value}`)).toEqual([
      'domain.name: string Shop',
      'domain.chainId: uint256 1',
      'message.note_text: string two',
      'message.items: Item[] null',
      'message.items[0]: Item null',
      `message.items[0].to: address ${spender}`,
      'message.items[0].amounts: uint256[2] null',
      'message.items[0].amounts[0]: uint256 16',
      'message.items[0].amounts[1]: uint256 7',
      'message.isFinal: bool true',
      'message.data: bytes 0x12',
    ])
    expect(unsigned).toEqual([])
  })

  test('behavior: names what no type declares', () => {
    const { domain, message } = typedData
    const reading = describeTypedData({
      ...typedData,
      domain: { ...domain, version: '1' },
      message: { ...message, price: 1, items: [{ ...message.items[0], discount: 2 }] },
    })
    expect(reading.unsigned).toEqual(['domain.version', 'message.items[0].discount', 'message.price'])
  })

  test('error: FIELD_MALFORMED a domain without a type of its own, which two readers hash differently', () => {
    const { EIP712Domain: _, ...types } = typedData.types
    const refusal = expect.objectContaining({ message: expect.stringContaining('`EIP712Domain`') })
    expect(() => describeTypedData({ ...typedData, types })).toThrow(refusal)
    expect(() => read({ types })).toThrow(refusal)
    expect(() => read({ types, domain: {} })).toThrow(refusal)
    expect(read({ types: { ...types, EIP712Domain: [] } })).toMatchObject({ encoding: 'EIP712' })
  })
})

describe('describeTypedData', () => {
  test.each([
    ['no types', { types: null }],
    ['types that are no lists of fields', { types: { Order: {} } }],
    ['no message', { primaryType: 'EIP712Domain', message: null }],
    ['no domain', { domain: null }],
  ])('error: FIELD_MALFORMED: %s', (_name, change) => {
    const given = { ...typedData, ...change } as unknown as typeof typedData
    expect(() => describeTypedData(given)).toThrow(expect.objectContaining({ code: 'FIELD_MALFORMED' }))
  })
})
