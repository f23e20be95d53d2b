import { useState } from 'react'
import type { Address } from 'viem'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useTeamChange } from './queries.ts'
import { text } from './text.ts'

/** Removes an entry that the whole team sees, once it was said twice. */
export function RemoveButton({
  name,
  place,
  remove,
}: {
  name: string
  place: { chainId: number; safeAddress: Address }
  remove: () => Promise<unknown>
}) {
  const [isSure, setIsSure] = useState(false)
  const removal = useTeamChange(place, remove)
  if (!isSure)
    return (
      <Button isCompact variant="quiet" aria-label={text('book.remove.of', { name })} onClick={() => setIsSure(true)}>
        {text('book.remove')}
      </Button>
    )
  return (
    <div className="grid gap-2">
      <p className="text-small" role="status">
        {text('book.remove.sure', { name })}
      </p>
      {removal.error && <Problem error={removal.error} />}
      <div className="flex flex-wrap gap-2">
        <Button
          isCompact
          variant="danger"
          autoFocus
          onClick={() => removal.mutate(undefined)}
          busy={removal.isPending ? text('book.remove.busy') : undefined}
        >
          {text('book.remove.yes')}
        </Button>
        <Button isCompact onClick={() => setIsSure(false)}>
          {text('book.cancel')}
        </Button>
      </div>
    </div>
  )
}
