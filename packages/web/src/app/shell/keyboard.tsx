import { onlineManager } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { areLetterKeysOn } from '../../device/letter-keys.ts'
import { withTexts } from '../../text/text.ts'
import { lazyPart } from '../../ui/part/lazy-part.tsx'
import { usePlace } from './place.ts'

const Palette = lazyPart(async () => (await withTexts(() => import('../palette/palette.tsx'))).Palette)
const Shortcuts = lazyPart(async () => (await withTexts(() => import('../palette/shortcut-list.tsx'))).Shortcuts)

const OPEN = 'countersign-palette'

/** Opens the command palette, for a button: not everybody knows its key. */
export function openPalette(): void {
  document.dispatchEvent(new Event(OPEN))
}

/** The second of two keys comes within this. */
const SEQUENCE_MS = 1_500

let areShortcutsHere = false

/** Opens the command palette and the list of shortcuts, and hears the shortcuts. All code comes with the first key. */
export function Keyboard() {
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null)
  const place = usePlace()
  const here = useRef(place)
  here.current = place
  const router = useRouter()
  useEffect(() => {
    let goingAt = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      const { key } = event
      // A dialog has the keyboard for itself.
      if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return
      if (isPaletteKey(event)) {
        event.preventDefault()
        setOpen('palette')
        return
      }
      if (!isLetterKey(event) || !areLetterKeysOn(guardedStorage)) return
      if (key === '?') return setOpen('shortcuts')
      const isGoing = performance.now() - goingAt < SEQUENCE_MS
      goingAt = key === 'g' && !isGoing ? performance.now() : Number.NEGATIVE_INFINITY
      if (!isGoing && !/^[cnjk/]$/.test(key)) return
      event.preventDefault()
      if (!areShortcutsHere && !onlineManager.isOnline()) return
      import('../palette/shortcuts.ts').then(
        ({ runShortcut }) => {
          areShortcutsHere = true
          runShortcut(isGoing ? `g ${key}` : key, router, here.current)
        },
        // The next key press requests it again.
        () => {},
      )
    }
    const onOpen = () => setOpen('palette')
    document.addEventListener('keydown', onKey)
    document.addEventListener(OPEN, onOpen)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener(OPEN, onOpen)
    }
  }, [router])
  if (open === null) return null
  const close = () => setOpen(null)
  return (
    <Suspense>
      {open === 'palette' ? (
        <Palette onClose={close} onShortcuts={() => setOpen('shortcuts')} />
      ) : (
        <Shortcuts onClose={close} />
      )}
    </Suspense>
  )
}

/** Whether this is Ctrl+K or ⌘K. */
function isPaletteKey({ ctrlKey, metaKey, altKey, key }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k'
}

/** Whether a key is pressed alone, and not to write. */
function isLetterKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return !(ctrlKey || metaKey || altKey || isTyping(target))
}

/** Whether a key means a letter where it was pressed. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
