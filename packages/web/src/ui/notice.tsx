import type { ReactNode } from 'react'

const tones = {
  info: 'border-l-rule-strong',
  good: 'border-l-accent',
  warning: 'border-l-warning bg-warning-wash',
  danger: 'border-l-danger bg-danger-wash',
}

export type NoticeProps = {
  tone?: keyof typeof tones
  title?: ReactNode
  children?: ReactNode
  /** Remedy, under the sentence. */
  hint?: ReactNode
  actions?: ReactNode
  /** Read out when it appears. */
  isAnnounced?: boolean
}

export function Notice({ tone = 'info', title, children, hint, actions, isAnnounced = false }: NoticeProps) {
  return (
    <div
      role={isAnnounced ? (tone === 'danger' ? 'alert' : 'status') : undefined}
      data-tone={tone}
      className={`border-l-4 py-2.5 pr-4 pl-4 ${tones[tone]}`}
    >
      {title && (
        <p
          className={`font-semibold ${tone === 'danger' ? 'text-danger' : tone === 'warning' ? 'text-warning' : 'text-ink'}`}
        >
          {title}
        </p>
      )}
      {children && <div className="wrap-anywhere">{children}</div>}
      {hint && <p className="mt-1 text-small text-ink-soft">{hint}</p>}
      {actions && <div className="mt-3 flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}
