import { type Address, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { CountersignError } from '../error.ts'
import { describeCall } from './calldata.ts'
import { parseGivenAbi, parseGivenAbiJson, parseGivenFunctions } from './given-abi.ts'

// Anybody may give an ABI. What is read of it stands beside the bytes of a call, so nothing in it may look like another thing.

const contract: Address = '0x1111111111111111111111111111111111111111'
const safeAddress: Address = '0x2222222222222222222222222222222222222222'

/** The error code of an ABI that is refused; its sentence must be short enough to be shown. */
function refusalOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    expect(error.message.length).toBeLessThan(1_000)
    return error.code
  }
  return 'read'
}

const withName = (name: string) => [{ type: 'function', name, inputs: [] }]
const withParameter = (parameter: object) => [{ type: 'function', name: 'f', inputs: [parameter] }]

describe('an ABI of ten megabytes', () => {
  const events = JSON.stringify(
    Array.from({ length: 100_000 }, (_, at) => ({
      type: 'event',
      name: `Event${at}`,
      inputs: [],
      padding: 'x'.repeat(60),
    })),
  )
  const functions = JSON.stringify(
    Array.from({ length: 100_000 }, (_, at) => ({ type: 'function', name: `f${at}`, inputs: [{ type: 'uint256' }] })),
  )
  const long = 'x'.repeat(10_000_000)

  it('is read where it has nothing but what is passed over', () => {
    expect(events.length).toBeGreaterThan(10_000_000)
    expect(parseGivenAbiJson(events)).toEqual([])
  })

  it.each<[what: string, read: () => unknown]>([
    ['a hundred thousand functions', () => parseGivenAbiJson(functions)],
    ['a name without end', () => parseGivenAbi(withName(long))],
    ['a type without end', () => parseGivenAbi(withParameter({ type: long }))],
    ['a list of lists without end', () => parseGivenAbi(withParameter({ type: `uint8${'[]'.repeat(5_000_000)}` }))],
    ['a parameter without end', () => parseGivenAbi(withParameter({ type: 'uint8', name: long }))],
    ['a function as it is written', () => parseGivenFunctions(`function f(${'uint256 a, '.repeat(900_000)}uint256 b)`)],
    ['brackets', () => parseGivenFunctions(`f${'('.repeat(10_000_000)}`)],
    ['no JSON', () => parseGivenFunctions(`[${long}`)],
  ])('is refused where it has %s', (_what, read) => {
    expect(refusalOf(read)).toBe('ABI_MALFORMED')
  })
})

describe('tuples', () => {
  it('are refused where they are deeper than any contract has them, and where they contain themselves', () => {
    const nested = `{"type":"tuple","components":[`.repeat(60_000) + ']}'.repeat(60_000)
    expect(refusalOf(() => parseGivenAbiJson(`[{"type":"function","name":"f","inputs":[${nested}]}]`))).toBe(
      'ABI_MALFORMED',
    )
    const cycle: { type: string; components: unknown[] } = { type: 'tuple', components: [] }
    cycle.components.push(cycle)
    expect(refusalOf(() => parseGivenAbi(withParameter(cycle)))).toBe('ABI_MALFORMED')
    // Twice as many at each step.
    cycle.components.push(cycle, cycle)
    expect(refusalOf(() => parseGivenAbi(withParameter(cycle)))).toBe('ABI_MALFORMED')
    const written = `f${'('.repeat(4_000)}uint256${')'.repeat(4_000)}`
    expect(refusalOf(() => parseGivenFunctions(written))).toBe('ABI_MALFORMED')
  })
})

describe('a name', () => {
  const odd: [what: string, name: string][] = [
    ['letters of another alphabet', 'tr\u0430nsfer'],
    ['wide letters', '\uff54ransfer'],
    ['letters with marks', 'tránsfer'],
    ['another direction', 'transfer\u202e'],
    ['what nobody sees', 'trans\u200bfer'],
    ['a line', 'transfer\n'],
    ['a NUL', 'transfer\0'],
    ['a space', 'transfer '],
    ['a format', 'transfer%s'],
    ['a text to be filled in', '{count, plural, other {#}}'],
    ['markup', '<b>transfer</b>'],
    ['parameters', 'transfer(address,uint256)'],
  ]
  it.each(odd)('with %s is refused, of a function and of what it is given', (_what, name) => {
    expect(refusalOf(() => parseGivenAbi(withName(name)))).toBe('ABI_MALFORMED')
    expect(refusalOf(() => parseGivenAbi(withParameter({ type: 'uint256', name })))).toBe('ABI_MALFORMED')
    const tuple = { type: 'tuple', components: [{ type: 'uint256', name }] }
    expect(refusalOf(() => parseGivenAbi(withParameter(tuple)))).toBe('ABI_MALFORMED')
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    '%s is a name like any other',
    (name) => {
      const data: Hex = encodeFunctionData({ abi: parseAbi(['function poke(uint256 id)']), args: [7n] })
      const request = { to: contract, value: 0n, operation: 0, safeAddress } as const
      const entry = JSON.parse(`[{"type":"function","name":"poke","inputs":[{"type":"uint256","name":"${name}"}]}]`)
      const abis = [{ address: contract, functions: parseGivenAbi(entry) }]
      expect(describeCall({ ...request, data, abis })).toMatchObject({
        name: 'poke(uint256)',
        args: [{ name, value: '7' }],
      })
      // A function of that name reads its own calls alone.
      const named = [{ address: contract, functions: parseGivenAbi(withName(name)) }]
      expect(describeCall({ ...request, data, abis: named })).toMatchObject({ name: null, source: null })
      expect(Object.keys(Object.prototype)).toEqual([])
    },
  )

  it('is passed over as a member of an entry', () => {
    const json = '[{"__proto__":{"type":"function","name":"f","inputs":[]}},{"constructor":{"name":"f"}}]'
    expect(parseGivenAbiJson(json)).toEqual([])
  })
})
