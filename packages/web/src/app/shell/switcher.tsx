import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useChain } from '../../api/configuration.ts'
import { shortName } from '../../safe/names/team-names.ts'
import { useSafeName } from '../../safe/names/use-safe-name.ts'
import { safeQuery } from '../../safe/safe.ts'
import { safesQuery } from '../../safe/safes.ts'
import { withTexts } from '../../text/text.ts'
import { Avatar } from '../../ui/avatar/avatar.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loading } from '../../ui/loading.tsx'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { Icon } from './icons.tsx'
import type { Place } from './place.ts'
import { text } from './text.ts'

/** The list comes when it is opened. */
const SafeChoices = lazyPart(async () => (await withTexts(() => import('./safe-choices.tsx'))).SafeChoices)

const box =
  'flex min-h-11 min-w-0 max-w-full items-center gap-2.5 rounded-sheet text-left lg:min-h-14 lg:border lg:border-rule-strong lg:bg-raised lg:px-2.5 lg:py-2 hover:border-ink'

/** Says which Safe one is in, and leads to the others. */
export function Switcher({ place }: { place: Place | null }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {place ? (
        <SafeButton place={place} onOpen={() => setIsOpen(true)} />
      ) : (
        <AllSafesButton onOpen={() => setIsOpen(true)} />
      )}
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title={text('workspace.switch')} place="side">
        <Suspense fallback={<Loading label={text('app.loading')} />}>
          <SafeChoices place={place} onChosen={() => setIsOpen(false)} />
        </Suspense>
      </Dialog>
    </>
  )
}

function SafeButton({ place, onOpen }: { place: Place; onOpen: () => void }) {
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

function AllSafesButton({ onOpen }: { onOpen: () => void }) {
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
