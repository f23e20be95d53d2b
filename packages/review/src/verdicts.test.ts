import { describe, expect, it } from 'vitest'
import { reviewShape } from '../vectors/verdicts/review-shape.ts'
import { isAttack, shapes } from '../vectors/verdicts/shapes.ts'
import { type Acknowledgement, demandsOf, isClosed, stillOpen } from './acknowledgements.ts'
import { findingCatalogue } from './catalogue.ts'
import type { SignedReview } from './types.ts'

// Each shape of `vectors/verdicts`: what teams do every day, and what thieves have them sign. Its README says how a
// shape is written.

describe('the shapes of the table', () => {
  it('are at least 200 ordinary ones and 60 attacks, each once and with a reason', () => {
    expect(shapes.filter((shape) => !isAttack(shape)).length).toBeGreaterThanOrEqual(200)
    expect(shapes.filter(isAttack).length).toBeGreaterThanOrEqual(60)
    const names = shapes.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    for (const { name, reason } of shapes) expect(reason.length, name).toBeGreaterThan(10)
  })

  it('has no attack that is expected to be green', () => {
    for (const { name, verdict } of shapes.filter(isAttack)) expect(verdict, name).not.toBe('matches')
  })

  it.each(shapes)('$file: $name', async (shape) => {
    const { verdict, findings } = await reviewShape(shape)
    const told = `${shape.name}: ${verdict}, ${findings.map(({ id, severity }) => `${id} ${severity}`).join(', ')}`
    const found = findings.map(({ id }) => id)
    expect(verdict, told).toBe(shape.verdict)
    for (const id of shape.findings) {
      expect(findingCatalogue[id], id).toBeDefined()
      expect(found, told).toContain(id)
    }
    for (const id of shape.never ?? []) expect(found, told).not.toContain(id)
  })
})

describe('the way through ordinary work', () => {
  const ordinary = shapes.filter((shape) => !isAttack(shape))

  /** Answers every demand as an owner would: ticks, types what is asked, and says why. */
  function answersTo(review: SignedReview): Acknowledgement[] {
    return demandsOf(review).map(({ key, finding, typed }) => {
      const answer = { key, id: finding.id, words: finding.id }
      return typed === undefined ? answer : { ...answer, typed, reason: 'As agreed' }
    })
  }

  const isTyped = (review: SignedReview) => demandsOf(review).some(({ way }) => way === 'typed')

  it('is no business of attacks', () => {
    for (const { name, way } of shapes.filter(isAttack)) expect(way, name).toBeUndefined()
  })

  it.each(ordinary)('$file: $name', async (shape) => {
    const review = await reviewShape(shape)
    const { way } = shape
    if (way === 'none' || way === 'run') expect(isClosed(review)).toBe(true)
    // Nothing that anybody says opens it, and the reason is written.
    if (way === 'none') return
    const open = way === 'run' ? await reviewShape(shape, { isRun: true }) : review
    expect(stillOpen(open, answersTo(open)).map(({ finding }) => finding.id)).toEqual([])
    // A verdict that closes the button is opened by more than a tick, and no other asks for it.
    expect(isTyped(open)).toBe(way !== undefined)
    expect(way !== undefined).toBe(shape.verdict === 'do-not-sign' || shape.verdict === 'cannot-verify')
  })
})
