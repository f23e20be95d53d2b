import type { Address } from 'viem'
import { useTeamChange } from '../../api/team-change.ts'
import { SureButton } from '../../ui/sure-button.tsx'
import { text } from './text.ts'

/** Gives the same entry in the reader's own name, so that it counts in the reader's reviews. Asks twice. */
export function EndorseButton({
  name,
  sentence,
  place,
  busy = text('book.save.busy'),
  endorse,
}: {
  /** With what it is about. */
  name: string
  /** Consequence of the endorsement. */
  sentence: string
  place: { chainId: number; safeAddress: Address }
  busy?: string
  endorse: () => Promise<unknown>
}) {
  const endorsement = useTeamChange(place, endorse)
  return (
    <SureButton
      label={text('book.endorse')}
      name={name}
      sentence={sentence}
      yes={text('book.endorse.yes')}
      no={text('book.endorse.no')}
      busy={endorsement.isPending ? busy : undefined}
      error={endorsement.error}
      onSure={() => endorsement.mutate(undefined)}
    />
  )
}
