import type { ReactNode } from 'react'

const tones = {
  neutral: 'border-rule-strong text-ink-soft',
  good: 'border-accent text-accent',
  warning: 'border-warning text-warning',
  danger: 'border-danger bg-danger text-on-danger',
}

/** One word of state. Never colour alone: the word says it. */
export function Tag({ tone = 'neutral', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span className={`inline-block rounded-control border px-1.5 text-small font-medium leading-5 ${tones[tone]}`}>
      {children}
    </span>
  )
}
