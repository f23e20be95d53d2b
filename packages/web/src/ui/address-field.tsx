import { Field } from './field.tsx'
import { readAddress, tellAddressProblem } from './typed-address.ts'

/** For an address that a person types or pastes. What is wrong with it is said once it was asked for. */
export function AddressField({
  label,
  typed,
  onType,
  isAsked,
  isReadOnly = false,
}: {
  label: string
  typed: string
  onType: (typed: string) => void
  isAsked: boolean
  isReadOnly?: boolean
}) {
  const read = readAddress(typed)
  return (
    <Field
      label={label}
      isFigures
      value={typed}
      readOnly={isReadOnly}
      autoComplete="off"
      spellCheck={false}
      placeholder="0x"
      onChange={(event) => onType(event.target.value)}
      error={isAsked && !read.ok ? tellAddressProblem(read.problem, typed) : undefined}
    />
  )
}
