import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent border-accent hover:bg-accent-strong hover:border-accent-strong',
  secondary: 'bg-raised text-ink border-rule-strong hover:border-ink hover:bg-sunk',
}

type AnchorProps = Omit<ComponentProps<'a'>, 'className' | 'style'> & {
  variant?: keyof typeof looks
  isCompact?: boolean
  isWide?: boolean
}

/** A link to elsewhere that looks like a button. */
export function ButtonAnchor({ variant = 'secondary', isCompact = false, isWide = false, ...rest }: AnchorProps) {
  return (
    <a
      {...rest}
      className={`inline-flex items-center justify-center gap-2 rounded-control border font-semibold leading-5 transition-colors ${looks[variant]} ${isCompact ? 'min-h-11 px-3 py-1 text-small @3xl:min-h-8' : 'min-h-11 px-4 py-2 text-body'} ${isWide ? 'w-full' : ''}`}
    />
  )
}

/** A link to a page that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor)
