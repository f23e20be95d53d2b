import { otherServiceLimits } from '@countersign/contract'
import type { UseMutationResult } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { text } from './text.ts'

const AT_ONCE = otherServiceLimits.page * otherServiceLimits.pages

/** Says how many entries of a service are left behind those that were looked at, and looks at the next. */
export function RemainingEntries({
  count,
  after,
  reading,
  isDisabled,
}: {
  count: number
  after: number
  reading: Pick<UseMutationResult<unknown, Error, number>, 'mutate' | 'isPending' | 'error'>
  isDisabled: boolean
}) {
  const next = after + AT_ONCE
  if (count === 0 && after === 0) return null
  return (
    <div className="grid gap-2" data-beyond={count}>
      <p role="status">{text('import.beyond', { first: after + 1, count })}</p>
      {count > 0 && next < otherServiceLimits.page * otherServiceLimits.last && (
        <div>
          <Button
            onClick={() => reading.mutate(next)}
            disabled={isDisabled}
            busy={reading.isPending ? text('import.beyond.reading') : undefined}
          >
            {text('import.beyond.read', { count: AT_ONCE })}
          </Button>
        </div>
      )}
      {reading.error && <Problem error={reading.error} />}
    </div>
  )
}
