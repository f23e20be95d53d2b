import { coveredEffects, type Effects, parseEffectsFile, type Review } from '@countersign/review'
import { useState } from 'react'
import type { Names } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { FileField } from '../../ui/form/file-field.tsx'
import { Problem } from '../../ui/problem.tsx'
import type { TransactionRequest } from '../subject.ts'
import { EffectLines } from './expected-changes.tsx'

/** Lets an owner who proposes declare the changes to expect: those that the calls tell, or those of a file. */
export function AttachEffects({
  review,
  request,
  effects,
  names,
  onChange,
}: {
  review: Review
  request: TransactionRequest
  effects: Effects | null
  names: Names
  onChange: (effects: Effects | null) => void
}) {
  const { chainId, safeAddress } = request.subject
  const [error, setError] = useState<Error | null>(null)
  const read = (content: string) => {
    setError(null)
    try {
      onChange(parseEffectsFile(content, { chainId, safeAddress, ...review.hashes }).effects)
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }
  return (
    <div className="grid gap-2" data-attach-effects={effects ? 'on' : 'off'}>
      <label className="flex min-h-11 items-start gap-3">
        <input
          type="checkbox"
          checked={effects !== null}
          disabled={effects === null && review.observed.covers.length === 0}
          onChange={({ target }) => onChange(target.checked ? coveredEffects(review.observed) : null)}
          className="mt-1 size-4 shrink-0 accent-accent"
        />
        <span className="min-w-0">{text('effects.attach')}</span>
      </label>
      <FileField label={text('effects.import')} accept=".json,.md,application/json,text/markdown" onText={read} />
      {error && <Problem error={error} />}
      {effects && <EffectLines effects={effects} names={names} />}
    </div>
  )
}
