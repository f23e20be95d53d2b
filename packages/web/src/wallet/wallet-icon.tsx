/** A wallet's own picture, as data in an <img>: nothing in it runs or is fetched. Without one, the first letter. */
export function WalletIcon({
  name,
  icon,
  isFaint = false,
  isLarge = false,
}: {
  name: string
  icon?: string | undefined
  isFaint?: boolean
  isLarge?: boolean
}) {
  const size = isLarge ? 'size-12' : 'size-8'
  if (icon) return <img src={icon} alt="" className={`${size} shrink-0 rounded-control object-contain`} />
  return (
    <span
      aria-hidden
      className={`grid ${size} shrink-0 place-items-center rounded-control border font-semibold ${
        isFaint ? 'border-rule-strong text-ink-soft' : 'border-accent bg-accent text-on-accent'
      } ${isLarge ? 'text-title' : ''}`}
    >
      {[...name][0]}
    </span>
  )
}
