import fc from 'fast-check'
import { encodeAbiParameters, getAddress, type Hex, size, stringToHex, type AbiParameter as ViemParameter } from 'viem'
import { describe, expect, it } from 'vitest'
import { type DecodedValue, decodeParameters } from './abi-decode.ts'
import { readAbi } from './given-abi.ts'

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
  list: fc.tuple(tie('sample'), fc.integer({ min: 0, max: 4 }), fc.boolean()).map(([one, length, isFixed]) => ({
    parameter: { ...one.parameter, type: `${one.parameter.type}[${isFixed && length > 0 ? length : ''}]` },
    value: Array.from({ length }, () => one.value),
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
    return Array.isArray(value) ? value.map((one) => textAsBytes(one, inner)) : value
  }
  if (parameter.type === 'string') return stringToHex(String(value))
  if (!('components' in parameter)) return value
  const record = Object(value)
  return Object.fromEntries(parameter.components.map((one) => [one.name, textAsBytes(record[one.name ?? ''], one)]))
}

/** Strings as bytes: both are encoded alike, and viem replaces what is not UTF-8. */
function withBytes(parameter: ViemParameter): ViemParameter {
  const type = parameter.type.replace(/^string/, 'bytes')
  if (!('components' in parameter)) return { ...parameter, type }
  return { ...parameter, type, components: parameter.components.map(withBytes) }
}

function inputsOf(parameters: readonly ViemParameter[]) {
  const [read] = readAbi([{ type: 'function', name: 'f', inputs: parameters }])
  if (read === undefined) throw new Error('The ABI has no function.')
  return read.inputs
}

function encode(parameters: readonly ViemParameter[], values: readonly unknown[]): Hex {
  return encodeAbiParameters(parameters.map(withBytes), values)
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
      { numRuns: 300 },
    )
  })

  it('calls bytes exact if, and only if, the values encode to them again', () => {
    let inexact = 0
    fc.assert(
      fc.property(
        samples,
        fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 3 }),
        fc.nat({ max: 40 }),
        fc.nat({ max: 3 }),
        (all, changes, cut, way) => {
          const parameters = all.map(({ parameter }) => parameter)
          const bytes = Buffer.from(
            encode(
              parameters,
              all.map(({ value, parameter }) => textAsBytes(value, parameter)),
            ).slice(2),
            'hex',
          )
          for (const [at, value] of changes)
            bytes[at % bytes.length] = way === 0 ? value : (bytes[at % bytes.length] ?? 0) ^ (1 << (value % 8))
          const changed =
            way === 1
              ? bytes.subarray(0, bytes.length - cut)
              : way === 2
                ? Buffer.concat([bytes, Buffer.alloc(cut)])
                : bytes
          const data: Hex = `0x${changed.toString('hex')}`
          let decoded: ReturnType<typeof decodeParameters>
          try {
            decoded = decodeParameters(inputsOf(parameters), data)
          } catch (error) {
            expect(error).toMatchObject({ code: 'CALLDATA_MALFORMED' })
            return
          }
          const again = encode(parameters, decoded.values.map(toViem))
          expect(decoded.isExact).toBe(again === data)
          if (!decoded.isExact) inexact += 1
          for (const { start, end } of decoded.undecoded)
            expect(start >= 0 && start < end && end <= size(data)).toBe(true)
        },
      ),
      { numRuns: 1000 },
    )
    expect(inexact).toBeGreaterThan(20)
  })
})
