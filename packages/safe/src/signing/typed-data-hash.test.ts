import { hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { createRandomInt, runs } from '../../../../scripts/testing/random-tests.mjs'
import { boundMessageWork, messageLimits, parseMessageContent, parseMessageContentInSteps } from './message-content.ts'
import { encodeMessageContent, type MessageTypedData } from './safe-message.ts'
import { hashTypedDataInSteps, runSteps, type Steps } from './typed-data-hash.ts'

const domain = { name: 'Shop', chainId: 1 }
const EIP712Domain = [
  { name: 'name', type: 'string' },
  { name: 'chainId', type: 'uint256' },
]
const fields = (...types: string[]) => types.map((type, index) => ({ name: `f${index}`, type }))
const many = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, at) => value(at))

function costOf(steps: Steps<unknown>): { cost: number; longest: number; hashes: number } {
  const seen = { cost: 0, longest: 0, hashes: 0 }
  for (const step of steps) {
    seen.cost += step
    seen.longest = Math.max(seen.longest, step)
    seen.hashes += 1
  }
  return seen
}

/** Typed data of one field, whose type and value are given, with further types. */
const messageOf = (type: string, value: unknown, types: MessageTypedData['types'] = {}): MessageTypedData => ({
  domain,
  types: { EIP712Domain, M: fields(type), ...types },
  primaryType: 'M',
  message: { f0: value },
})

/** Typed data that costs much by its form, and fits into a message. */
const costly: readonly (readonly [string, MessageTypedData])[] = [
  [
    '3,000 texts',
    messageOf(
      'string[]',
      many(3_000, (at) => `ab${at}`),
    ),
  ],
  [
    'empty texts',
    messageOf(
      'string[]',
      many(4_000, () => ''),
    ),
  ],
  [
    'bytes',
    messageOf(
      'bytes[]',
      many(4_000, () => '0x00'),
    ),
  ],
  [
    'numbers',
    messageOf(
      'uint8[]',
      many(4_000, () => 1),
    ),
  ],
  [
    'lists in lists',
    messageOf(
      'string[][][]',
      many(1_300, () => [['a']]),
    ),
  ],
  [
    'empty lists',
    messageOf(
      'uint8[][]',
      many(4_000, () => []),
    ),
  ],
  [
    'objects',
    messageOf(
      'A[]',
      many(2_000, () => ({ f0: 1 })),
      { A: fields('uint8') },
    ),
  ],
  [
    'objects of a long type',
    messageOf(
      'A[]',
      many(40, () => ({})),
      { A: [], B: fields(...many(700, () => 'uint8')) },
    ),
  ],
  [
    'objects that need many types',
    messageOf(
      'A0[]',
      many(40, () => ({ f0: [] })),
      {
        ...Object.fromEntries(many(95, (at) => [`A${at}`, fields(`A${(at + 1) % 95}[]`)])),
      },
    ),
  ],
  ['one long text', messageOf('string', 'a'.repeat(60_000))],
  [
    'addresses',
    messageOf(
      'address[]',
      many(1_200, (at) => `0x${String(at).padStart(40, '0')}`),
    ),
  ],
]

describe('hashTypedDataInSteps', () => {
  test.each(costly)('default: %s are hashed as viem hashes them', (_name, given) => {
    const { f0 } = given.message
    const typedData = { ...given, message: { f0: Array.isArray(f0) ? f0.slice(0, 50) : f0 } }
    // biome-ignore lint/suspicious/noExplicitAny: typed for constants alone
    expect(runSteps(hashTypedDataInSteps(typedData))).toBe(hashTypedData(typedData as any))
  })

  test('default: random typed data has the same hash as in viem', () => {
    const random = createRandomInt()
    for (let run = 0; run < (runs(60).numRuns ?? 60); run += 1) {
      const typedData = randomTypedData(random)
      // biome-ignore lint/suspicious/noExplicitAny: typed for constants alone
      expect(runSteps(hashTypedDataInSteps(typedData))).toBe(hashTypedData(typedData as any))
    }
  })

  test('behavior: a type is hashed once, however many objects have it', () => {
    const types = { A: fields('uint8'), ...Object.fromEntries(many(90, (at) => [`B${at}`, fields('A', 'string')])) }
    const objects = (count: number) =>
      messageOf(
        'A[]',
        many(count, () => ({ f0: 1 })),
        types,
      )
    const [few, more] = [costOf(hashTypedDataInSteps(objects(10))), costOf(hashTypedDataInSteps(objects(1_010)))]
    // Each object is one more item and one more hash, and makes the list longer by a word.
    expect(more.hashes - few.hashes).toBe(2_000)
    expect(more.cost - few.cost).toBeLessThan(2_400)
  })

  test.each([
    ['a text for a list', messageOf('string[]', 'abc')],
    ['nothing for an object', messageOf('A', undefined, { A: fields('uint8') })],
    ['a number over its type in a list', messageOf('uint8[]', [256])],
    ['too few bytes in a list', messageOf('bytes4[]', ['0x12'])],
    ['a type that is none', messageOf('uint7', 1)],
    ['the name of a function', messageOf('toString', 1)],
  ])('error: FIELD_MALFORMED %s', (_name, typedData) => {
    const refusal = expect.objectContaining({ code: 'FIELD_MALFORMED' })
    expect(() => encodeMessageContent({ encoding: 'EIP712', typedData })).toThrow(refusal)
  })
})

