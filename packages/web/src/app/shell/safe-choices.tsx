import type { Safe } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useChain, useChains } from '../../api/configuration.ts'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { type Alike, alikeSafes, nameOfSafe } from '../../features/home/alike-safes.ts'
import { arrangeSafes, readSafeOrder } from '../../features/home/safe-order.ts'
import { text as homeText } from '../../features/home/text.ts'
import { type GivenName, shortName } from '../../safe/names/team-names.ts'
import { waitingIn } from '../../safe/safe.ts'
import { safesQuery } from '../../safe/safes.ts'
import { Avatar } from '../../ui/avatar/avatar.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSession } from '../../wallet/index.ts'
import type { Place } from './place.ts'
import { text } from './text.ts'
import { Waiting } from './waiting.tsx'

/** Every Safe of the reader, arranged as in My Safes, those that are folded away there at the end. */
export function SafeChoices({ place, onChosen }: { place: Place | null; onChosen: () => void }) {
  const { data, error, refetch } = useQuery(safesQuery)
  const { session } = useSession()
  const chains = useChains()
  const field = useRef<HTMLInputElement>(null)
  // The dialog is open before its list is there.
  useEffect(() => field.current?.focus(), [])
  const [words, setWords] = useState('')
  const [order] = useState(() => readSafeOrder(guardedStorage))
  const reader = session?.address ?? null
  const all = data?.safes ?? []
  const alike = alikeSafes(all, reader)
  const arranged = arrangeSafes(all, order, (safe) => nameOfSafe(safe, reader)?.name ?? '')
  const found = [...arranged.shown, ...arranged.hidden]
    .map((safe) => ({ safe, given: nameOfSafe(safe, reader), alike: alike.get(safe) }))
    .filter(({ safe, given }) => {
      const chain = chains.find(({ chainId }) => chainId === safe.chainId)?.name ?? ''
      return [given?.name ?? '', chain, safe.address].some((field) => field.toLowerCase().includes(words.toLowerCase()))
    })
  return (
    <>
      <input
        ref={field}
        type="search"
        value={words}
        onChange={({ target }) => setWords(target.value)}
        aria-label={text('workspace.switch.search')}
        placeholder={text('workspace.switch.search')}
        className="mb-2 min-h-11 w-full rounded-control border border-rule-strong bg-raised px-3"
      />
      {error && !data && <QueryProblem error={error} onRetry={() => void refetch()} />}
      {data && data.safes.length > 0 && found.length === 0 && (
        <p role="status" className="py-3 text-ink-soft">
          {text('workspace.switch.none', { words })}
        </p>
      )}
      <ul className="@container -mx-2 max-h-[50dvh] overflow-y-auto">
        {found.map(({ safe, given, alike }) => (
          <Choice
            key={`${safe.chainId} ${safe.address}`}
            safe={safe}
            given={given}
            alike={alike}
            onChosen={onChosen}
            isHere={place?.chainId === safe.chainId && place.safeAddress === safe.address}
          />
        ))}
      </ul>
      <p className="mt-2 flex flex-wrap justify-between gap-x-4 border-t border-rule pt-3 text-small">
        <TextLink look="action" to="/" onClick={onChosen}>
          {text('workspace.all')}
        </TextLink>
        <TextLink look="action" to="/" hash="add" onClick={onChosen}>
          {text('workspace.switch.add')}
        </TextLink>
      </p>
    </>
  )
}

function Choice({
  safe,
  given,
  alike,
  isHere,
  onChosen,
}: {
  safe: Safe
  given: GivenName | undefined
  alike: Alike | undefined
  isHere: boolean
  onChosen: () => void
}) {
  const chain = useChain(safe.chainId)
  const { chainId, address, threshold, owners } = safe
  const ends = `${address.slice(0, 6)}…${address.slice(-4)}`
  return (
    <li>
      <Link
        to="/safes/$chainId/$safeAddress"
        params={{ chainId, safeAddress: address }}
        onClick={onChosen}
        title={address}
        className={`flex min-h-13 items-center gap-3 rounded-control px-2 py-1.5 ${isHere ? 'bg-accent-wash' : 'hover:bg-sunk'}`}
      >
        <Avatar address={address} size={32} />
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 leading-5 font-semibold wrap-anywhere">
            {given ? shortName(given) : text('workspace.unnamed')}
          </span>
          <span className="block truncate text-[0.75rem] leading-4 text-ink-soft">
            <span className="figures">{ends}</span> ·{' '}
            {text('workspace.safe.about', {
              chain: chain?.name ?? String(chainId),
              threshold,
              owners: owners.length,
            })}
          </span>
          {alike && (
            <span className="block text-[0.75rem] leading-4 text-warning">{homeText(`safes.alike.${alike}`)}</span>
          )}
        </span>
        {waitingIn(safe) > 0 ? (
          <Waiting of="all" count={waitingIn(safe)} />
        ) : (
          // Names need the room where there is little.
          <span className="hidden text-[0.75rem] text-ink-faint @min-[18rem]:inline">
            {text('workspace.waiting.none')}
          </span>
        )}
      </Link>
    </li>
  )
}
