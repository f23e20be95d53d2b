import { describe, expect, it } from 'vitest'
import type { FactId } from './facts/collect.ts'
import type { Provenance } from './provenance.ts'
import { reviewSubject } from './review.ts'
import { inputOf } from './scene.ts'
import type { FactGrade } from './simulation/fact-grade.ts'

const proved: Provenance = {
  grades: {
    safeSlots: 'proved',
    codes: 'proved',
    balances: 'proved',
    ownerAccounts: 'proved',
    nodeChainId: 'one-node',
  },
  refused: [],
  contradicting: [],
  sources: { count: 2, needed: 2, said: [], blocks: [] },
}
const same = { safeSlots: { differing: [] } }
const withGrade = (id: FactId, grade: FactGrade) => ({ ...proved, grades: { ...proved.grades, [id]: grade } })
const review = (provenance: Provenance | undefined, facts = {}) =>
  reviewSubject(inputOf({}, { ...same, provenance, ...facts }))
const secondSource = ({ checks }: Awaited<ReturnType<typeof review>>) =>
  checks.find(({ id }) => id === 'second-source')?.status

describe('provenance', () => {
  it('is enough where every fact that decides is proved', async () => {
    const found = await review(proved)
    expect(found).toMatchObject({ verdict: 'matches', grade: 'proved', hasEnoughSources: true })
    expect(secondSource(found)).toBe('passed')
  })

  it('is that of the weakest fact that decides', async () => {
    const deciding = ['codes', 'balances', 'safeSlots', 'approvedHashes', 'ownerAccounts'] as const
    // A lie about these hides a finding: an amount of other units, a replay, a forged signature.
    const hiding = ['tokenDecimals', 'otherChains', 'formerOwners', 'descriptions'] as const
    for (const id of [...deciding, ...hiding]) {
      const found = await review(withGrade(id, 'one-node'))
      expect(found).toMatchObject({ verdict: 'matches', grade: 'one-node', hasEnoughSources: false })
      expect(secondSource(found)).toBe('not-checked')
    }
    expect(await review(withGrade('codes', 'unknown'))).toMatchObject({ grade: 'unknown', hasEnoughSources: false })
    // The page computes it by itself; the node's word is compared alone.
    for (const id of ['chainSafeTxHash', 'tokenClaims', 'nodeChainId', 'codeAges'] as const)
      expect(await review(withGrade(id, 'one-node'))).toMatchObject({ grade: 'proved' })
  })

  it('is one node where nobody kept it, and where the storage of the Safe was not read', async () => {
    expect(await review(undefined)).toMatchObject({ grade: 'one-node', hasEnoughSources: false })
    const { safeSlots: _, ...grades } = proved.grades
    expect(await review({ ...proved, grades })).toMatchObject({ grade: 'one-node', hasEnoughSources: false })
  })

  it('is unknown without the Safe', async () => {
    expect(await review(proved, { state: null })).toMatchObject({ verdict: 'cannot-verify', grade: 'unknown' })
  })

  it('is enough by one node where the configuration asks for one', async () => {
    const input = { ...withGrade('balances', 'one-node'), sources: { count: 1, needed: 1, said: [], blocks: [] } }
    expect(await review(input)).toMatchObject({ verdict: 'matches', grade: 'one-node', hasEnoughSources: true })
    const unknown = { ...withGrade('balances', 'unknown'), sources: { count: 1, needed: 1, said: [], blocks: [] } }
    expect(await review(unknown)).toMatchObject({ grade: 'unknown', hasEnoughSources: false })
  })

  it.each([
    ['SOURCES-DISAGREE', { ...proved, contradicting: ['MetaMask'] }, {}],
    ['BLOCK-OLD', { ...proved, ahead: ['MetaMask'] }, {}],
    ['PROOF-WRONG', { ...proved, refused: ['codes' as const] }, {}],
    ['STATE-DIFFERS', proved, { safeSlots: { differing: ['owners'] } }],
  ])('%s: cannot verify, and nothing opens the button', async (id, provenance, facts) => {
    const found = await review(provenance, facts)
    expect(found.findings.map((known) => known.id)).toContain(id)
    expect(found.verdict).toBe('cannot-verify')
    expect(found.checks.find((check) => check.id === 'state')?.status).toBe('failed')
    expect(secondSource(found)).toBe(id === 'SOURCES-DISAGREE' || id === 'BLOCK-OLD' ? 'failed' : 'passed')
    expect((await review(proved)).findings.map((known) => known.id)).not.toContain(id)
  })
})
