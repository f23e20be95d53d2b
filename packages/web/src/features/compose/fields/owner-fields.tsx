import { isSameAddress } from '@countersign/safe'
import type { Address } from 'viem'
import { type Names, nameOf } from '../../../safe/names/names.ts'
import { SelectField } from '../../../ui/form/field.tsx'
import type { FormFacts } from '../form-facts.ts'
import type { ReadPart } from '../read-draft.ts'
import { text } from '../text.ts'
import { type FieldsProps, KnownAddressField } from './address-fields.tsx'

/** The owner who joins, the one who leaves, and how many confirmations are needed then. */
export function OwnerFields({ part, facts, ...fields }: FieldsProps & { part: ReadPart; facts: FormFacts }) {
  const { kind } = part.entry
  const { owners } = part.before
  const count = owners.length + (kind === 'add-owner' ? 1 : kind === 'remove-owner' ? -1 : 0)
  return (
    <>
      {(kind === 'remove-owner' || kind === 'swap-owner') && (
        <ChoiceField
          {...fields}
          of="owner"
          label={text('compose.owner.leaves')}
          choices={owners}
          names={facts.names}
          none={text('compose.owner.choose')}
        />
      )}
      {(kind === 'add-owner' || kind === 'swap-owner') && (
        <KnownAddressField
          {...fields}
          of="newOwner"
          label={text('compose.owner.joins')}
          names={facts.names}
          hint={text('compose.owner.hint')}
        />
      )}
      {kind !== 'swap-owner' && <ThresholdField {...fields} now={part.before.threshold} count={Math.max(count, 1)} />}
    </>
  )
}

/** One of the addresses that the Safe has in that place, each in full. */
export function ChoiceField({
  of: name,
  label,
  choices,
  names,
  none,
  typed,
  errors,
  set,
}: FieldsProps & {
  of: 'owner' | 'module'
  label: string
  choices: readonly Address[]
  names: Names
  none: string
}) {
  return (
    <SelectField
      label={label}
      value={choices.find((choice) => isSameAddress(choice, typed[name])) ?? ''}
      onChange={(event) => set({ [name]: event.target.value })}
      error={errors[name]}
    >
      <option value="">{none}</option>
      {choices.map((choice) => {
        const known = nameOf(choice, names)
        return (
          <option key={choice} value={choice}>
            {known === undefined ? choice : `${known} · ${choice}`}
          </option>
        )
      })}
    </SelectField>
  )
}

/** The number of confirmations needed, of the owners that there are then. A number that is too high can be seen, and is refused. */
function ThresholdField({ typed, errors, set, now, count }: FieldsProps & { now: number; count: number }) {
  const chosen = Number(typed.threshold || now)
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  // A draft of the team may hold any number, far above those that fit into a list.
  if (!numbers.includes(chosen)) numbers.push(chosen)
  return (
    <SelectField
      label={text('compose.threshold')}
      value={String(chosen)}
      onChange={(event) => set({ threshold: event.target.value })}
      error={errors.threshold}
      hint={text('compose.threshold.hint', { count, now })}
    >
      {numbers.map((number) => (
        <option key={number} value={number}>
          {text('compose.threshold.of', { number, count })}
        </option>
      ))}
    </SelectField>
  )
}
