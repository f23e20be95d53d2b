import type { Address } from 'viem'
import { useTeamChange } from '../../safe/team-change.ts'
import { SureButton } from '../../ui/sure-button.tsx'
import { text } from './text.ts'

/** Gives the same entry in the reader's own name and signs it, so that it counts in the reader's reviews. Asks twice. */
export function EndorseButton({
  name,
  sentence,
  place,
  isOwn = false,
  endorse,
}: {
  /** With what it is about. */
  name: string
  /** Consequence of the endorsement. */
  sentence: string
  place: { chainId: number; safeAddress: Address }
  /** The reader wrote the entry, and did not sign it. */
  isOwn?: boolean
  endorse: () => Promise<unknown>
}) {
  const endorsement = useTeamChange(place, endorse)
  return (
    <SureButton
      label={text(isOwn ? 'book.sign' : 'book.endorse')}
      name={name}
      sentence={sentence}
      yes={text(isOwn ? 'book.sign.yes' : 'book.endorse.yes')}
      no={text('book.endorse.no')}
      busy={endorsement.isPending ? text('book.signing') : undefined}
      error={endorsement.error}
      onSure={() => endorsement.mutate(undefined)}
    />
  )
}
