import type { SimulatedCall, SimulatedTransaction } from '@countersign/review'
import { type Address, getAddress, zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { measuredGas } from './measured-gas.ts'

const multiSend = getAddress(`0x${'8'.repeat(40)}`)
const about = { multiSend, lines: [2, 3, 7] }
const said = (message: string) =>
  ({ kind: 'revert', data: '0x', explanation: { kind: 'message', message } }) as SimulatedCall['failure']

function callOf(to: Address, calls: SimulatedCall[], part: Partial<SimulatedCall> = {}): SimulatedCall {
  return {
    path: [],
    operation: 'call',
    context: zeroAddress,
    from: zeroAddress,
    to,
    value: 0n,
    gas: 1_000n,
    gasUsed: 1n,
    input: '0x',
    inputSize: 0,
    output: '0x',
    outputSize: 0,
    failure: null,
    part: null,
    logs: [],
    calls,
    ...part,
  }
}

/** The Safe's proxy, its singleton, the library, and its entries, of which the third one's own call fails. */
const tree = callOf(zeroAddress, [
  callOf(zeroAddress, [
    callOf(
      multiSend,
      [
        callOf(zeroAddress, []),
        callOf(zeroAddress, [], { failure: { kind: 'halt', reason: 'out of gas' } }),
        callOf(zeroAddress, [callOf(zeroAddress, [], { failure: said('no hooks') })], { failure: said('no hooks') }),
      ],
      { operation: 'delegatecall' },
    ),
  ]),
])

type Outcome = Extract<SimulatedTransaction['result'], { status: 'finished' }>['outcome']

const ran = (outcome: Partial<Outcome> & Pick<Outcome, 'kind'>, standIn: unknown = null, more = {}) =>
  ({
    result: { status: 'finished', outcome, gasPeak: 77n, gasWanted: null, call: tree, ...more },
    crossCheck: { status: 'unasked', reason: 'test' },
    standIn,
  }) as unknown as SimulatedTransaction

describe('measuredGas', () => {
  it('default: the most that the run held', () => {
    expect(measuredGas(ran({ kind: 'success' }), about)).toBe(77n)
  })

  it('names the line of the payment that fails, and the reason where it began', () => {
    const failed = ran({ kind: 'reverted', failure: said('GS013') ?? undefined, began: [0, 0, 2, 0] } as Outcome)
    expect(measuredGas(failed, about)).toEqual({ line: 7, failure: said('no hooks') })
  })

  it('names no line where the Safe itself refuses', () => {
    const failed = ran({ kind: 'reverted', failure: said('GS026') ?? undefined, began: [0] } as Outcome)
    expect(measuredGas(failed, about)).toEqual({ line: null, failure: said('GS026') })
  })

  it('asks for fewer payments where gas ran out inside, and names the line of one that halts alone', () => {
    const failed = ran({ kind: 'reverted', failure: said('GS013') ?? undefined, began: [0, 0, 1] } as Outcome)
    expect(measuredGas(failed, about)).toBe(2_000n)
    expect(measuredGas(failed, { ...about, lines: [9] })).toMatchObject({ line: 9, failure: { kind: 'halt' } })
  })

  it('takes what a run with more gas says; one payment that is too large by itself is named', () => {
    const failure = said('GS013') ?? undefined
    const failed = ran({ kind: 'reverted', failure, began: [0, 0, 2, 0] } as Outcome, null, { gasWanted: 20_000_000n })
    expect(measuredGas(failed, about)).toBe(20_000_000n)
    expect(measuredGas(failed, { ...about, lines: [9] })).toMatchObject({ line: 9 })
  })

  it('takes the node where the page could not run it, and says nothing where that does not tell', () => {
    const unfinished = (standIn: unknown) =>
      ({ ...ran({ kind: 'success' }, standIn), result: { status: 'unfinished' } }) as SimulatedTransaction
    expect(measuredGas(unfinished({ outcome: 'success', gasUsed: 5n }), about)).toBe(5n)
    expect(measuredGas(unfinished({ outcome: 'success', gasUsed: null }), about)).toBeNull()
    expect(measuredGas(unfinished(null), about)).toBeNull()
    expect(measuredGas(unfinished({ outcome: 'reverted', failure: null }), about)).toEqual({
      line: null,
      failure: null,
    })
  })
})
