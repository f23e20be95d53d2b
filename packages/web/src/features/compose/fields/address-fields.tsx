import type { Names } from '../../../safe/names/names.ts'
import { nameOf } from '../../../safe/names/names.ts'
import { showUntrusted } from '../../../text/untrusted.ts'
import { AddressField } from '../../../ui/form/address-field.tsx'
import { parseAddress } from '../../../ui/form/parse-address.ts'
import type { FieldErrors, Typed } from '../draft.ts'
import type { FormFacts } from '../form-facts.ts'
import { isNameTyped, type NameReading, nameKey } from '../registered-name.ts'
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

/** The account that is paid: by its address, or by a name that a registry on the chain knows. */
export function RecipientField({ facts, ...fields }: FieldsProps & { facts: FormFacts }) {
  const { recipient } = fields.typed
  const plain = facts.hasNames ? text('compose.recipient.hint') : undefined
  const hint = isNameTyped(recipient)
    ? wordsOf(facts.registered.get(nameKey(recipient)), recipient, facts.names)
    : plain
  return (
    <KnownAddressField
      {...fields}
      of="recipient"
      label={text('propose.recipient')}
      names={facts.names}
      {...(hint ? { hint } : {})}
    />
  )
}

function wordsOf(reading: NameReading | undefined, typed: string, names: Names): string {
  const name = showUntrusted(nameKey(typed), 60)
  if (reading?.kind !== 'found') return text(`compose.name.${reading?.kind ?? 'reading'}`, { name })
  const { address, primaryName } = reading
  const known = nameOf(address, names)
  const says = primaryName === null ? 'nothing' : nameKey(primaryName) === nameKey(typed) ? 'same' : 'different'
  const found = text('compose.name.found', { name, address, known: known ?? '', isKnown: known ? 'yes' : 'no' })
  return `${found} ${text('compose.name.says', { says, primary: showUntrusted(primaryName ?? '', 60) })}`
}
