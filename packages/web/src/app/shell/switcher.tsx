import type { Safe } from '@countersign/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useChain, useChains } from '../../api/configuration.ts'
import { safeQuery, waitingIn } from '../../api/safe.ts'
import { safesQuery } from '../../api/safes.ts'
import { chooseName, type GivenName, shortName } from '../../api/team-names.ts'
import { useSafeName } from '../../review/safe/use-safe-name.ts'
import { Avatar } from '../../ui/avatar/avatar.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { QueryProblem } from '../../ui/problem.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useSession } from '../../wallet/index.ts'
import { Icon } from './icons.tsx'
import type { Place } from './place.ts'
import { text } from './text.ts'
import { Waiting } from './waiting.tsx'

const box =
  'flex min-h-11 min-w-0 max-w-full items-center gap-2.5 rounded-sheet text-left lg:min-h-14 lg:border lg:border-rule-strong lg:bg-raised lg:px-2.5 lg:py-2 hover:border-ink'

/** Says which Safe one is in, and leads to the others. */
export function Switcher({ place }: { place: Place | null }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {place ? <OfSafe place={place} onOpen={() => setIsOpen(true)} /> : <OfAll onOpen={() => setIsOpen(true)} />}
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={text('workspace.switch')} place="side">
        <Choices place={place} onChosen={() => setIsOpen(false)} />
      </Dialog>
    </>
  )
}

function OfSafe({ place, onOpen }: { place: Place; onOpen: () => void }) {
  const { chainId, safeAddress } = place
  const chain = useChain(chainId)
  const { data: safe } = useQuery(safeQuery(chainId, safeAddress))
  const given = useSafeName(chainId, safeAddress)
  const name = given ? shortName(given) : `${safeAddress.slice(0, 6)}…${safeAddress.slice(-4)}`
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={text('workspace.switch.now', { name })}
      title={safeAddress}
      onClick={onOpen}
      className={box}
    >
      <Avatar address={safeAddress} size={30} />
      <span className="min-w-0 flex-1">
        <span className={`block truncate leading-5 font-semibold ${given ? '' : 'figures text-small'}`}>{name}</span>
        <span className="block truncate text-[0.75rem] leading-4 text-ink-soft">
          {safe && chain
            ? text('workspace.safe.about', {
                chain: chain.name,
                threshold: safe.threshold,
                owners: safe.owners.length,
              })
            : chain?.name}
        </span>
      </span>
      <Icon of="switch" size={16} />
    </button>
  )
}

function OfAll({ onOpen }: { onOpen: () => void }) {
  const { data } = useQuery(safesQuery)
  return (
    <button type="button" aria-haspopup="dialog" onClick={onOpen} className={box}>
      <Icon of="safes" size={26} />
      <span className="min-w-0 flex-1">
        <span className="block truncate leading-5 font-semibold">{text('workspace.all')}</span>
        <span className="block truncate text-[0.75rem] leading-4 text-ink-soft">
          {data ? text('workspace.all.count', { count: data.safes.length }) : ' '}
        </span>
      </span>
      <Icon of="switch" size={16} />
    </button>
  )
}

function Choices({ place, onChosen }: { place: Place | null; onChosen: () => void }) {
  const { data, error, refetch } = useQuery(safesQuery)
  const { session } = useSession()
  const chains = useChains()
  const [words, setWords] = useState('')
  const found = (data?.safes ?? [])
    .map((safe) => ({ safe, given: chooseName(safe.names, { owners: safe.owners, reader: session?.address ?? null }) }))
    .filter(({ safe, given }) => {
      const chain = chains.find(({ chainId }) => chainId === safe.chainId)?.name ?? ''
      return [given?.name ?? '', chain, safe.address].some((field) => field.toLowerCase().includes(words.toLowerCase()))
    })
  return (
    <>
      <input
        // The dialog gives the focus to what has the attribute; React alone would not write it.
        ref={(input) => input?.setAttribute('autofocus', '')}
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
      <ul className="-mx-2 max-h-[50dvh] overflow-y-auto">
        {found.map(({ safe, given }) => (
          <Choice
            key={`${safe.chainId} ${safe.address}`}
            {...{ safe, given, onChosen }}
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
  isHere,
  onChosen,
}: {
  safe: Safe
  given: GivenName | undefined
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
          <span className="block truncate leading-5 font-semibold">
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
        </span>
        {waitingIn(safe) > 0 ? (
          <Waiting of="all" count={waitingIn(safe)} />
        ) : (
          <span className="text-[0.75rem] text-ink-faint">{text('workspace.waiting.none')}</span>
        )}
      </Link>
    </li>
  )
}
