import { type AbiParameter, type AbiType, enumNameOf } from '@countersign/safe'
import type { TypedValue } from '@countersign/safe/compose'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../text/locale.ts'
import { showUntrusted } from '../../../text/untrusted.ts'
import { Button } from '../../../ui/button.tsx'
import { AddressField } from '../../../ui/form/address-field.tsx'
import { Field, SelectField, TextField } from '../../../ui/form/field.tsx'
import { text } from '../text.ts'
import { emptyValue } from '../typed-function.ts'
import { KNOWN_ADDRESSES } from './address-fields.tsx'
import { atOnce, hiddenFaults, type ShownParts, showPart, singleShown, withoutPart } from './shown-parts.ts'

type ValueProps = {
  label: string
  type: AbiType
  value: TypedValue
  path: readonly number[]
  /** Faults of values in words, by their paths; null until they are asked for. */
  faults: ReadonlyMap<string, string> | null
  /** Names of the values at a path, by their numbers; null where they are numbers alone. */
  choicesAt: (path: readonly number[]) => ReadonlyMap<string, string> | null
  onChange: (value: TypedValue) => void
}

/** The fields of the parameters of a function, each by its type. */
export function ParameterFields({
  inputs,
  values,
  faults,
  choicesAt,
  onChange,
}: {
  inputs: readonly AbiParameter[]
  values: readonly TypedValue[]
  faults: ValueProps['faults']
  choicesAt: ValueProps['choicesAt']
  onChange: (values: TypedValue[]) => void
}) {
  return inputs.map(({ name, type }, index) => (
    <ValueField
      // biome-ignore lint/suspicious/noArrayIndexKey: parameters never move
      key={index}
      label={text('compose.parameter', {
        name: name === '' ? text('compose.unnamed', { number: index + 1 }) : name,
        type: typeText(type),
      })}
      type={type}
      value={values[index] ?? emptyValue(type)}
      path={[index]}
      faults={faults}
      choicesAt={choicesAt}
      onChange={(value) =>
        onChange(inputs.map((input, at) => (at === index ? value : (values[at] ?? emptyValue(input.type)))))
      }
    />
  ))
}

/** A type as the label of its field has it. Of an enum the ABI has the name, and not those of its members. */
export function typeText(type: AbiType): string {
  const enumName = enumNameOf(type)
  if (enumName === null) return type.name
  const lists = /(?:\[\d*\])*$/.exec(type.name)?.[0] ?? ''
  return text('compose.type.enum', { name: `${showUntrusted(enumName, 60)}${lists}`, type: type.name })
}

