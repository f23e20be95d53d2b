import { useState } from 'react'
import { guardedStorage } from '../../device/guarded-storage.ts'
import { areLetterKeysOn, storeLetterKeys } from '../../device/letter-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { text } from '../shell/text.ts'
import { shortcuts } from './shortcuts.ts'

/** All shortcuts, and the way to turn those of single letters off. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const [areOn, setAreOn] = useState(() => areLetterKeysOn(guardedStorage))
  return (
    <Dialog isOpen onClose={onClose} title={text('keys.title')}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-6 gap-y-2">
        {shortcuts.map(({ keys, label }) => (
          <div key={label} className="contents">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd className={areOn || label === 'keys.palette' ? '' : 'text-ink-faint line-through'}>{text(label)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-5 grid justify-items-start gap-2 border-t border-rule pt-4">
        <p className="text-small text-ink-soft">{text(areOn ? 'keys.on' : 'keys.off')}</p>
        <Button
          isCompact
          onClick={() => {
            storeLetterKeys(guardedStorage, !areOn)
            setAreOn(!areOn)
          }}
        >
          {text(areOn ? 'keys.turnOff' : 'keys.turnOn')}
        </Button>
      </div>
    </Dialog>
  )
}

/** A key of the keyboard. */
export function Key({ children }: { children: string }) {
  return (
    <kbd className="figures min-w-6 rounded-control border border-rule-strong bg-raised px-1.5 text-center text-small leading-5">
      {children}
    </kbd>
  )
}
