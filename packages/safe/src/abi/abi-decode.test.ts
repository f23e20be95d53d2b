import fc from 'fast-check'
import {
  decodeAbiParameters,
  encodeAbiParameters,
  getAddress,
  type Hex,
  size,
  stringToHex,
  toHex,
  type AbiParameter as ViemParameter,
} from 'viem'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../scripts/testing/random-tests.mjs'
import { parseGivenAbi } from '../calls/given-abi.ts'
import { type DecodedValue, decodeParameters } from './abi-decode.ts'

/** A type as a JSON ABI writes it, and a value of it as viem takes it. */
type Sample = { parameter: ViemParameter; value: unknown }

const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => bytes * 8)
const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)

const elementary: fc.Arbitrary<Sample> = fc.oneof(
  bits.chain((count) =>
    fc
      .bigInt({ min: 0n, max: 2n ** BigInt(count) - 1n })
      .map((value) => ({ parameter: { type: `uint${count}` }, value })),
  ),
  bits.chain((count) =>
    fc
      .bigInt({ min: -(2n ** BigInt(count - 1)), max: 2n ** BigInt(count - 1) - 1n })
      .map((value) => ({ parameter: { type: `int${count}` }, value })),
  ),
  hex(20).map((value) => ({ parameter: { type: 'address' }, value: getAddress(value) })),
  fc.boolean().map((value) => ({ parameter: { type: 'bool' }, value })),
  fc
    .integer({ min: 1, max: 32 })
    .chain((length) => hex(length).map((value) => ({ parameter: { type: `bytes${length}` }, value }))),
  fc.uint8Array({ maxLength: 100 }).map((bytes) => ({
    parameter: { type: 'bytes' },
    value: `0x${Buffer.from(bytes).toString('hex')}`,
  })),
  fc.string({ unit: 'binary', maxLength: 60 }).map((value) => ({ parameter: { type: 'string' }, value })),
)

/** A value of the same type as the sample, made by shrinking numbers and lists: enough to fill a list with. */
const { sample } = fc.letrec<{ sample: Sample; list: Sample; tuple: Sample }>((tie) => ({
  sample: fc.oneof({ maxDepth: 4, withCrossShrink: true }, elementary, tie('list'), tie('tuple')),
  list: fc.tuple(tie('sample'), fc.integer({ min: 0, max: 4 }), fc.boolean()).map(([element, length, isFixed]) => ({
    parameter: { ...element.parameter, type: `${element.parameter.type}[${isFixed && length > 0 ? length : ''}]` },
    value: Array.from({ length }, () => element.value),
  })),
  tuple: fc.array(tie('sample'), { minLength: 1, maxLength: 4 }).map((members) => ({
    parameter: {
      type: 'tuple',
      components: members.map(({ parameter }, index) => ({ ...parameter, name: `m${index}` })),
    },
    value: Object.fromEntries(members.map(({ value }, index) => [`m${index}`, value])),
  })),
}))

const samples = fc.array(sample, { minLength: 1, maxLength: 5 })

/** The value as viem takes and returns it. Text goes by its bytes. */
function toViem(decoded: DecodedValue): unknown {
  if (decoded.kind === 'text') return decoded.raw
  if (decoded.kind === 'list') return decoded.value.map(toViem)
  if (decoded.kind === 'tuple') return Object.fromEntries(decoded.value.map((member) => [member.name, toViem(member)]))
  return decoded.value
}

function textAsBytes(value: unknown, parameter: ViemParameter): unknown {
  if (parameter.type.endsWith(']')) {
    const inner = { ...parameter, type: parameter.type.slice(0, parameter.type.lastIndexOf('[')) }
    return Array.isArray(value) ? value.map((item) => textAsBytes(item, inner)) : value
  }
  if (parameter.type === 'string') return stringToHex(String(value))
  if (!('components' in parameter)) return value
  const record = Object(value)
  return Object.fromEntries(
    parameter.components.map((component) => [component.name, textAsBytes(record[component.name ?? ''], component)]),
  )
}

/** Strings as bytes: both are encoded alike, and viem replaces what is not UTF-8. */
function withBytes(parameter: ViemParameter): ViemParameter {
  const type = parameter.type.replace(/^string/, 'bytes')
  if (!('components' in parameter)) return { ...parameter, type }
  return { ...parameter, type, components: parameter.components.map(withBytes) }
}

function inputsOf(parameters: readonly ViemParameter[]) {
  const [read] = parseGivenAbi([{ type: 'function', name: 'f', inputs: parameters }])
  if (read === undefined) throw new Error('The ABI has no function.')
  return read.inputs
}

