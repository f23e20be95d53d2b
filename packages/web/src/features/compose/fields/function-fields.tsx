import { useQuery } from '@tanstack/react-query'
import { abisQuery } from '../../../api/team-abis.ts'
import { isSame } from '../../../review/names.ts'
import { showUntrusted } from '../../../text/untrusted.ts'
import { SelectField, TextField } from '../../../ui/form/field.tsx'
import type { FormFacts } from '../form-facts.ts'
import { text } from '../text.ts'
import { chosenFunction, encodeTyped, functionsOf, valuesOf } from '../typed-function.ts'
import { type FieldsProps, KnownAddressField } from './address-fields.tsx'
import { ValueOfCallField } from './call-fields.tsx'
import { ParameterFields } from './value-field.tsx'

/** A call of a function, by an ABI that is pasted or that somebody of the team gave. */
export function FunctionFields({ facts, ...fields }: FieldsProps & { facts: FormFacts }) {
  const { typed, errors, set } = fields
  const { data } = useQuery(abisQuery(facts.safe.chainId, facts.safe.address))
  const given = (data?.abis ?? []).filter(({ contract }) => isSame(contract, typed.contract.trim()))
  const read = functionsOf(typed)
  const called = chosenFunction(typed)
  const encoded = called && errors.args !== undefined ? encodeTyped(called, typed) : null
  const faults = encoded && 'faults' in encoded ? encoded.faults : null
  return (
    <>
      <KnownAddressField of="contract" label={text('propose.contract')} names={facts.names} {...fields} />
      {given.length > 0 && (
        <SelectField
          label={text('compose.abi.team')}
          value={given.find(({ abi }) => abi === typed.abi)?.author ?? ''}
          onChange={({ target }) => {
            const chosen = given.find(({ author }) => author === target.value)
            if (chosen) set({ abi: chosen.abi, function: '', args: '' })
          }}
        >
          <option value="">{text('compose.abi.pasted')}</option>
          {given.map(({ author, name }) => (
            <option key={author} value={author}>
              {text('compose.abi.of', { name: showUntrusted(name, 60), author })}
            </option>
          ))}
        </SelectField>
      )}
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
      {called && (
        <ParameterFields
          inputs={called.inputs}
          values={valuesOf(typed)}
          errorAt={(path) => faults?.get(path.join('.'))}
          onChange={(values) => set({ args: JSON.stringify(values) })}
        />
      )}
      <ValueOfCallField {...fields} facts={facts} />
    </>
  )
}
