import { countConfirmations } from '@countersign/safe'
import type { Address } from 'viem'
import { type Names, shortNameOf } from '../../safe/names/names.ts'
import { text } from '../../text/lists.ts'
import { formatList } from '../../text/locale.ts'
import { Avatar } from '../../ui/avatar/avatar.tsx'

/** More than these are counted. */
const MAX_SHOWN = 4

/** The owners of the Safe as one picture: who has confirmed, and who has not. */
export function OwnerMarks({
  owners,
  confirmations,
  threshold,
  names,
}: {
  owners: readonly Address[]
  confirmations: readonly { owner: Address }[]
  threshold: number
  names: Names
}) {
  const { confirmed } = countConfirmations(confirmations, owners)
  const nameOf = (owner: Address) => shortNameOf(owner, names) ?? owner
  // Those who confirmed come first where not all fit.
  const shown = (
    owners.length > MAX_SHOWN ? [...confirmed, ...owners.filter((owner) => !confirmed.includes(owner))] : owners
  ).slice(0, MAX_SHOWN)
  const more = owners.length - shown.length
  return (
    <span
      role="img"
      data-confirmations={confirmed.length}
      aria-label={
        confirmed.length === 0
          ? text('queue.signers.none', { threshold })
          : text('queue.signers', { count: confirmed.length, threshold, owners: formatList(confirmed.map(nameOf)) })
      }
      className="flex items-center gap-1"
    >
      {shown.map((owner) => (
        <span key={owner} title={nameOf(owner)} className="relative">
          <span className={confirmed.includes(owner) ? '' : 'opacity-35 grayscale'}>
            <Avatar address={owner} size={20} />
          </span>
          {confirmed.includes(owner) && <Tick />}
        </span>
      ))}
      {more > 0 && (
        <span className="text-[0.75rem] text-ink-faint" title={text('queue.signers.more', { count: more })}>
          +{more}
        </span>
      )}
      <span className="ml-1 text-small whitespace-nowrap text-ink-soft tabular-nums">
        {confirmed.length}/{threshold}
      </span>
    </span>
  )
}

function Tick() {
  return (
    <svg
      aria-hidden="true"
      width="12"
      height="12"
      viewBox="0 0 12 12"
      className="absolute -right-1 -bottom-1 rounded-full bg-accent text-on-accent ring-2 ring-paper"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
    >
      <path d="m3 6.2 2 2L9 4" />
    </svg>
  )
}
