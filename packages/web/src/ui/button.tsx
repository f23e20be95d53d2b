import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent border-accent hover:bg-accent-strong hover:border-accent-strong',
  secondary: 'bg-raised text-ink border-rule-strong hover:border-ink hover:bg-sunk',
  quiet: 'bg-transparent text-accent border-transparent hover:bg-accent-wash',
  danger: 'bg-danger text-on-danger border-danger hover:bg-danger-strong hover:border-danger-strong',
}

export type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'style'> & {
  variant?: keyof typeof looks
  /** Name of the running action, shown instead of the label; the button cannot be pressed again meanwhile. */
  busy?: string | undefined
  /** Over the whole width of what it stands in. */
  isWide?: boolean
  /** Lower, for rows and the head of the page. */
  isCompact?: boolean
}

/** A busy button keeps the focus that pressed it; a disabled one is disabled, and says why by `aria-describedby`. */
export function Button({
  variant = 'secondary',
  busy,
  isWide,
  isCompact,
  disabled,
  children,
  onClick,
  type,
  ...rest
}: ButtonProps) {
  const isBusy = busy !== undefined
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      disabled={disabled && !isBusy}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
      className={`inline-flex items-center justify-center gap-2 rounded-control border font-semibold leading-5 transition-colors disabled:cursor-not-allowed disabled:border-rule disabled:bg-sunk disabled:text-ink-faint aria-disabled:cursor-not-allowed ${looks[variant]} ${isCompact ? 'min-h-9 px-3 py-1 text-small' : 'min-h-11 px-4 py-2 text-body'} ${isWide ? 'w-full' : ''}`}
    >
      {isBusy ? <span aria-hidden className="breathing size-2 shrink-0 rounded-full bg-current" /> : children}
      {/* There before it speaks: a live region that comes with its words is not read out everywhere. */}
      <span role="status" className={isBusy ? '' : 'sr-only'}>
        {busy}
      </span>
    </button>
  )
}