function encode(parameters: readonly ViemParameter[], values: readonly unknown[]): Hex {
  return encodeAbiParameters(parameters.map(withBytes), values)
}

/** Ways to spoil an encoding, one change at a time. */
const spoilers: ((bytes: Buffer, change: [number, number]) => Buffer)[] = [
  (bytes, [at, value]) => changeByte(bytes, at, value),
  (bytes, [at, value]) => changeByte(bytes, at, (bytes[at % bytes.length] ?? 0) ^ (1 << (value % 8))),
  // The low byte of a word, by whole words: what an offset or a length goes wrong by.
  (bytes, [at, value]) => changeByte(bytes, Math.floor((at % bytes.length) / 32) * 32 + 31, value & 0xe0),
  (bytes, [, value]) => bytes.subarray(0, Math.max(0, bytes.length - (value % 40))),
  (bytes, [, value]) => Buffer.concat([bytes, Buffer.alloc(value % 40)]),
]

function changeByte(bytes: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(bytes)
  if (changed.length > 0) changed[at % changed.length] = value
  return changed
}

/** viem gives numbers of up to 48 bits as numbers. */
function numbersAsBigints(value: unknown): unknown {
  if (typeof value === 'number') return BigInt(value)
  if (Array.isArray(value)) return value.map(numbersAsBigints)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, numbersAsBigints(member)]))
}

describe('decodeParameters', () => {
  it('reads what viem writes, and accounts for every byte', () => {
    fc.assert(
      fc.property(samples, (all) => {
        const parameters = all.map(({ parameter }) => parameter)
        const values = all.map(({ value, parameter }) => textAsBytes(value, parameter))
        const data = encode(parameters, values)
        const decoded = decodeParameters(inputsOf(parameters), data)
        expect(decoded.values.map(toViem)).toEqual(values)
        expect(decoded).toMatchObject({ isExact: true, undecoded: [] })
      }),
      runs(300),
    )
  })

  it('reads what viem reads', () => {
    fc.assert(
      fc.property(samples, (all) => {
        const parameters = all.map(({ parameter }) => withBytes(parameter))
        const values = all.map(({ value, parameter }) => textAsBytes(value, parameter))
        const data = encode(parameters, values)
        expect(decodeParameters(inputsOf(parameters), data).values.map(toViem)).toEqual(
          decodeAbiParameters(parameters, data).map(numbersAsBigints),
        )
      }),
      runs(200),
    )
  })

  it('calls bytes exact if, and only if, the values encode to them again', () => {
    const accepted = { exact: 0, inexact: 0 }
    const change = fc.tuple(fc.nat(), fc.nat({ max: 255 }))
    const spoiled = fc.tuple(samples, fc.array(change, { maxLength: 3 }), fc.constantFrom(...spoilers))
    fc.assert(
      fc.property(spoiled, ([all, changes, spoil]) => {
        const parameters = all.map(({ parameter }) => parameter)
        const values = all.map(({ value, parameter }) => textAsBytes(value, parameter))
        const bytes = Buffer.from(encode(parameters, values).slice(2), 'hex')
        const data: Hex = `0x${changes.reduce(spoil, bytes).toString('hex')}`
        let decoded: ReturnType<typeof decodeParameters>
        try {
          decoded = decodeParameters(inputsOf(parameters), data)
        } catch (error) {
          expect(error).toMatchObject({ code: 'CALLDATA_MALFORMED' })
          return
        }
        expect(decoded.isExact).toBe(encode(parameters, decoded.values.map(toViem)) === data)
        accepted[decoded.isExact ? 'exact' : 'inexact'] += 1
        for (const { start, end } of decoded.undecoded) expect(start < end && end <= size(data)).toBe(true)
      }),
      runs(1500),
    )
    expect(accepted.exact).toBeGreaterThan(50)
    expect(accepted.inexact).toBeGreaterThan(50)
  })

  it.each([
    ['an offset that skips a word', [64, 7, 0], 'offset-gap', [{ start: 32, end: 64 }]],
    ['an offset that points at itself', [0], 'offset-backwards', []],
    ['two values in one place', [64, 64, 0], 'offset-backwards', []],
  ] as const)('finds %s', (_name, words, id, undecoded) => {
    const data: Hex = `0x${words.map((word) => toHex(word, { size: 32 }).slice(2)).join('')}`
    const types = id === 'offset-backwards' && words.length === 3 ? ['bytes', 'bytes'] : ['bytes']
    const decoded = decodeParameters(inputsOf(types.map((type) => ({ type }))), data)
    expect(decoded).toMatchObject({ isExact: false, undecoded })
    expect(decoded.problems.map((problem) => problem.id)).toEqual([id])
  })
})
