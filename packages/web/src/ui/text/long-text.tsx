import { showValue } from '../../text/untrusted.ts'

/** A text of somebody else, whole. In a region of its own: it is scrolled by keyboard, and pushes nothing out of sight. */
export function LongText({ label, words }: { label: string; words: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-96 overflow-y-auto border border-rule bg-raised px-4 py-3"
    >
      <Lines words={words} />
    </section>
  )
}

/** Line by line, with what cannot be seen written out. As one text: a hundred thousand lines are no more to draw than one. */
export function Lines({ words }: { words: string }) {
  return (
    <p data-message-text className="whitespace-pre-wrap wrap-anywhere">
      {words.split('\n').map(showValue).join('\n')}
    </p>
  )
}