describe('parseMessageContentInSteps', () => {
  test.each(costly)('behavior: %s cost no more than was said before, in small steps', (_name, typedData) => {
    const json = JSON.stringify(typedData)
    expect(json.length).toBeLessThan(65_536)
    const { cost, longest } = costOf(parseMessageContentInSteps(json))
    expect(cost).toBeLessThanOrEqual(boundMessageWork(json))
    // The longest hash is of the words of a list that has as many values as a message may have.
    expect(longest).toBeLessThan(1_000)
  })

  test('error: FIELD_MALFORMED for more values than the limit', () => {
    const read = (count: number) =>
      parseMessageContent(
        JSON.stringify(
          messageOf(
            'uint8[]',
            many(count, () => 1),
          ),
        ),
      )
    const around = 3
    expect(read(messageLimits.values - around)).toMatchObject({ encoding: 'EIP712' })
    expect(() => read(messageLimits.values)).toThrow(/more than 4096 values/)
  })

  test('behavior: an ordinary message is far below the hashing limit of an account', () => {
    const json = JSON.stringify(
      messageOf(
        'A[]',
        many(10, () => ({ f0: 1 })),
        { A: fields('uint256') },
      ),
    )
    expect(boundMessageWork(json)).toBeLessThan(200)
    expect(boundMessageWork('"hello world"')).toBeLessThan(5)
  })

  test('behavior: a parsed message is hashed once', () => {
    const content = parseMessageContent(JSON.stringify(messageOf('string', 'a')))
    const hash = encodeMessageContent(content)
    if (content.encoding !== 'EIP712') throw new Error('not typed data')
    content.typedData.message = { f0: 'changed by nobody but this test' }
    expect(encodeMessageContent(content)).toBe(hash)
    expect(encodeMessageContent({ ...content })).not.toBe(hash)
  })
})

/** Structs that hold values of all kinds, lists and each other, a few levels deep. */
function randomTypedData(random: (bound: number) => number): MessageTypedData {
  const types: Record<string, { name: string; type: string }[]> = { EIP712Domain }
  const leaves = ['string', 'bytes', 'bool', 'uint256', 'int8', 'bytes4', 'address'] as const
  const typeAt = (level: number): string => {
    const kind = random(level > 2 ? 7 : 10)
    const leaf = leaves[kind]
    if (leaf) return leaf
    if (kind === 7) return `${typeAt(level + 1)}[]`
    if (kind === 8) return `${typeAt(level + 1)}[2]`
    const name = `T${Object.keys(types).length}`
    types[name] = []
    types[name] = fields(...many(random(4), () => typeAt(level + 1)))
    return name
  }
  const valueFor = (type: string): unknown => {
    const list = /^(.*)\[(2?)\]$/.exec(type)
    if (list) return many(list[2] ? 2 : random(4), () => valueFor(list[1] ?? ''))
    const struct = types[type]
    if (struct) return Object.fromEntries(struct.map((field) => [field.name, valueFor(field.type)]))
    const values: Record<string, unknown> = {
      string: `text ${random(99)} ü`,
      bytes: `0x${'ab'.repeat(random(200))}`,
      bool: random(2) === 1,
      uint256: String(random(1_000_000)),
      int8: random(100) - 50,
      bytes4: `0x0000000${random(10)}`,
      address: `0x${String(random(1_000)).padStart(40, '0')}`,
    }
    return values[type]
  }
  types.M = []
  types.M = fields(...many(1 + random(4), () => typeAt(0)))
  return { domain, types, primaryType: 'M', message: valueFor('M') as Record<string, unknown> }
}
