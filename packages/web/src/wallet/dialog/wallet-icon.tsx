/**
 * A wallet's own picture, as data in an <img>: nothing in it runs or is fetched. One that announces none gets a plain wallet of
 * ours, the same for all: a letter in colours would pass for a mark of its own.
 */
export function WalletIcon({
  icon,
  isFaint = false,
  isLarge = false,
}: {
  icon?: string | undefined
  isFaint?: boolean
  isLarge?: boolean
}) {
  const size = isLarge ? 'size-12' : 'size-8'
  if (icon) return <img src={icon} alt="" className={`${size} shrink-0 rounded-control object-contain`} />
  return (
    <svg
      aria-hidden="true"
      data-wallet-icon="plain"
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`${size} shrink-0 rounded-control border border-rule-strong bg-raised ${isFaint ? 'text-ink-faint' : 'text-ink-soft'}`}
    >
      <path d="M22.500 12V9.500a1.5 1.5 0 0 0-1.500-1.500H9.500a2 2 0 0 0 0 4h13.500a1.5 1.5 0 0 1 1.500 1.500v9a1.5 1.5 0 0 1-1.500 1.500H9.500a2 2 0 0 1-2-2V10M20.500 18v.01" />
    </svg>
  )
}
