import { useEffect, useState } from 'react'
import { text } from '../../text/text.ts'
import { underlined } from '../text-link.tsx'
import { copyText } from './copy-text.ts'

export function CopyButton({
  value,
  label,
  words = text('copy.copy'),
}: {
  value: string
  label: string
  /** Instead of the plain word. */
  words?: string
}) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), 2_000)
    return () => clearTimeout(timer)
  }, [outcome])
  return (
    <button
      type="button"
      aria-label={label}
      onClick={(event) => {
        const host = event.currentTarget.closest('dialog') ?? document.body
        void copyText(value, host).then((isCopied) => setOutcome(isCopied ? 'copied' : 'failed'))
      }}
      className={`min-h-6 max-w-full rounded-control font-sans text-small text-accent ${underlined}`}
    >
      {outcome === undefined && words}
      {/* Empty until there is something to say: a page of addresses would read out each of its buttons. */}
      <span role="status">
        {outcome === 'copied' && text('copy.done')}
        {outcome === 'failed' && text('copy.failed')}
      </span>
    </button>
  )
}
