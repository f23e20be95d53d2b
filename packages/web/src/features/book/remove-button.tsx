import type { Address } from 'viem'
import { useTeamChange } from '../../api/team-change.ts'
import { SureButton } from '../../ui/sure-button.tsx'
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
  const removal = useTeamChange(place, remove)
  return (
    <SureButton
      label={text('book.remove')}
      name={text('book.remove.of', { name })}
      sentence={text('book.remove.sure', { name })}
      yes={text('book.remove.yes')}
      no={text('book.cancel')}
      busy={removal.isPending ? text('book.remove.busy') : undefined}
      error={removal.error}
      onSure={() => removal.mutate(undefined)}
    />
  )
}
