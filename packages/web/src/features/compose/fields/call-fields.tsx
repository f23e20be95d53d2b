import { showUntrusted } from '../../../text/untrusted.ts'
import { Field, SelectField, TextField } from '../../../ui/form/field.tsx'
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
      <SelectField
        label={text('compose.operation')}
        value={typed.operation === '1' ? '1' : ''}
        onChange={(event) => set({ operation: event.target.value })}
        error={errors.operation}
        hint={text(typed.operation === '1' ? 'compose.operation.delegatecall.hint' : 'compose.operation.hint')}
      >
        <option value="">{text('compose.operation.call')}</option>
        <option value="1">{text('compose.operation.delegatecall')}</option>
      </SelectField>
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
