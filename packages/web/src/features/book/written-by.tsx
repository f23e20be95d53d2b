import type { Address as AddressType } from 'viem'
import { useSafeState } from '../../api/safe-state.ts'
import { Address } from '../../ui/address.tsx'
import { Time } from '../../ui/time.tsx'
import { useSession } from '../../wallet/index.ts'
import { text } from './text.ts'

/** Who wrote an entry, and when. Whether that is an owner the chain says. */
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
  const owners = useSafeState(chainId, safeAddress).data?.owners
  const { session } = useSession()
  const number = (owners?.findIndex((owner) => owner.toLowerCase() === author.toLowerCase()) ?? -1) + 1
  const isYou = session?.address.toLowerCase() === author.toLowerCase()
  const who = [
    number > 0 && text('safe.owner', { number }),
    owners && number === 0 && text('book.by.noOwner'),
    isYou && text('safe.you'),
  ].filter((word) => typeof word === 'string')
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 text-small text-ink-soft">
      <Time value={at} />
      <span>{text('book.by')}</span>
      <Address address={author} name={who.join(', ') || undefined} isCopyable={false} />
    </p>
  )
}
