import { startTransition, useEffect, useState } from 'react'
import { text } from '../../text/lists.ts'
import { Field, SelectField } from '../../ui/form/field.tsx'
import type { QueueChoice } from './queue-choice.ts'

/** The list follows once nobody has typed for so long. */
const QUIET_MS = 200

/** Search and filter of the queue. What is typed is on the screen at once, whatever the list takes to follow. */
export function QueueSearch({
  choice: { q = '', show = 'all' },
  onChoose,
}: {
  choice: Partial<QueueChoice>
  onChoose: (part: Partial<QueueChoice>) => void
}) {
  const [typed, setTyped] = useState(q)
  const [followed, setFollowed] = useState(q)
  // The address changed by itself: browser Back, or another link.
  if (q !== followed) {
    setFollowed(q)
    if (typed.trim() !== q) setTyped(q)
  }
  useEffect(() => {
    if (typed === q) return
    const timer = setTimeout(() => startTransition(() => onChoose({ q: typed })), QUIET_MS)
    return () => clearTimeout(timer)
  }, [typed, q, onChoose])
  return (
    <div className="grid w-full gap-3 @3xl:w-auto @3xl:grid-cols-[20rem_13rem]">
      <Field
        label={text('queue.search')}
        type="search"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
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
