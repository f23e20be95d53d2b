import { type Demand, evidenceItem, findingCatalogue, isReason, isTypedRight } from '@countersign/review'
import { useId, useState } from 'react'
import { formatUnits } from 'viem'
import type { Names } from '../../safe/names/names.ts'
import { isTextKey, text } from '../../safe/words/finding-text.ts'
import { evidenceLabel } from '../../safe/words/finding-words.ts'
import { Sentence } from '../../safe/words/sentence.tsx'
import { parseAmount } from '../../safe/worth/amount.ts'
import { Field } from '../../ui/form/field.tsx'
import { demandSentence, demandWords, typedUnit } from './demand-sentence.ts'
import { ListedDemand } from './listed-demand.tsx'
import { Missing } from './missing.tsx'
import type { Acknowledging, DemandProps } from './use-acknowledgements.ts'

const MAX_REASON = 500

/** One answer for each serious finding, beside the button that waits for them; or what is missing, where none would do. */
export function Acknowledge({
  acknowledging,
  names,
  chainId,
  onRetry,
}: {
  acknowledging: Acknowledging
  names: Names
  chainId: number
  onRetry: () => void
}) {
  const { demands, answers, answer } = acknowledging
  const closed = demands.filter(({ way }) => way === 'never')
  // No tick changes these.
  if (closed.length > 0)
    return <Missing demands={closed} safeAddress={names.safeAddress} chainId={chainId} onRetry={onRetry} />
  if (demands.length === 0) return null
  return (
    <fieldset className="grid gap-4" data-acknowledge={demands.length}>
      <legend className="mb-2 font-semibold">{text('acknowledge.title', { count: demands.length })}</legend>
      {demands.map((demand) => {
        const given = answers.get(demand.key)
        const shared = { demand, given, names, onAnswer: answer }
        if (demand.way === 'typed') return <TypedDemand key={demand.key} {...shared} />
        const Ticked = demand.things.length > 1 ? ListedDemand : TickedDemand
        return <Ticked key={demand.key} {...shared} />
      })}
    </fieldset>
  )
}

/** A sentence that names the thing, to tick. */
function TickedDemand({ demand, given, names, onAnswer }: DemandProps) {
  return (
    <label className="flex min-h-11 items-start gap-3" data-demand={demand.finding.id} data-way={demand.way}>
      <input
        type="checkbox"
        checked={given !== undefined}
        onChange={({ target }) => onAnswer(demand, target.checked ? { words: demandWords(demand, names) } : null)}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 wrap-anywhere">
        <Sentence parts={demandSentence(demand, names)} names={names} />
      </span>
    </label>
  )
}

/** A power that owners may give on purpose: what changes is typed, and why. */
function TypedDemand({ demand, given, names, onAnswer }: DemandProps) {
  const id = useId()
  const unit = typedUnit(demand, names)
  const { typed = '', reason = '' } = given ?? {}
  const right = writeTyped(demand.typed ?? '', unit)
  const [written, setWritten] = useState(() => writeTyped(typed, unit))
  const say = (said: { typed?: string; reason?: string }) => {
    const answer = { typed, reason, ...said }
    const isEmpty = answer.typed === '' && answer.reason === ''
    onAnswer(demand, isEmpty ? null : { ...answer, words: demandWords(demand, names) })
  }
  return (
    <fieldset className="grid gap-3" aria-labelledby={id} data-demand={demand.finding.id} data-way="typed">
      <p id={id} className="min-w-0 wrap-anywhere">
        <Sentence parts={demandSentence(demand, names)} names={names} />
      </p>
      <div className="grid gap-3">
        <Field
          label={typedLabel(demand)}
          value={written}
          suffix={unit?.symbol}
          isFigures
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => {
            setWritten(target.value)
            say({ typed: parseTyped(target.value, unit) })
          }}
          error={isTypedRight(demand, typed) || mayBecome(written, right) ? undefined : text('acknowledge.typed.other')}
        />
        <Field
          label={text('acknowledge.reason')}
          hint={text('acknowledge.reason.hint')}
          value={reason}
          maxLength={MAX_REASON}
          autoComplete="off"
          onChange={({ target }) => say({ reason: target.value })}
          error={reason !== '' && !isReason(reason) ? text('acknowledge.reason.empty') : undefined}
        />
      </div>
    </fieldset>
  )
}

/** An amount is typed in its unit and compared in base units; anything else is compared as it is typed. */
function parseTyped(written: string, unit: { decimals: number } | null): string {
  if (unit === null) return written
  const amount = parseAmount(written, unit.decimals)
  return amount.ok ? String(amount.value) : written
}

function writeTyped(typed: string, unit: { decimals: number } | null): string {
  return unit !== null && /^[0-9]+$/.test(typed) ? formatUnits(BigInt(typed), unit.decimals) : typed
}

/** Whether more letters can still make it right: nobody is told off in the middle of typing. */
function mayBecome(written: string, right: string): boolean {
  return right.toLowerCase().startsWith(written.trim().toLowerCase())
}

function typedLabel({ finding, typedFrom = 'to' }: Demand): string {
  const { id } = finding
  const [key, entry] = [`acknowledge.typed.${id}`, findingCatalogue[id]]
  if ('typed' in entry && entry.typed === typedFrom && isTextKey(key)) return text(key)
  const kind = evidenceItem(finding, typedFrom)?.kind
  const isAddress = kind === 'address' || kind === 'addresses'
  return text(isAddress ? 'acknowledge.typed.address' : 'acknowledge.typed.number', {
    what: evidenceLabel(typedFrom),
  })
}
