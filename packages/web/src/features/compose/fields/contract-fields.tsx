import { officialDeployments } from '@countersign/safe'
import { upgradeTarget, upgradeVersions } from '@countersign/safe/compose'
import { Address } from '../../../ui/address.tsx'
import { SelectField } from '../../../ui/form/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { FormFacts } from '../form-facts.ts'
import type { ReadPart } from '../read-draft.ts'
import { text } from '../text.ts'
import { type FieldsProps, KnownAddressField } from './address-fields.tsx'
import { KeptLimits } from './limit-standing.tsx'
import { ChoiceField } from './owner-fields.tsx'

type Props = FieldsProps & { part: ReadPart; facts: FormFacts }

/** A module that is enabled, or one that is taken away. */
export function ModuleFields({ part, facts, ...fields }: Props) {
  if (part.entry.kind === 'disable-module')
    return (
      <ChoiceField
        {...fields}
        of="module"
        label={text('compose.module')}
        choices={part.before.modules}
        names={facts.names}
        none={text(part.before.modules.length === 0 ? 'compose.module.none' : 'compose.module.choose')}
      />
    )
  return (
    <>
      <KnownAddressField
        {...fields}
        of="module"
        label={text('compose.module')}
        names={facts.names}
        hint={text('compose.module.hint')}
      />
      <KeptLimits module={fields.typed.module} facts={facts} />
    </>
  )
}

/** A guard, a module guard or a handler: another contract, or none. */
export function PlaceFields({ part, facts, ...fields }: Props) {
  const { kind } = part.entry
  const { typed, errors, set } = fields
  const name = kind === 'set-handler' ? 'handler' : 'guard'
  const now =
    kind === 'set-handler'
      ? part.before.fallbackHandler
      : kind === 'set-guard'
        ? part.before.guard
        : part.before.moduleGuard
  const official =
    kind === 'set-handler'
      ? officialDeployments().filter(({ kind: is, place }) => is === 'handler' && place === 'canonical')
      : []
  return (
    <>
      <SelectField
        label={text('compose.place')}
        value={
          typed.place === 'none' ? 'none' : (official.find(({ address }) => address === typed.handler)?.address ?? '')
        }
        onChange={({ target: { value } }) => set(value === 'none' ? { place: 'none' } : { place: '', [name]: value })}
        error={errors.place}
        hint={now === null ? text('compose.place.now.none') : text('compose.place.now', { address: now })}
      >
        <option value="">{text('compose.place.other')}</option>
        {official.map(({ address, name: contract, version }) => (
          <option key={address} value={address}>
            {text('compose.place.official', { contract, version })}
          </option>
        ))}
        <option value="none">{text('compose.place.none')}</option>
      </SelectField>
      {typed.place !== 'none' && (
        <KnownAddressField
          {...fields}
          of={name}
          label={text(`compose.${kind === 'set-handler' ? 'handler' : kind === 'set-guard' ? 'guard' : 'moduleGuard'}`)}
          names={facts.names}
          hint={text(`compose.${name}.hint`)}
        />
      )}
    </>
  )
}

/** The release whose code the Safe is to run. */
export function UpgradeFields({ facts, typed, errors, set }: Props) {
  const isL2 = typed.code !== 'plain'
  const version = typed.version === '1.4.1' ? '1.4.1' : '1.5.0'
  const target = upgradeTarget({ version, isL2 }, facts.safe)
  return (
    <>
      <SelectField
        label={text('compose.version')}
        value={version}
        onChange={(event) => set({ version: event.target.value })}
        error={errors.version}
        hint={facts.safe.version === null ? undefined : text('compose.version.now', { version: facts.safe.version })}
      >
        {[...upgradeVersions].reverse().map((one) => (
          <option key={one} value={one}>
            {text('compose.version.named', { version: one })}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={text('compose.code')}
        value={isL2 ? 'l2' : 'plain'}
        onChange={(event) => set({ code: event.target.value })}
        hint={text('compose.code.hint')}
      >
        <option value="l2">{text('compose.code.l2')}</option>
        <option value="plain">{text('compose.code.plain')}</option>
      </SelectField>
      <SelectField
        label={text('compose.handler')}
        value={typed.place === 'keep' ? 'keep' : ''}
        onChange={(event) => set({ place: event.target.value })}
      >
        <option value="">{text('compose.handler.official', { version })}</option>
        <option value="keep">{text('compose.handler.keep')}</option>
      </SelectField>
      {target && (
        <Notice title={text('compose.upgrade.by')}>
          <Address address={target.migration} hasAvatar={false} />
        </Notice>
      )}
    </>
  )
}
