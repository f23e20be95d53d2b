import { useId } from 'react'

/** Choices to tick, each with its meaning. */
export function CheckList<Value extends string>({
  legend,
  options,
  value,
  onChange,
  error,
}: {
  legend: string
  options: readonly { value: Value; label: string; what: string }[]
  value: readonly Value[]
  /** Gets what is ticked, in the order of the options. */
  onChange: (value: readonly Value[]) => void
  error: string | undefined
}) {
  const id = useId()
  const toggle = (toggled: Value) =>
    onChange(
      options
        .map((option) => option.value)
        .filter((option) => (option === toggled ? !value.includes(option) : value.includes(option))),
    )
  return (
    <fieldset className="grid gap-1" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1 text-small font-semibold">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="flex min-h-11 items-start gap-3 py-1.5">
          <input
            type="checkbox"
            aria-invalid={error ? true : undefined}
            checked={value.includes(option.value)}
            onChange={() => toggle(option.value)}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="block font-medium">{option.label}</span>
            <span className="block text-small text-ink-soft">{option.what}</span>
          </span>
        </label>
      ))}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-small text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
