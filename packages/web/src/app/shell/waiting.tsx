import type { Safe } from '@countersign/contract'
import { text } from './text.ts'

/** How much waits for the reader, in a section's line. */
export function Waiting({ count, of = 'transactions' }: { count: number; of?: 'transactions' | 'messages' | 'all' }) {
  if (count === 0) return null
  return (
    <span
      role="img"
      data-waiting={count}
      data-waiting-of={of}
      aria-label={text(`workspace.waiting.${of}`, { count })}
      className="ml-auto min-w-5 rounded-full bg-accent px-1.5 text-center text-[min(0.75rem,3.75vw)] leading-[1.67] font-semibold text-on-accent tabular-nums"
    >
      {count}
    </span>
  )
}

/** How much waits for the reader in a section: transactions and messages have such. */
export function WaitingIn({ section, safe }: { section: string; safe: Safe | undefined }) {
  if (section === 'transactions') return <Waiting count={safe?.awaitingMyConfirmation ?? 0} />
  if (section === 'messages') return <Waiting of="messages" count={safe?.messagesAwaitingMe ?? 0} />
  return null
}
