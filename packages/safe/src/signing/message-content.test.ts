import { hashMessage, hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { describeTypedData, messageLimits, parseMessageContent, unsignedPaths } from './message-content.ts'
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
    ['too long', JSON.stringify('a'.repeat(messageLimits.characters + 1))],
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

  test('default: a domain without a declared type gets the type that viem and ethers derive', () => {
    const { EIP712Domain: _, ...types } = typedData.types
    const salt = `0x${'ab'.repeat(32)}`
    for (const domain of [
      {},
      { name: '', version: '' },
      { chainId: '1' },
      { verifyingContract: spender, name: null },
      { salt, verifyingContract: spender, chainId: 1, version: '1', name: 'Shop' },
    ]) {
      const content = read({ types, domain })
      // biome-ignore lint/suspicious/noExplicitAny: typed for constants alone
      expect(encodeMessageContent(content)).toBe(hashTypedData({ ...typedData, types, domain } as any))
    }
    const { fields, unsigned } = describeTypedData({
      ...typedData,
      types,
      domain: { chainId: 1, name: 'a', owner: 'b' },
    })
    expect(fields.slice(0, 2).map(({ path }) => path)).toEqual(['domain.name', 'domain.chainId'])
    expect(unsigned).toEqual(['domain.owner'])
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

describe('what the hash covers', () => {
  const pay = (amount: number) =>
    JSON.stringify({ ...typedData, primaryType: 'EIP712Domain', message: { pay: amount } })
  const refused = (json: string) =>
    expect(() => parseMessageContent(json)).toThrow(expect.objectContaining({ code: 'FIELD_MALFORMED' }))
  const typed = (Order: unknown, message: unknown, more: object = {}, change: object = {}) =>
    JSON.stringify({ ...typedData, types: withDomain({ Order, ...more }), message, ...change })
  const one = (type: string, name = 'a') => [{ name, type }]

  test('error: FIELD_MALFORMED for a message with the type of the domain: "pay 1" and "pay 1000" have the same hash', () => {
    for (const amount of [1, 1000])
      expect(() => parseMessageContent(pay(amount))).toThrow(/`EIP712Domain` would not cover any part of the message/)
  })

  test('error: FIELD_MALFORMED for a type that MetaMask hashes differently from viem and ethers', () => {
    for (const name of ['Item$', 'Item:x', 'Itém']) {
      const fields = one('string', 'b')
      refused(typed(one(name), { a: { b: 'c' } }, { [name]: fields }))
      const primary = (more: object, field = fields, message: object = { b: 'c' }) =>
        typed(one('string'), message, { [name]: field, ...more }, { primaryType: name })
      refused(primary({ It: fields, Item: fields }))
      refused(primary({ Other: fields }, one('Other[]', 'b'), { b: [{ b: 'c' }] }))
    }
    const alike = typed(one('string'), { b: 'c' }, { 'Item:x': one('string', 'b') }, { primaryType: 'Item:x' })
    // biome-ignore lint/suspicious/noExplicitAny: typed for constants alone
    const hash = hashTypedData(JSON.parse(alike) as any)
    expect(encodeMessageContent(parseMessageContent(alike))).toBe(hash)
  })

  test('error: FIELD_MALFORMED for a type whose name contains other types, so that its hash is that of another type', () => {
    for (const name of ['Item(W w)W', 'Item[]', 'Item x', 'Item,W']) {
      refused(typed(one('string'), { b: 'c' }, { [name]: one('string', 'b') }, { primaryType: name }))
      refused(typed(one('string'), { a: 'c' }, { [name]: one('string', 'b') }))
    }
  })

  const empty = { Empty: [] }
  const uncovered: [string, string][] = [
    ['a type without fields', typed([], { pay: 1 })],
    ['a type without fields and a message without values', typed([], {})],
    ['a type whose only field has none', typed(one('Empty'), { a: { pay: 1 } }, empty)],
    [
      'a type without fields, two types inside',
      typed(one('Outer'), { a: { b: { pay: 1 } } }, { ...empty, Outer: [{ name: 'b', type: 'Empty' }] }),
    ],
    ['the type of the domain, named as if declared here', typed([], {}, {}, { primaryType: 'EIP712Domain' })],
    ['the type of the domain, not declared', JSON.stringify({ ...JSON.parse(pay(1)), types: {} })],
    ['a list of the type', typed(one('uint8'), { a: 1 }, {}, { primaryType: 'Order[]' })],
    ['a plain type', typed(one('uint8'), { a: 1 }, {}, { primaryType: 'uint8' })],
    ['what every object has', typed(one('uint8'), { a: 1 }, {}, { primaryType: 'constructor' })],
  ]
  test.each(uncovered)('error: FIELD_MALFORMED nothing is covered: %s', (_name, json) => refused(json))

  const otherwise: [string, string][] = [
    ['a plain type that is declared', typed(one('address'), { a: { pay: 1 } }, { address: one('uint8', 'pay') })],
    ['a list that is declared', typed(one('Item[]'), { a: [] }, { 'Item[]': one('uint8') })],
    ['a type with a part of another', typed(one('Item(uint8 a)'), { a: {} }, { 'Item(uint8 a)': [] })],
    ['a type in Cyrillic letters', typed(one('Оrder'), { a: {} }, { Оrder: one('uint8') })],
    ['a type with a character without width', typed(one('Or\u200bder'), { a: {} }, { 'Or\u200bder': one('uint8') })],
    ['a name with a Cyrillic letter', typed(one('uint8', 'p\u0430y'), { 'p\u0430y': 1000 })],
    ['a name with a character without width', typed(one('uint8', 'pa\u200dy'), { 'pa\u200dy': 1 })],
    ['a name in wide letters', typed(one('uint8', 'ｐａｙ'), { ｐａｙ: 1 })],
    ['a prototype', typed(one('uint8', '__proto__'), {}).replace('"message":{}', '"message":{"__proto__":1}')],
    ['a value of the prototype', typed(one('Any', 'constructor'), {}, { Any: one('uint8', 'length') })],
    ['a type without an end', typed(one('Order'), { a: null })],
    ['a list that is longer', typed(one('uint8[1]'), { a: [1, 2] })],
    ['a length with a nought before it', typed(one('uint8[01]'), { a: [1] })],
    ['no length', typed(one('uint8[0]'), { a: [] })],
    ['a number over its type, as a text', typed(one('uint8'), { a: '256' })],
    ['a number over its type, in a list, as hex', typed(one('uint8[]'), { a: ['0x100'] })],
    ['a negative number', typed(one('uint8'), { a: '-1' })],
    ['a number with a space', typed(one('uint8'), { a: ' 1' })],
    ['a number of nothing', typed(one('uint8'), { a: '' })],
    ['a number of 0x', typed(one('uint8'), { a: '0x' })],
    ['a truth for a number', typed(one('uint8'), { a: true })],
    ['bytes too many, in a list', typed(one('bytes2[]'), { a: ['0x123456'] })],
    ['bytes too few', typed(one('bytes2'), { a: '0x12' })],
    ['bytes in capitals', typed(one('bytes2'), { a: '0X1234' })],
    ['half an account, in a list', typed(one('address[]'), { a: ['0x1234'] })],
    ['a number without a size', typed(one('uint'), { a: 1 })],
  ]
  test.each(otherwise)('error: FIELD_MALFORMED programs or people could read another thing: %s', (_name, json) =>
    refused(json),
  )

  test('default: an empty list and lists of empty objects are covered, because their length is', () => {
    for (const json of [typed(one('uint8[]'), { a: [] }), typed(one('Empty[]'), { a: [{}, {}] }, empty)])
      expect(parseMessageContent(json)).toMatchObject({ encoding: 'EIP712' })
  })

  const note = { note: { price: 1.5, list: [1e30], __proto: null } }
  const extras: [string, object, string[]][] = [
    ['beside the message', { price: 1.5 }, ['price']],
    ['in the message', { message: { ...typedData.message, ...note } }, ['message.note']],
    [
      'in the domain',
      { domain: { ...typedData.domain, verifyingContract: spender, ...note } },
      ['domain.verifyingContract', 'domain.note'],
    ],
    [
      'in a list',
      { message: { ...typedData.message, items: [{ ...typedData.message.items[0], ...note }] } },
      ['message.items[0].note'],
    ],
    [
      'with the name of what all objects have',
      { message: { ...typedData.message, toString: 1.5 } },
      ['message.toString'],
    ],
    ['with dots in its name', { message: { ...typedData.message, 'items.to': 1.5 } }, ['message.items.to']],
  ]
  test.each(extras)(
    'behavior: a key that no type declares, %s, is named and has no part in anything',
    (_n, change, paths) => {
      const content = read(change)
      expect(content).toEqual({ encoding: 'EIP712', typedData })
      expect(encodeMessageContent(content)).toBe(encodeMessageContent(read()))
      expect(unsignedPaths(JSON.stringify({ ...typedData, ...change }))).toEqual(paths)
    },
  )

  test('error: FIELD_MALFORMED for an ambiguous number that is signed, next to one that is not', () => {
    const json = typed(one('uint256'), { a: 700, 'a.b': 1.5 })
    expect(parseMessageContent(json)).toMatchObject({ encoding: 'EIP712' })
    expect(() => parseMessageContent(json.replace('700', '7e2'))).toThrow(/whole number/)
  })

  test('behavior: quotation marks and escapes of JSON do not count towards the length of a text', () => {
    const limit = messageLimits.characters
    for (const letter of ['a', '"', '\u0000', '你']) {
      expect(parseMessageContent(JSON.stringify(letter.repeat(limit)))).toMatchObject({ encoding: 'EIP191_TEXT' })
      expect(() => parseMessageContent(JSON.stringify(letter.repeat(limit + 1)))).toThrow(/characters; \d+ are allowed/)
    }
    refused(`"${'\\u0061'.repeat(limit)}a"`)
    refused(`{"a":"${'a'.repeat(limit)}"}`)
  })
})
