import { keccak256, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { runOf, simulated } from './findings/simulation/runs.ts'
import { gradeParts } from './graded-parts.ts'
import type { ReviewInput, SubjectInput } from './input.ts'
import { inputOf, otherOwner, safeAddress, stranger, token } from './scene.ts'
import type { FactGrade } from './simulation/fact-grade.ts'
import type { FinishedSimulation } from './simulation/simulation-result.ts'

const provenanceOf = (safeSlots?: FactGrade) => ({
  grades: safeSlots === undefined ? {} : { safeSlots },
  refused: [],
  contradicting: [],
  sources: { count: 2, needed: 2, said: [], blocks: [] },
})
const proved = { safeSlots: { differing: [] as string[] }, provenance: provenanceOf('proved') }
const ofSafe = [
  'singleton',
  'owners',
  'threshold',
  'nonce',
  'modules',
  'guard',
  'moduleGuard',
  'fallbackHandler',
  'code',
  'singletonCode',
]

const gradesOf = (input: SubjectInput): Partial<Record<string, FactGrade>> =>
  Object.fromEntries(gradeParts(input).map(({ part, grade }) => [part, grade]))
const of = (change: Partial<ReviewInput>) => gradesOf(inputOf({}, { ...proved, ...change }))
const ran = (fields: Partial<FinishedSimulation> = {}) => of({ simulation: simulated(runOf(fields)) })

describe('gradeParts', () => {
  it('default: a Safe by its slots and code, what moves by the run', () => {
    expect(Object.keys(of({}))).toEqual([...ofSafe, 'balances', 'approvals'])
    for (const [part, grade] of Object.entries(ran())) expect(grade, part).toBe('proved')
  })

  it.each(ofSafe)('behavior: nobody knows %s where the slot holds something else', (part) => {
    const grades = of({ safeSlots: { differing: [part] } })
    expect(Object.entries(grades).filter(([name, grade]) => ofSafe.includes(name) && grade !== 'proved')).toEqual([
      [part, 'unknown'],
    ])
  })

  it('behavior: one node said what is of no release, or not proved; nobody what was not answered', () => {
    expect(of({ provenance: provenanceOf() }).owners).toBe('one-node')
    expect(of({ provenance: undefined }).owners).toBe('one-node')
    expect(of({ provenance: provenanceOf('one-node') }).owners).toBe('one-node')
    expect(of({ provenance: provenanceOf('unknown') }).owners).toBe('unknown')
    expect(of({ state: null }).owners).toBe('unknown')
  })

  it('behavior: what moves is worth what its run is worth, and nothing where that saw not all', () => {
    expect(ran({ grade: 'one-node' })).toMatchObject({ owners: 'proved', balances: 'one-node', approvals: 'one-node' })
    expect(of({ simulation: null })).toMatchObject({ owners: 'proved', balances: 'unknown', approvals: 'unknown' })
    expect(ran({ gaps: ['balances'] })).toMatchObject({ balances: 'unknown', approvals: 'proved' })
    expect(ran({ gaps: ['approvals'] })).toMatchObject({ balances: 'proved', approvals: 'unknown' })
    const moved = { token, account: safeAddress, tokenId: null, standard: 'erc20', before: 1n, after: null } as const
    expect(ran({ balances: [moved] })).toMatchObject({ balances: 'unknown', approvals: 'proved' })
    const allowed = { token, owner: safeAddress, spender: stranger, standard: 'erc20', tokenId: null } as const
    expect(ran({ approvals: [{ ...allowed, before: 0n, after: null }] })).toMatchObject({ approvals: 'unknown' })
  })

  it('behavior: a message moves nothing, and a Safe to be created has no parts', () => {
    const { kind, safeTx, simulation, ...around } = inputOf({}, proved)
    const content = { kind: 'text', text: 'hello' } as const
    expect(Object.keys(gradesOf({ ...around, kind: 'message', content } as SubjectInput))).toEqual(ofSafe)
    const creation = { ...around, kind: 'creation', factory: otherOwner, data: keccak256(toHex('')) }
    expect(gradesOf(creation as unknown as SubjectInput)).toEqual({})
  })
})
