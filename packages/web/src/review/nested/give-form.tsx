import { useState } from 'react'
import type { Hex } from 'viem'
import { text } from '../../safe/text.ts'
import { Hash } from '../../ui/address.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { FileField } from '../../ui/form/file-field.tsx'
import { Form } from '../../ui/form/form.tsx'

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
    <div data-give-approved={hash}>
      <Form
        submit={submit}
        isPrimary={false}
        busy={text('nested.give.reading')}
        state={{ onSubmit: () => give.mutate(written), isSending: give.isPending, error: give.error }}
      >
        <p>{what}</p>
        <p>
          {text('nested.give.hash')} <Hash hash={hash} />
        </p>
        <TextField label={label} value={written} onChange={({ target }) => setWritten(target.value)} rows={4} />
        <FileField label={text('nested.give.file')} onText={give.mutate} />
      </Form>
    </div>
  )
}
