import { reportLimits, reviewed } from '@countersign/contract'
import type { Acknowledgement, Finding } from '@countersign/review'
import { pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { reportOf } from './report.ts'

const key = pad('0xacce')
const high: Finding = {
  id: 'APPROVE-UNLIMITED',
  severity: 'high',
  evidence: { token: 'TUSD', spender: '0x1234', amount: { value: 5n, asset: 'TUSD' }, call: [] },
  where: {},
}
const accepted: Acknowledgement = { key, id: 'APPROVE-UNLIMITED', words: 'This account may take all TUSD' }
const state = { blockNumber: 120n }
const seen = { state, policyVersion: null, pack: null }
const review = { verdict: 'matches-with-warnings' as const, grade: 'one-node', findings: [high] } as const
const hostile = [
  '\u202eevil',
  'a\u0000b',
  '\ud800',
  '\u2066',
  'line\nbreak',
  'שלום עולם',
  '👩\u200d🚀'.repeat(400),
  '𝔘'.repeat(900),
]

describe('reportOf', () => {
  test('default: verdict, policy, block, findings and what was accepted', () => {
    expect(
      reportOf({
        review: { ...review, findings: [high] },
        state,
        policyVersion: 3,
        acknowledgements: [accepted],
        pack: { hash: key, block: 119 },
      }),
    ).toEqual({
      verdict: 'matches-with-warnings',
      policyVersion: 3,
      block: 120,
      grade: 'said-by-one-node',
      findings: [{ id: 'APPROVE-UNLIMITED', severity: 'high', evidence: 'token TUSD, spender 0x1234, amount 5' }],
      acknowledgements: [accepted],
      leftOut: 0,
      pack: { hash: key, block: 119 },
    })
  })

  test('behavior: a Safe that was not read has no block, and facts of no grade', () => {
    const report = reportOf({
      review: { verdict: 'cannot-verify', findings: [], grade: 'unknown' },
      ...seen,
      state: null,
      acknowledgements: [],
    })
    expect(report).toMatchObject({ block: null, grade: 'unknown' })
    expect(reviewed.safeParse(report).success).toBe(true)
  })

  test.each(hostile)('behavior: %j in a name or a reason never stops a confirmation', (words) => {
    const finding: Finding = { id: 'ORIGIN-CLAIM', severity: 'info', evidence: { origin: words }, where: {} }
    const acknowledgement = { ...accepted, words, typed: words, reason: words }
    const report = reportOf({
      review: { ...review, findings: [finding] },
      ...seen,
      acknowledgements: [acknowledgement],
    })
    expect(reviewed.safeParse(report).error).toBeUndefined()
    expect(reviewed.parse(report)).toEqual(report)
  })

  test('behavior: what has no room is counted, findings first', () => {
    const long = 'あ'.repeat(2_000)
    const finding: Finding = { id: 'ORIGIN-CLAIM', severity: 'info', evidence: { origin: long }, where: {} }
    const findings = Array.from({ length: 700 }, () => finding)
    const acknowledgements = Array.from({ length: 60 }, () => ({ ...accepted, words: long, reason: long }))
    const report = reportOf({ review: { ...review, findings }, ...seen, acknowledgements })
    expect(reviewed.safeParse(report).error).toBeUndefined()
    expect(report.acknowledgements.length).toBeGreaterThan(0)
    expect(report.findings).toEqual([])
    expect(report.leftOut).toBe(760 - report.acknowledgements.length)
    const short = reportOf({ review: { ...review, findings: findings.map(() => high) }, ...seen, acknowledgements: [] })
    expect(short.findings).toHaveLength(reportLimits.findings)
    expect(short.leftOut).toBe(650)
  })
})
