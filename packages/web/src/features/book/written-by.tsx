import { isSameAddress } from '@countersign/safe'
import type { Address as AddressType } from 'viem'
import { nameOf } from '../../safe/names/names.ts'
import { useNames } from '../../safe/names/use-names.ts'
import { Address } from '../../ui/address.tsx'
import { Time } from '../../ui/text/time.tsx'
import { text } from './text.ts'

/** Shows author and time of an entry. The chain decides whether the author is an owner. */
export function WrittenBy({
  chainId,
  safeAddress,
  author,
  at,
}: {
  chainId: number
  safeAddress: AddressType
  author: string
  at: string
}) {
  const names = useNames(chainId, safeAddress)
  const isOwner = names.owners.some((owner) => isSameAddress(owner, author))
  const isReader = isOwner && names.account !== null && isSameAddress(names.account, author)
  const who = [nameOf(author, names), names.owners.length > 0 && !isOwner && text('book.by.noOwner')]
  return (
    <p className="mt-1 flex flex-wrap items-start gap-x-2 text-small text-ink-soft">
      <span className="leading-5">
        <Time value={at} /> {text(isReader ? 'book.by.you' : 'book.by')}
      </span>
      {!isReader && (
        <Address
          address={author}
          name={who.filter(Boolean).join(', ') || undefined}
          hasAvatar={false}
          isCopyable={false}
        />
      )}
    </p>
  )
}
