import { avatarPattern } from './avatar-pattern.ts'

/** A pattern drawn here from the address, the same on every screen. It helps to recognise; it proves nothing. */
export function Avatar({ address, size = 28 }: { address: string; size?: number }) {
  const { paper, layers } = avatarPattern(address)
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 9 9" className="shrink-0 rounded-control">
      <rect width="9" height="9" fill={paper} />
      {layers.map(({ ink, path }) => (
        <path key={ink} d={path} fill={ink} />
      ))}
    </svg>
  )
}
