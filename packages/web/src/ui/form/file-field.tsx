import { useId, useState } from 'react'
import { text } from '../../text/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { FieldFrame } from './field.tsx'

/** Answers of a service about a Safe with thousands of transactions have some megabytes. */
const MAX_BYTES = 32_000_000
const MEGABYTE = 1_000_000

/** The browser's own button, drawn as those of the page. */
const chooser =
  'file:mr-3 file:min-h-11 file:cursor-pointer file:rounded-control file:border file:border-solid file:border-rule-strong file:bg-raised file:px-4 file:font-semibold file:text-ink disabled:file:cursor-default disabled:file:bg-sunk disabled:file:text-ink-faint'

/** Chooses a file and hands on what is in it. One that is too large, or cannot be read, is named in place. */
export function FileField({
  label,
  accept = '.json,application/json',
  maxBytes = MAX_BYTES,
  disabled = false,
  ...receiver
}: {
  label: string
  accept?: string
  maxBytes?: number
  disabled?: boolean
} & ({ onText: (content: string) => void } | { onFile: (file: File) => void })) {
  const id = useId()
  const [error, setError] = useState<string | null>(null)
  const take = async (file: File) => {
    setError(null)
    if ('onFile' in receiver) return receiver.onFile(file)
    const name = showUntrusted(file.name, 80)
    if (file.size > maxBytes) {
      const inMegabytes = (bytes: number) => Math.ceil(bytes / MEGABYTE)
      return setError(
        text('field.file.too-large', { name, size: inMegabytes(file.size), limit: inMegabytes(maxBytes) }),
      )
    }
    // It may have been moved, or changed, since it was chosen.
    const content = await file.text().catch(() => null)
    if (content === null) setError(text('field.file.unreadable', { name }))
    else receiver.onText(content)
  }
  return (
    <FieldFrame id={id} label={label} error={error}>
      <input
        type="file"
        id={id}
        accept={accept}
        disabled={disabled}
        className={`min-h-11 w-full text-small text-ink-soft ${chooser}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-about` : undefined}
        // Browsers report a file only when it differs from the one before. Until then the field shows its name.
        onClick={({ currentTarget }) => {
          currentTarget.value = ''
        }}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void take(file)
        }}
      />
    </FieldFrame>
  )
}