function ValueField(props: ValueProps) {
  const { label, type, value, path, faults, choicesAt, onChange } = props
  if (type.kind === 'tuple' || type.kind === 'list') return <PartsField {...props} type={type} />
  const field = {
    label,
    value: typeof value === 'string' ? value : '',
    error: faults?.get(path.join('.')),
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  const choices = choicesAt(path)
  if (choices) return <ChoiceOfValue {...field} choices={choices} />
  switch (type.kind) {
    case 'address':
      return <AddressField {...field} list={KNOWN_ADDRESSES} />
    case 'bool':
      return (
        <SelectField label={label} value={field.value} onChange={field.onChange} error={field.error}>
          <option value="false">{text('compose.bool.false')}</option>
          <option value="true">{text('compose.bool.true')}</option>
        </SelectField>
      )
    case 'string':
    case 'bytes':
      return <TextField {...field} rows={2} isFigures={type.kind === 'bytes'} />
    case 'fixed-bytes':
      return <Field {...field} isFigures placeholder="0x" hint={text('compose.bytes.hint', { count: type.size })} />
    default:
      return <Field {...field} inputMode="numeric" isFigures hint={numberHint(type)} />
  }
}

/** Says which numbers a field takes. */
function numberHint(type: Extract<AbiType, { kind: 'uint' | 'int' }>): string {
  if (type.kind === 'int' || type.enumName === undefined) return text('compose.number.hint')
  return text('compose.enum.hint', { most: (2n ** BigInt(type.bits) - 1n).toString() })
}

/** A number that has names: each is offered with both, and the number is what is encoded. */
function ChoiceOfValue({
  choices,
  ...field
}: {
  choices: ReadonlyMap<string, string>
  label: string
  value: string
  error: string | undefined
  onChange: (event: { target: { value: string } }) => void
}) {
  const isOther = field.value !== '' && !choices.has(field.value)
  return (
    <SelectField {...field} hint={text('compose.choice.hint')}>
      <option value="">{text('compose.choice.none')}</option>
      {[...choices].map(([number, name]) => (
        <option key={number} value={number}>
          {text('compose.choice', { number, name: showUntrusted(name, 60) })}
        </option>
      ))}
      {isOther && <option value={field.value}>{field.value}</option>}
    </SelectField>
  )
}

/** The members of a tuple, or the elements of a list, one below the other; of a long list the first, and more by a press. */
function PartsField({
  label,
  type,
  value,
  path,
  faults,
  choicesAt,
  onChange,
}: ValueProps & { type: Extract<AbiType, { kind: 'tuple' | 'list' }> }) {
  const parts = typeof value === 'string' ? [] : value
  const most = type.kind === 'tuple' ? parts.length : atOnce(path.length)
  const [wanted, setWanted] = useState<ShownParts>({ upTo: most, single: [] })
  const shown = { ...wanted, upTo: Math.min(Math.max(wanted.upTo, most), parts.length) }
  const single = singleShown(shown, parts.length)
  const hidden = parts.length - shown.upTo - single.length
  const frame = useRef<HTMLFieldSetElement>(null)
  const [wentTo, goTo] = useState<{ index: number } | null>(null)
  useEffect(() => {
    if (wentTo === null) return
    const part = frame.current?.querySelector(`:scope > [data-part="${wentTo.index}"]`)
    part?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
  }, [wentTo])
  const put = (index: number, part: TypedValue) => onChange(parts.map((one, at) => (at === index ? part : one)))
  const error = faults?.get(path.join('.'))
  const typeOf = (index: number) => (type.kind === 'tuple' ? type.members[index]?.type : type.element)
  const labelOf = (index: number) => {
    const member = type.kind === 'tuple' ? type.members[index] : undefined
    const name = member?.name || text('compose.unnamed', { number: index + 1 })
    const inner = typeOf(index)
    return text('compose.parameter', {
      name: `${label.split(' (')[0]} › ${name}`,
      type: inner === undefined ? '' : typeText(inner),
    })
  }
  const partAt = (index: number) => {
    const [inner, part] = [typeOf(index), parts[index]]
    if (inner === undefined || part === undefined) return null
    return (
      <div key={index} data-part={index} className="grid gap-1.5">
        <ValueField
          label={labelOf(index)}
          type={inner}
          value={part}
          path={[...path, index]}
          faults={faults}
          choicesAt={choicesAt}
          onChange={(next) => put(index, next)}
        />
        {type.kind === 'list' && type.length === null && (
          <div>
            <Button
              isCompact
              variant="quiet"
              aria-label={text('compose.element.remove.number', { number: index + 1, label })}
              onClick={() => {
                setWanted(withoutPart(wanted, index))
                onChange(parts.filter((_, at) => at !== index))
              }}
            >
              {text('compose.remove')}
            </Button>
          </div>
        )}
      </div>
    )
  }
  return (
    <fieldset ref={frame} className="grid gap-3 border-l-2 border-rule-strong pl-3">
      <legend className="mb-1 text-small font-semibold">{label}</legend>
      {Array.from({ length: shown.upTo }, (_, index) => partAt(index))}
      {hidden > 0 && (
        <ShowMore
          label={label}
          hidden={hidden}
          count={parts.length}
          next={Math.min(most, parts.length - shown.upTo)}
          onMore={() => {
            setWanted({ ...wanted, upTo: shown.upTo + most })
            goTo({ index: shown.upTo })
          }}
        />
      )}
      {single.map(partAt)}
      {hidden > 0 && (
        <HiddenFaults
          {...hiddenFaults(faults, path, (index) => index < shown.upTo || single.includes(index))}
          onShow={(index) => {
            setWanted(showPart(wanted, index))
            goTo({ index })
          }}
        />
      )}
      {error && (
        <p role="alert" className="text-small text-danger">
          {error}
        </p>
      )}
      {type.kind === 'list' && type.length === null && (
        <div>
          <Button
            isCompact
            aria-label={text('compose.element.add.to', { label })}
            onClick={() => {
              // A new value is drawn, however many before it are not.
              if (parts.length >= shown.upTo) setWanted(showPart(wanted, parts.length))
              onChange([...parts, emptyValue(type.element)])
            }}
          >
            {text('compose.element.add')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

/** Says how many values of a list are not drawn, and draws more of them. */
function ShowMore({
  label,
  hidden,
  count,
  next,
  onMore,
}: {
  label: string
  hidden: number
  count: number
  next: number
  onMore: () => void
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button isCompact aria-label={text('compose.element.more.of', { count: next, label })} onClick={onMore}>
        {text('compose.element.more', { count: next })}
      </Button>
      <span className="text-small text-ink-soft">
        {text('compose.element.hidden', { hidden, count: formatNumber(count) })}
      </span>
    </div>
  )
}

/** Faults of values that are not drawn, by their numbers, each with the way to its field. */
function HiddenFaults({ named, more, onShow }: ReturnType<typeof hiddenFaults> & { onShow: (index: number) => void }) {
  return (
    <div role="alert" className="grid gap-1.5 text-small text-danger empty:hidden">
      {named.map(({ index, sentence }) => (
        <p key={index} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="min-w-0 wrap-anywhere">
            {text('compose.element.fault', { number: index + 1, sentence })}
          </span>
          <Button isCompact variant="quiet" data-at-fault onClick={() => onShow(index)}>
            {text('compose.element.fault.show', { number: index + 1 })}
          </Button>
        </p>
      ))}
      {more > 0 && <p>{text('compose.element.faults.more', { count: more })}</p>}
    </div>
  )
}
