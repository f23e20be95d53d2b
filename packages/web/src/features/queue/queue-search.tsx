import { startTransition, useCallback, useEffect, useState } from 'react'
import { text } from '../../text/lists.ts'
import { Field, SelectField } from '../../ui/form/field.tsx'
import type { QueueChoice } from './queue-choice.ts'

/** The address of the page follows once nobody has typed for so long: every link of the page looks at it. */
const QUIET_MS = 500

/** Search and filter of the queue. What is typed is on the screen at once, whatever the list takes to follow. */
export function QueueSearch({
  choice: { q = '', show = 'all' },
  onType,
  onChoose,
}: {
  choice: Partial<QueueChoice>
  /** Told of what stands in the field, in a transition. */
  onType: (typed: string) => void
  /** Puts a part of the choice into the address of the page. */
  onChoose: (part: Partial<QueueChoice>) => void
}) {
  const [typed, setTyped] = useState(q)
  const [followed, setFollowed] = useState(q)
  const [written, setWritten] = useState(q)
  // The address changed by itself: browser Back, or another link. What was written there comes back late, and takes no key away.
  if (q !== followed) {
    setFollowed(q)
    if (q !== written && typed.trim() !== q) setTyped(q)
  }
  const write = useCallback(
    (words: string) => {
      setWritten(words)
      onChoose({ q: words })
    },
    [onChoose],
  )
  useEffect(() => startTransition(() => onType(typed)), [typed, onType])
  useEffect(() => {
    if (typed === q) return
    const timer = setTimeout(() => write(typed), QUIET_MS)
    return () => clearTimeout(timer)
  }, [typed, q, write])
  return (
    <div className="grid w-full gap-3 @3xl:w-auto @3xl:grid-cols-[20rem_13rem]">
      <Field
        label={text('queue.search')}
        type="search"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        // The page may be left next, and its address leads back to the same part of the list.
        onBlur={() => {
          if (typed !== q) write(typed)
        }}
      />
      <SelectField
        label={text('queue.show')}
        value={show}
        onChange={({ target }) => onChoose({ show: target.value as QueueChoice['show'] })}
      >
        <option value="all">{text('queue.show.all')}</option>
        <option value="mine">{text('queue.show.mine')}</option>
        <option value="ready">{text('queue.show.ready')}</option>
      </SelectField>
    </div>
  )
}
