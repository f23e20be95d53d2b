import { Button } from '../button.tsx'
import { Notice } from '../notice.tsx'
import { Section } from '../section.tsx'
import { CopyButton } from './copy-button.tsx'

/** A new secret, shown until the reader says that it is copied. */
export function ShownOnce({
  secret,
  title,
  once,
  sentence,
  copy,
  how,
  done,
  onDone,
}: {
  secret: string
  title: string
  /** Says that it is shown this once. */
  once: string
  sentence: string
  copy: string
  /** Instruction for its use. */
  how: string
  done: string
  onDone: () => void
}) {
  return (
    <Section title={title}>
      <Notice tone="warning" isAnnounced title={once}>
        {sentence}
      </Notice>
      <div className="mt-4 flex flex-wrap items-center gap-x-2 border-y border-rule py-3">
        <code data-shown-once className="figures min-w-0 text-small wrap-anywhere">
          {secret}
        </code>
        <CopyButton value={secret} label={copy} />
      </div>
      <p className="mt-4 max-w-prose text-small text-ink-soft">{how}</p>
      <div className="mt-4">
        <Button onClick={onDone}>{done}</Button>
      </div>
    </Section>
  )
}
