import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { Notice } from '../notice.tsx'
import { Problem } from '../problem.tsx'
import type { FieldReading } from './typed-field.ts'

/** Receiver of a form: a mutation of React Query is one. */
export type Sending<Input, Output> = {
  mutate: (input: Input, options?: { onSuccess?: () => void }) => void
  reset: () => void
  isPending: boolean
  data: Output | undefined
  error: Error | null
}

type Change = { target: { value: string } }

/**
 * Holds the typed fields of a form and parses them one by one. Faults of a field are shown once the form was
 * submitted; then nothing is sent. After sending, the form is as it was at the start.
 *
 * @param read what each typed field means, or what to say about it
 */
export function useForm<Typed extends object, Input extends Record<keyof Typed, unknown>, Output>({
  start,
  read,
  sending,
}: {
  start: Typed
  read: (typed: Typed) => { [Name in keyof Input]: FieldReading<Input[Name]> }
  sending: Sending<Input, Output>
}) {
  const [typed, setTyped] = useState(start)
  const [isAsked, setIsAsked] = useState(false)
  const readings = read(typed)
  const set = (part: Partial<Typed>) => {
    setTyped((before) => ({ ...before, ...part }))
    sending.reset()
  }
  const errorOf = (name: keyof Typed) => {
    const reading: FieldReading<unknown> = readings[name]
    return isAsked && 'error' in reading ? reading.error : undefined
  }
  return {
    typed,
    set,
    errorOf,
    /** For a field whose value is a text: a `Field`, `TextField` or `SelectField`. */
    field: <Name extends keyof Typed>(name: Name & (Typed[Name] extends string ? unknown : never)) => ({
      // The parameter's type lets only names of texts in.
      value: typed[name] as string,
      // Options of a select give values of the field's own type.
      onChange: ({ target }: Change) => set({ [name]: target.value } as unknown as Partial<Typed>),
      error: errorOf(name),
    }),
    /** For `Form`. */
    state: {
      isSending: sending.isPending,
      error: sending.error,
      sent: sending.data,
      onSubmit: () => {
        setIsAsked(true)
        const input = valuesOf(readings)
        if (input === null || sending.isPending) return
        sending.mutate(input, {
          onSuccess: () => {
            setTyped(start)
            setIsAsked(false)
          },
        })
      },
    },
  }
}

/** Every value, or null when one has an error. */
function valuesOf<Input extends object>(readings: { [Name in keyof Input]: FieldReading<Input[Name]> }): Input | null {
  const entries = Object.entries<FieldReading<unknown>>(readings)
  const values = entries.flatMap(([name, reading]) => ('error' in reading ? [] : [[name, reading.value] as const]))
  // The names are those of the readings.
  return values.length === entries.length ? (Object.fromEntries(values) as Input) : null
}

/** A form: fields, what went wrong or was done, and the button. After a submission the first field at fault has the focus. */
export function Form<Output>({
  title,
  submit,
  busy,
  isPrimary = true,
  isDisabled = false,
  state: { onSubmit, isSending = false, error, sent },
  done,
  actions,
  children,
}: {
  title?: string
  submit: string
  /** Name of the running action. */
  busy?: string
  isPrimary?: boolean
  /** While there is nothing to send. */
  isDisabled?: boolean
  state: { onSubmit: () => void; isSending?: boolean; error?: Error | null; sent?: Output | undefined }
  /** Sentence after sending. */
  done?: (sent: Output) => string
  /** Beside the button. */
  actions?: ReactNode
  children: ReactNode
}) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit()
    const form = event.currentTarget
    // After the errors are drawn.
    setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"], [data-at-fault]')?.focus(), 0)
  }
  return (
    <form noValidate className={`grid max-w-xl gap-4 ${title ? 'mt-8' : ''}`} onSubmit={send}>
      {title && <h3 className="font-semibold">{title}</h3>}
      {children}
      {error && !isSending && <Problem error={error} />}
      {done && sent !== undefined && (
        <Notice tone="good" isAnnounced>
          {done(sent)}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          variant={isPrimary ? 'primary' : 'secondary'}
          disabled={isDisabled}
          busy={isSending ? busy : undefined}
        >
          {submit}
        </Button>
        {actions}
      </div>
    </form>
  )
}
