import type { Role } from '@countersign/contract'
import type { Address } from 'viem'
import { useTeamChange } from '../../safe/team-change.ts'
import { SureButton } from '../../ui/sure-button.tsx'
import { text } from './text.ts'

/** Owners remove what anybody wrote, everybody else what they wrote themselves. The server sees to it. */
export function mayRemove(role: Role | null, author: string, session: { address: string } | null): boolean {
  return role === 'owner' || (role === 'proposer' && author === session?.address)
}

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
