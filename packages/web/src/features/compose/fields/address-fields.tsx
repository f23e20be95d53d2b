import type { Names } from '../../../review/names.ts'
import { nameOf } from '../../../review/names.ts'
import { AddressField } from '../../../ui/form/address-field.tsx'
import { parseAddress } from '../../../ui/form/parse-address.ts'
import type { FieldErrors, Typed } from '../draft.ts'
import { text } from '../text.ts'

/** Properties of every group of fields: the entry as typed, its faults once they were asked for, a way to change it. */
export type FieldsProps = { typed: Typed; errors: FieldErrors; set: (part: Partial<Typed>) => void }

export const KNOWN_ADDRESSES = 'known-addresses'

/** An address, with those that the team knows as suggestions; one that has a name says it. */
export function KnownAddressField({
  of: name,
  label,
  names,
  typed,
  errors,
  set,
  hint = text('propose.recipient.hint'),
}: FieldsProps & { of: keyof Typed; label: string; names: Names; hint?: string }) {
  const read = parseAddress(typed[name])
  const known = read.ok ? nameOf(read.address, names) : undefined
  return (
    <AddressField
      label={label}
      list={KNOWN_ADDRESSES}
      value={typed[name]}
      onChange={(event) => set({ [name]: event.target.value })}
      error={errors[name]}
      hint={known ?? hint}
    />
  )
}
