import { text } from '../text/text.ts'
import { Avatar } from './avatar/avatar.tsx'
import { CopyButton } from './copy/copy-button.tsx'

export type AddressProps = {
  address: string
  /** A name that this screen vouches for, such as "Owner 1" or "Test Dollar". */
  name?: string | undefined
  hasAvatar?: boolean
  isCopyable?: boolean
}

/** An address, always in full. It breaks between groups of four, so that two of them can be compared by eye. */
export function Address({ address, name, hasAvatar = true, isCopyable = true }: AddressProps) {
  // In a sentence it goes on in the line, and a bracket that closes after it is not left alone in the next one.
  if (!name && !hasAvatar && !isCopyable)
    return (
      <span data-address={address}>
        <Groups value={address} />
      </span>
    )
  return (
    <span
      className={`inline-flex max-w-full gap-2 align-top ${name ? 'items-start' : 'items-center'}`}
      data-address={address}
    >
      {hasAvatar && <Avatar address={address} size={name ? 32 : 22} />}
      <span className="min-w-0">
        {name && <span className="block text-body font-semibold leading-5">{name}</span>}
        <Groups value={address} />
        {isCopyable && <CopyAtEnd value={address} label={text('copy.address', { address })} />}
      </span>
    </span>
  )
}

/** The ends of an address, where it stands in full elsewhere on the page. Whoever listens or selects gets all of it. */
export function ShortAddress({ address }: { address: string }) {
  return (
    <span className="figures" title={address} data-address={address}>
      <span aria-hidden>
        {address.slice(0, 6)}…{address.slice(-4)}
      </span>
      <span className="sr-only">{address}</span>
    </span>
  )
}

/** A 32-byte hash in full, in groups, with its copy button. */
export function Hash({ hash, isCopyable = true }: { hash: string; isCopyable?: boolean }) {
  return (
    <span data-hash={hash}>
      <Groups value={hash} />
      {isCopyable && <CopyAtEnd value={hash} label={text('copy.hash', { hash })} />}
    </span>
  )
}

/** In the line where the value ends, not in one of its own. */
export function CopyAtEnd(props: { value: string; label: string }) {
  return (
    <>
      {' '}
      <CopyButton {...props} />
    </>
  )
}

/** The text stays one unbroken word for selecting, copying and screen readers; only its drawing has gaps. */
function Groups({ value }: { value: string }) {
  const groups = value.slice(2).match(/.{1,4}/g) ?? []
  return (
    <span className="figures min-w-0 text-small">
      0x
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one value never move
        <span key={index}>
          <wbr />
          <span className={index % 2 === 0 ? '' : 'text-ink-soft'}>{group}</span>
        </span>
      ))}
    </span>
  )
}
