import type { Address } from 'viem'
import { type BookEntry, giversOf } from '../../api/endorsement.ts'
import { useSafeState } from '../../api/safe-state.ts'
import { isSame, nameOf } from '../../review/names.ts'
import { useNames } from '../../review/use-names.ts'
import { standingOf } from '../../review/whose-word/standing.ts'
import { formatList } from '../../text/locale.ts'
import { text } from './text.ts'

/** Shows which owners endorsed an entry, beside the first that says so, and for whom it counts. The chain decides who is an owner. */
export function EndorsedBy({
  chainId,
  safeAddress,
  author,
  same,
}: {
  chainId: number
  safeAddress: Address
  author: string
  /** Every entry that says the same, this one among them. */
  same: readonly BookEntry[]
}) {
  const names = useNames(chainId, safeAddress)
  const threshold = useSafeState(chainId, safeAddress).data?.threshold
  if (threshold === undefined) return null
  const givers = giversOf(same, names.owners)
  const endorsers = givers !== undefined && isSame(givers.author, author) ? givers.endorsers : []
  const accounts = same.map((entry) => entry.author)
  const standing = standingOf(accounts, { reader: names.account, owners: names.owners, threshold })
  return (
    <p className="mt-1 text-small text-ink-soft" data-standing={standing}>
      {endorsers.length > 0 &&
        text('book.endorsed', { endorsers: formatList(endorsers.map((owner) => nameOf(owner, names) ?? owner)) })}{' '}
      {text('book.standing', { standing })}
    </p>
  )
}
