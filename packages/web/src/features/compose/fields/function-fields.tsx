import { namesAt } from '@countersign/safe'
import { SelectField, TextField } from '../../../ui/form/field.tsx'
import { namesOfValues } from '../contract-functions.ts'
import type { FormFacts } from '../form-facts.ts'
import { text } from '../text.ts'
import { chosenFunction, encodeTyped, functionsOf, hasRoom, valuesOf } from '../typed-function.ts'
import { type AbiSource, useAbiSources } from './abi-sources.ts'
import { type FieldsProps, KnownAddressField } from './address-fields.tsx'
import { ValueOfCallField } from './call-fields.tsx'
import { ParameterFields } from './value-field.tsx'

/** A call of a function, by an ABI that is pasted, that somebody of the team gave, or that the release or the code tells. */
export function FunctionFields({ facts, ...fields }: FieldsProps & { facts: FormFacts }) {
  const { typed, errors, set } = fields
  const { sources, described } = useAbiSources(typed.contract, facts)
  const read = functionsOf(typed)
  const called = chosenFunction(typed)
  const named = called ? namesOfValues(described, called.signature) : []
  const hasFields = called !== undefined && hasRoom(called)
  const encoded = hasFields && errors.args !== undefined ? encodeTyped(called, typed) : null
  const faults = encoded && 'faults' in encoded ? encoded.faults : null
  return (
    <>
      <KnownAddressField of="contract" label={text('propose.contract')} names={facts.names} {...fields} />
      {sources.length > 0 && <AbiSourceField sources={sources} abi={typed.abi} set={set} />}
      <TextField
        label={text('compose.abi')}
        isFigures
        rows={3}
        value={typed.abi}
        onChange={(event) => set({ abi: event.target.value, function: '', args: '' })}
        autoComplete="off"
        spellCheck={false}
        placeholder={text('compose.abi.example')}
        error={errors.abi}
        hint={text('compose.abi.hint')}
      />
      {'functions' in read && (
        <SelectField
          label={text('compose.function')}
          value={called?.signature ?? ''}
          onChange={(event) => set({ function: event.target.value, args: '' })}
          error={errors.function}
        >
          <option value="">{text('compose.function.choose')}</option>
          {read.functions.map(({ signature }) => (
            <option key={signature} value={signature}>
              {signature}
            </option>
          ))}
        </SelectField>
      )}
      {hasFields && (
        <ParameterFields
          inputs={called.inputs}
          values={valuesOf(typed)}
          faults={faults}
          choicesAt={(path) => namesAt(named, path)}
          onChange={(values) => set({ args: JSON.stringify(values) })}
        />
      )}
      <ValueOfCallField {...fields} facts={facts} />
    </>
  )
}

/** Chooses where the ABI comes from; by default it is pasted. */
function AbiSourceField({
  sources,
  abi,
  set,
}: Pick<FieldsProps, 'set'> & { sources: readonly AbiSource[]; abi: string }) {
  const chosen = sources.find((source) => source.abi === abi)
  return (
    <SelectField
      label={text('compose.abi.from')}
      value={chosen?.id ?? ''}
      onChange={({ target }) => {
        const source = sources.find(({ id }) => id === target.value)
        if (source) set({ abi: source.abi, function: '', args: '' })
      }}
      hint={chosen?.id === 'code' ? text('compose.abi.code.hint') : undefined}
    >
      <option value="">{text('compose.abi.pasted')}</option>
      {sources.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}
