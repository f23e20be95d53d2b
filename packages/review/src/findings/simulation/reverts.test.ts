import { encodeErrorResult, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { demandsOf } from '../../acknowledgements.ts'
import { reviewSafeTx } from '../../review.ts'
import { inputOf, safeAddress, state, stranger } from '../../scene.ts'
import type { SimulatedCall } from '../../simulation/simulation-result.ts'
import { callOf } from './runs.ts'
import { failureOf, simulationOf } from './scene.ts'

const said = (message: string) =>
  failureOf(encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [message] }))
const ofSafe = (inner: Partial<SimulatedCall>) =>
  callOf({
    failure: said('GS013'),
    calls: [
      callOf({
        path: [0],
        operation: 'delegatecall',
        to: state.singleton,
        failure: said('GS013'),
        calls: [callOf(inner)],
      }),
    ],
  })
const failing = async (inner: Partial<SimulatedCall>, kind: 'reverted' | 'inner-failure' = 'reverted') => {
  const failure = inner.failure ?? said('GS013')
  // The whole ends with the answer of the Safe.
  const outcome = { kind, failure: kind === 'reverted' ? said('GS013') : failure, began: [0, 0] }
  const run = simulationOf({ outcome, call: ofSafe({ ...inner, failure }) })
  const review = await reviewSafeTx(inputOf({ value: 1n }, run))
  const { verdict, wouldFail, findings } = review
  return { verdict, wouldFail, found: findings.filter(({ id }) => id.startsWith('SIM-')) }
}

describe('a run that fails', () => {
  test('default: says what the contract said, and the code of the Safe', async () => {
    const { verdict, wouldFail, found } = await failing({
      to: stranger,
      failure: said('Not today'),
      part: 'transaction',
    })
    expect([verdict, wouldFail]).toEqual(['matches-with-warnings', true])
    expect(found).toMatchObject([
      {
        id: 'SIM-REVERT',
        severity: 'high',
        evidence: { gsCode: 'GS013', contractWords: 'Not today', contract: stranger },
      },
    ])
  })

  test('behavior: a stranger that speaks with the words of a Safe is not believed', async () => {
    const { found } = await failing({ to: stranger, failure: said('GS026'), part: 'transaction' })
    expect(found[0]?.evidence.gsCode).toBe('GS013')
    const own = await failing({ to: safeAddress, failure: said('GS204'), part: 'transaction' })
    expect(own.found[0]?.evidence.gsCode).toBe('GS204')
  })

  test('behavior: with safeTxGas the nonce is used although nothing happens', async () => {
    const { found } = await failing({ to: stranger, failure: said('No'), part: 'transaction' }, 'inner-failure')
    expect(found[0]?.evidence.spendsNonce).toBe(true)
  })

  test('behavior: where the calls say why it fails, it is asked once', async () => {
    const failure = said('GS013')
    const run = simulationOf({ outcome: { kind: 'reverted', failure, began: [] }, call: callOf({ failure }) })
    const { findings } = await reviewSafeTx(inputOf({ value: state.balance + 1n }, run))
    const severities = findings.flatMap(({ id, severity }) => (/EXCEEDED|REVERT/.test(id) ? [[id, severity]] : []))
    expect(severities).toEqual([
      ['BALANCE-EXCEEDED', 'high'],
      ['SIM-REVERT', 'medium'],
    ])
  })

  test('behavior: one that is too large alone is said as such, and an answer to it holds while balances change', async () => {
    const failure = said('GS013')
    const large = async (gasWanted: bigint) => {
      const outcome = { kind: 'reverted', failure, began: [0, 0] } as const
      const { findings, wouldFail, ...rest } = await reviewSafeTx(
        inputOf({ value: 1n }, simulationOf({ outcome, call: ofSafe({ failure }), gasWanted })),
      )
      const found = findings.filter(({ id }) => id.startsWith('SIM-'))
      return { found, wouldFail, keys: demandsOf({ findings, ...rest }).map(({ key }) => key) }
    }
    const [one, other] = [await large(20_000_000n), await large(20_010_000n)]
    expect(one.wouldFail).toBe(true)
    expect(one.found).toMatchObject([
      { id: 'SIM-TOO-LARGE', severity: 'high', evidence: { gasNeeded: 24_100_000n, gasLimit: 16_777_216n } },
    ])
    expect(other.keys).toEqual(one.keys)
    expect((await large(13_000_000n)).found).toMatchObject([{ id: 'SIM-REVERT' }])
  })

  test('behavior: a guard that refuses is named', async () => {
    const { found } = await failing({ to: stranger, failure: said('Not on Sundays'), part: 'guard' })
    expect(found).toMatchObject([
      { id: 'SIM-GUARD-BLOCKS', evidence: { guard: stranger, contractWords: 'Not on Sundays' } },
    ])
  })
})
