import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent border-accent hover:bg-accent-strong hover:border-accent-strong',
  secondary: 'bg-raised text-ink border-rule-strong hover:border-ink hover:bg-sunk',
}

type AnchorProps = Omit<ComponentProps<'a'>, 'className' | 'style'> & { variant?: keyof typeof looks }

/** A link to elsewhere that looks like a button. */
export function ButtonAnchor({ variant = 'secondary', ...rest }: AnchorProps) {
  return (
    <a
      {...rest}
      className={`inline-flex min-h-11 items-center justify-center gap-2 rounded-control border px-4 py-2 text-body font-semibold leading-5 transition-colors ${looks[variant]}`}
    />
  )
}

/** A link to a page that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor)
