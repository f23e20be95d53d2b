import { showUntrusted } from '../../../text/untrusted.ts'
import { Field, TextField } from '../../../ui/form/field.tsx'
import type { FormFacts } from '../form-facts.ts'
import { text } from '../text.ts'
import { type FieldsProps, KnownAddressField } from './address-fields.tsx'

/** A call whose data was written elsewhere. */
export function CallFields({ facts, ...fields }: FieldsProps & { facts: FormFacts }) {
  const { typed, errors, set } = fields
  return (
    <>
      <KnownAddressField of="contract" label={text('propose.contract')} names={facts.names} {...fields} />
      <TextField
        label={text('propose.data')}
        isFigures
        rows={4}
        value={typed.data}
        onChange={(event) => set({ data: event.target.value })}
        autoComplete="off"
        spellCheck={false}
        placeholder="0x"
        error={errors.data}
        hint={text('propose.data.hint')}
      />
      <ValueOfCallField {...fields} facts={facts} />
    </>
  )
}

/** Coin that goes along with a call. */
export function ValueOfCallField({ typed, errors, set, facts }: FieldsProps & { facts: FormFacts }) {
  return (
    <Field
      label={text('propose.value')}
      inputMode="decimal"
      value={typed.amount}
      onChange={(event) => set({ amount: event.target.value })}
      autoComplete="off"
      suffix={showUntrusted(facts.currency.symbol, 20)}
      error={errors.amount}
      hint={text('propose.amount.hint')}
    />
  )
}
