import { officialDeployments } from '@countersign/safe'
import { showUntrusted } from '../../../text/untrusted.ts'
import { Field, SelectField } from '../../../ui/form/field.tsx'
import { limitPeriods } from '../draft.ts'
import type { FormFacts } from '../form-facts.ts'
import type { ReadPart } from '../read-draft.ts'
import { text } from '../text.ts'
import { type FieldsProps, KnownAddressField } from './address-fields.tsx'
import { LimitStanding } from './limit-standing.tsx'
import { AssetFields } from './payment-fields.tsx'

/** A spending limit of one account for one asset, kept by the Allowance Module. */
export function LimitFields({ part, facts, ...fields }: FieldsProps & { part: ReadPart; facts: FormFacts }) {
  const { typed, errors, set } = fields
  const modules = officialDeployments().filter(({ name }) => name === 'AllowanceModule')
  const symbol = typed.asset === 'native' ? facts.currency.symbol : facts.tokens.get(typed.asset.toLowerCase())?.symbol
  return (
    <>
      <SelectField
        label={text('compose.limit.module')}
        value={typed.module}
        onChange={(event) => set({ module: event.target.value })}
        error={errors.module}
        hint={text('compose.limit.module.hint')}
      >
        <option value="">{text('compose.module.choose')}</option>
        {modules.map(({ address, version }) => (
          <option key={address} value={address}>
            {text('compose.limit.module.named', { version, address })}
          </option>
        ))}
      </SelectField>
      <KnownAddressField {...fields} of="delegate" label={text('compose.limit.delegate')} names={facts.names} />
      <AssetFields {...fields} facts={facts} />
      {part.entry.kind === 'set-limit' && (
        <>
          <Field
            label={text('propose.amount')}
            inputMode="decimal"
            value={typed.amount}
            onChange={(event) => set({ amount: event.target.value })}
            autoComplete="off"
            suffix={symbol && showUntrusted(symbol, 20)}
            error={errors.amount}
            hint={text('propose.amount.hint')}
          />
          <SelectField
            label={text('compose.limit.period')}
            value={typed.resetMinutes}
            onChange={(event) => set({ resetMinutes: event.target.value })}
            error={errors.resetMinutes}
          >
            {Object.entries(limitPeriods).map(([name, minutes]) => (
              <option key={name} value={minutes}>
                {text('compose.limit.every', { period: name })}
              </option>
            ))}
          </SelectField>
        </>
      )}
      <LimitStanding part={part} facts={facts} />
    </>
  )
}
