import { type ComponentProps, type ReactNode, useId } from 'react'

const control =
  'w-full min-h-11 rounded-control border bg-raised px-3 py-2 text-body text-ink placeholder:text-ink-faint disabled:bg-sunk disabled:text-ink-soft'

type FieldText = { label: string; hint?: ReactNode; error?: ReactNode; warning?: ReactNode; isFigures?: boolean }

/** A labelled input. An error or a warning takes the place of the hint and is tied to the input. */
export function Field({
  label,
  hint,
  error,
  warning,
  isFigures = false,
  suffix,
  ...input
}: FieldText & { suffix?: ReactNode } & Omit<ComponentProps<'input'>, 'className' | 'style'>) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} warning={warning}>
      <span className="flex items-center gap-3">
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || warning || hint ? `${id}-about` : undefined}
          className={`${control} ${error ? 'border-danger' : 'border-rule-strong'} ${isFigures ? 'figures' : ''}`}
        />
        {suffix && <span className="shrink-0 text-ink-soft">{suffix}</span>}
      </span>
    </FieldFrame>
  )
}

/** A labelled input of several lines. */
export function TextField({
  label,
  hint,
  error,
  isFigures = false,
  ...textarea
}: FieldText & Omit<ComponentProps<'textarea'>, 'className' | 'style'>) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea
        {...textarea}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-about` : undefined}
        className={`${control} ${error ? 'border-danger' : 'border-rule-strong'} ${isFigures ? 'figures' : ''}`}
      />
    </FieldFrame>
  )
}

export function SelectField({
  label,
  hint,
  error,
  children,
  ...select
}: FieldText & Omit<ComponentProps<'select'>, 'className' | 'style'>) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select
        {...select}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-about` : undefined}
        className={`${control} ${error ? 'border-danger' : 'border-rule-strong'}`}
      >
        {children}
      </select>
    </FieldFrame>
  )
}

/** A label, a control, and what is to be said of it. */
export function FieldFrame({
  id,
  label,
  hint,
  error,
  warning,
  children,
}: {
  id: string
  label: string
  hint?: ReactNode
  error?: ReactNode
  /** A remark worth knowing before going on, which stops nobody. */
  warning?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-small font-semibold">
        {label}
      </label>
      {children}
      {(error || warning || hint) && (
        <p
          id={`${id}-about`}
          className={`text-small wrap-anywhere ${error ? 'text-danger' : warning ? 'text-warning' : 'text-ink-soft'}`}
        >
          {error ? <span role="alert">{error}</span> : warning ? <span role="status">{warning}</span> : hint}
        </p>
      )}
    </div>
  )
}
