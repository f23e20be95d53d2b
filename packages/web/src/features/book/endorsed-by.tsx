import { isSameAddress } from '@countersign/safe'
import type { Address } from 'viem'
import { standingOf } from '../../evidence/attribution/standing.ts'
import { type BookEntry, giversOf } from '../../safe/names/endorsement.ts'
import { nameOf } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { useSafeState } from '../../safe/safe-state.ts'
import { formatList } from '../../text/locale.ts'
import { text } from './text.ts'

/** Shows which owners endorsed an entry, beside the first that says so, and for whom it counts. The chain decides who is an owner. */
export function EndorsedBy({
  chainId,
  safeAddress,
  author,
  same,
  signed = same,
}: {
  chainId: number
  safeAddress: Address
  author: string
  /** Every entry that says the same, this one among them. */
  same: readonly BookEntry[]
  /** Those among them that their authors signed, where others have a use as well. */
  signed?: readonly BookEntry[]
}) {
  const names = useNames(chainId, safeAddress)
  const threshold = useSafeState(chainId, safeAddress).data?.threshold
  if (threshold === undefined) return null
  const givers = giversOf(same, names.owners)
  const endorsers = givers !== undefined && isSameAddress(givers.author, author) ? givers.endorsers : []
  const standingBy = (entries: readonly BookEntry[]) =>
    standingOf(
      entries.map((entry) => entry.author),
      { reader: names.account, owners: names.owners, threshold },
    )
  const signedStanding = standingBy(signed)
  const standing = signedStanding === 'nobody' ? standingBy(same) : signedStanding
  return (
    <p className="mt-1 text-small text-ink-soft" data-standing={standing} data-signed-standing={signedStanding}>
      {endorsers.length > 0 &&
        text('book.endorsed', { endorsers: formatList(endorsers.map((owner) => nameOf(owner, names) ?? owner)) })}{' '}
      {text('book.standing', { standing })}
      {standing !== signedStanding && ` ${text('book.unsigned')}`}
    </p>
  )
}
