import { describe, expect, it } from 'vitest'
import { reviewShape } from '../vectors/verdicts/review-shape.ts'
import { shapes } from '../vectors/verdicts/shapes.ts'
import { findingEntry } from './catalogue.ts'
import { evidenceItems, writtenEvidence } from './evidence.ts'
import { commonEvidence } from './evidence-kinds.ts'
import { stranger, token } from './scene.ts'
import type { Finding } from './types.ts'

/** Names that a finding lacks, or has without a declaration. */
function faultsOf({ id, evidence }: Finding): string[] {
  const specs: Readonly<Record<string, string>> = { ...commonEvidence, ...findingEntry(id).evidence }
  const missing = Object.keys(specs).filter((name) => !specs[name]?.endsWith('?') && !(name in evidence))
  return [...missing, ...Object.keys(evidence).filter((name) => !(name in specs))]
}

describe('evidence', () => {
  it('is what the catalogue declares, in every shape of the table', async () => {
    const faults: string[] = []
    for (const shape of shapes) {
      const { findings } = await reviewShape(shape, { isRun: shape.way === 'run' })
      faults.push(...findings.flatMap((found) => faultsOf(found).map((name) => `${shape.name}: ${found.id} ${name}`)))
    }
    expect(faults).toEqual([])
  }, 60_000)

  it('is listed with its kinds, but for what only binds an answer or chooses a sentence', () => {
    const found: Finding = {
      id: 'VALUE-DRAIN',
      severity: 'high',
      evidence: {
        call: [0],
        asset: token,
        decimals: 6,
        needed: { value: 5n, asset: token },
        held: { value: 5n, asset: token },
        case: 'allowed',
      },
      where: {},
    }
    expect(evidenceItems(found).map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'call call',
      'asset asset',
      'needed amount',
      'held amount',
    ])
  })

  it('is written as findings of earlier versions had it', () => {
    expect(
      writtenEvidence({
        call: [2, 0],
        none: [],
        accounts: [stranger, token],
        amount: { value: -5n, asset: null },
        stated: { text: '007', asset: 'native' },
        count: 1_000,
        flag: false,
        other: true,
        missing: undefined,
      }),
    ).toEqual({
      call: '2.0',
      none: '',
      accounts: `${stranger}, ${token}`,
      amount: '-5',
      stated: '007',
      count: '1000',
      flag: 'no',
      other: 'yes',
    })
  })
})
