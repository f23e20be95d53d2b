import type { ReactNode } from 'react'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Writing } from '../../wallet/signing.ts'
import { text } from './text.ts'

/** Somebody whom an owner named: who it is, what was said of them, and what may be done about it. */
export function Person({
  account,
  label,
  by,
  isYou,
  facts,
  action,
}: {
  account: string
  /** The owner's name for the account: a claim, beside the address and never instead of it. */
  label: string
  by: { words: string; owner: string; name: string | undefined }
  isYou: boolean
  facts: ReactNode
  action: ReactNode
}) {
  return (
    <div data-person={account} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 gap-1">
        <Address address={account} name={showUntrusted(label, 50)} />
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-ink-soft">
          {isYou && <Tag tone="good">{text('safe.you')}</Tag>}
          {facts}
        </div>
        <p className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-small text-ink-soft">
          <span>{by.words}</span>
          <Address address={by.owner} name={by.name} hasAvatar={false} isCopyable={false} />
        </p>
      </div>
      <Writing>{action}</Writing>
    </div>
  )
}
