import { useState } from 'react'
import type { Hex } from 'viem'
import { Hash } from '../../ui/address.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { text } from '../text.ts'

type Giving = { mutate: (given: string) => void; error: Error | null; isPending: boolean }

/** Asks for what a bare hash stands for: pasted, or as a file. */
export function GiveForm({
  hash,
  what,
  label,
  submit,
  give,
}: {
  hash: Hex
  what: string
  label: string
  submit: string
  give: Giving
}) {
  const [written, setWritten] = useState('')
  return (
    <form
      data-give-approved={hash}
      className="grid max-w-xl gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        give.mutate(written)
      }}
    >
      <p>{what}</p>
      <p>
        {text('nested.give.hash')} <Hash hash={hash} />
      </p>
      <TextField label={label} value={written} onChange={({ target }) => setWritten(target.value)} rows={4} />
      <label className="grid gap-1 text-small">
        {text('nested.give.file')}
        <input
          type="file"
          accept=".json,application/json"
          onChange={({ target }) => void target.files?.[0]?.text().then((given) => give.mutate(given))}
        />
      </label>
      {give.error && <Problem error={give.error} />}
      <div>
        <Button type="submit" busy={give.isPending ? text('nested.give.reading') : undefined}>
          {submit}
        </Button>
      </div>
    </form>
  )
}
