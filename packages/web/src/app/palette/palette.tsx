import { type KeyboardEvent, useId, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { type Place, usePlace } from '../shell/place.ts'
import { text } from '../shell/text.ts'
import { type Command, findCommands } from './commands.ts'
import { useCommands, useCommandsOf } from './use-commands.ts'

type Closing = { onClose: () => void; onShortcuts: () => void }

/** The way to every Safe, page, queued transaction and named address by a few letters. */
export function Palette(closing: Closing) {
  const place = usePlace()
  return place ? <SafePalette place={place} {...closing} /> : <GeneralPalette {...closing} />
}

function SafePalette({ place, ...closing }: Closing & { place: Place }) {
  const here = useCommandsOf(place)
  const all = useCommands(closing.onShortcuts)
  return <Search commands={[...here, ...all]} onClose={closing.onClose} />
}

function GeneralPalette(closing: Closing) {
  const all = useCommands(closing.onShortcuts)
  return <Search commands={all} onClose={closing.onClose} />
}

const groups = ['here', 'queue', 'safes', 'book', 'do'] as const

function Search({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const found = findCommands(commands, typed)
  // As they stand below each other. While nothing is typed, what is here comes first.
  const shown =
    typed.trim() === '' ? groups.flatMap((group) => found.filter((command) => command.group === group)) : found
  const active = shown[Math.min(at, shown.length - 1)]
  const idOf = (command: Command) => `${listId}-${shown.indexOf(command)}`
  const run = (command: Command) => {
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && shown.length > 0) {
      event.preventDefault()
      const next = (Math.min(at, shown.length - 1) + step + shown.length) % shown.length
      setAt(next)
      document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && active) {
      event.preventDefault()
      run(active)
    }
  }
  return (
    <Dialog isOpen onClose={onClose} title={text('palette.title')} isWide>
      <input
        // The dialog gives the focus to what has the attribute; React alone would not write it.
        ref={(input) => input?.setAttribute('autofocus', '')}
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={active && idOf(active)}
        aria-label={text('palette.search')}
        placeholder={text('palette.search')}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        className="mb-2 min-h-11 w-full rounded-control border border-rule-strong bg-raised px-3"
      />
      <p role="status" className="sr-only">
        {text('palette.found', { count: shown.length })}
      </p>
      {shown.length === 0 && <p className="py-3 text-ink-soft">{text('palette.none', { words: typed })}</p>}
      <div id={listId} role="listbox" aria-label={text('palette.title')} className="-mx-2 h-[50dvh] overflow-y-auto">
        {shown.map((command, index) => (
          <Line
            key={command.id}
            id={idOf(command)}
            command={command}
            isActive={command === active}
            hasHead={command.group !== shown[index - 1]?.group}
            onPick={() => run(command)}
          />
        ))}
      </div>
    </Dialog>
  )
}

function Line({
  id,
  command: { group, label, about },
  isActive,
  hasHead,
  onPick,
}: {
  id: string
  command: Command
  isActive: boolean
  hasHead: boolean
  onPick: () => void
}) {
  return (
    <>
      {hasHead && (
        <p role="presentation" className="label px-2 pt-3 pb-1 first:pt-0">
          {text(`palette.group.${group}`)}
        </p>
      )}
      {/* The keys are those of the field above, which keeps the focus. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isActive}
        onClick={onPick}
        className={`flex min-h-11 cursor-pointer items-center gap-4 rounded-control px-2 py-1.5 ${isActive ? 'bg-accent-wash outline-1 -outline-offset-1 outline-accent' : 'hover:bg-sunk'}`}
      >
        <span className="min-w-0 flex-1 truncate">{label}</span>
        {about && <span className="shrink-0 text-small text-ink-soft">{about}</span>}
      </div>
    </>
  )
}
