import type { Chain } from '@countersign/contract'
import { currencyOf } from '../../safe/names/names.ts'
import { parseNonce } from '../../safe/worth/amount.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Button } from '../../ui/button.tsx'
import { AddressField } from '../../ui/form/address-field.tsx'
import { Field, SelectField } from '../../ui/form/field.tsx'
import { parseAddressField } from '../../ui/form/typed-field.ts'
import { Details } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { entryGroups, type HistoryChoice, isChosen, noChoice, parseBound, unitOf } from './history-query.ts'
import { text } from './text.ts'

const groups = Object.keys(entryGroups).filter((key): key is HistoryChoice['group'] => key in entryGroups)

type FilterProps = {
  choice: HistoryChoice
  chain: Chain | undefined
  onChoose: (choice: HistoryChoice) => void
}

/** Chooses the part of the history that is shown. */
export function HistoryFilter({ choice, chain, onChoose }: FilterProps) {
  const set = (part: Partial<HistoryChoice>) => onChoose({ ...choice, ...part })
  const chooseGroup = (value: string) => {
    const group = groups.find((group) => group === value)
    if (group) set({ group })
  }
  const isNonceWrong = choice.nonce.trim() !== '' && parseNonce(choice.nonce) === null
  return (
    <Details
      summary={
        <>
          {text('history.filter')} {isChosen(choice) && <Tag tone="warning">{text('history.filter.on')}</Tag>}
        </>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={text('history.filter.kind')}
          value={choice.group}
          onChange={(event) => chooseGroup(event.target.value)}
        >
          {groups.map((group) => (
            <option key={group} value={group}>
              {text(`history.filter.${group}`)}
            </option>
          ))}
        </SelectField>
        <Field
          label={text('history.filter.nonce')}
          value={choice.nonce}
          onChange={(event) => set({ nonce: event.target.value })}
          error={isNonceWrong ? text('field.nonce.not-a-number') : undefined}
          inputMode="numeric"
          autoComplete="off"
        />
        <AssetFields choice={choice} chain={chain} onChoose={onChoose} />
        <Field
          label={text('history.filter.since')}
          type="date"
          value={choice.since}
          onChange={(event) => set({ since: event.target.value })}
        />
        <Field
          label={text('history.filter.until')}
          type="date"
          value={choice.until}
          onChange={(event) => set({ until: event.target.value })}
        />
        <div className="sm:col-span-2">
          <AddressField
            label={text('history.filter.counterparty')}
            value={choice.counterparty}
            onChange={(event) => set({ counterparty: event.target.value })}
            error={errorOf(choice.counterparty)}
          />
        </div>
      </div>
      {isChosen(choice) && (
        <div className="mt-4">
          <Button isCompact onClick={() => onChoose(noChoice)}>
            {text('history.filter.clear')}
          </Button>
        </div>
      )}
    </Details>
  )
}

/** Which asset, and how much of it: an amount counts in the unit of the asset that is chosen. */
function AssetFields({ choice, chain, onChoose }: FilterProps) {
  const set = (part: Partial<HistoryChoice>) => onChoose({ ...choice, ...part })
  return (
    <>
      <div className="sm:col-span-2">
        <SelectField
          label={text('history.filter.token')}
          value={choice.token}
          onChange={(event) => set({ token: event.target.value, minAmount: '', maxAmount: '' })}
        >
          <option value="">{text('history.filter.token.all')}</option>
          <option value="native">{showUntrusted(currencyOf(chain).symbol, 20)}</option>
          {chain?.tokens.map((token) => (
            <option key={token.address} value={token.address}>
              {showUntrusted(token.symbol, 20)}
            </option>
          ))}
          <option value="other">{text('history.filter.token.other')}</option>
        </SelectField>
      </div>
      {choice.token === 'other' && (
        <div className="sm:col-span-2">
          <AddressField
            label={text('history.filter.tokenAddress')}
            value={choice.tokenAddress}
            onChange={(event) => set({ tokenAddress: event.target.value })}
            error={errorOf(choice.tokenAddress)}
          />
        </div>
      )}
      <AmountField
        label={text('history.filter.min')}
        typed={choice.minAmount}
        unit={unitOf(choice, chain)}
        onType={(minAmount) => set({ minAmount })}
      />
      <AmountField
        label={text('history.filter.max')}
        typed={choice.maxAmount}
        unit={unitOf(choice, chain)}
        onType={(maxAmount) => set({ maxAmount })}
      />
    </>
  )
}

function AmountField({
  label,
  typed,
  unit,
  onType,
}: {
  label: string
  typed: string
  unit: ReturnType<typeof unitOf>
  onType: (typed: string) => void
}) {
  const bound = parseBound(typed, unit)
  const symbol = unit && (unit.symbol === null ? text('effect.baseUnits') : showUntrusted(unit.symbol, 20))
  const hint = !unit ? 'noAsset' : unit.symbol === null ? 'units' : null
  return (
    <Field
      label={label}
      value={typed}
      disabled={unit === null}
      onChange={(event) => onType(event.target.value)}
      hint={text(hint === null ? 'history.filter.amount.hint' : `history.filter.amount.${hint}`)}
      error={
        bound?.ok === false
          ? text(`field.amount.${bound.problem}`, {
              typed: showUntrusted(typed.trim(), 60),
              symbol: symbol ?? '',
              decimals: unit?.decimals ?? 0,
            })
          : undefined
      }
      suffix={symbol}
      inputMode="decimal"
      autoComplete="off"
    />
  )
}

/** An address filters once it is whole; a field with nothing in it is at no fault. */
function errorOf(typed: string): string | undefined {
  const reading = parseAddressField(typed)
  return typed.trim() !== '' && 'error' in reading ? reading.error : undefined
}
