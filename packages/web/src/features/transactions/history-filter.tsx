import type { Chain } from '@countersign/contract'
import { readAddress, tellAddressProblem } from '../../api/typed-address.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField } from '../../ui/field.tsx'
import { Details } from '../../ui/section.tsx'
import { Tag } from '../../ui/tag.tsx'
import { entryGroups, type HistoryChoice, isChosen, noChoice } from './history-query.ts'
import { currencyOf } from './names.ts'
import { text } from './text.ts'

const groups = Object.keys(entryGroups).filter((key): key is HistoryChoice['group'] => key in entryGroups)

/** What of the history is shown. */
export function HistoryFilter({
  choice,
  chain,
  onChoose,
}: {
  choice: HistoryChoice
  chain: Chain | undefined
  onChoose: (choice: HistoryChoice) => void
}) {
  const typed = readAddress(choice.counterparty)
  const isWrong = !typed.ok && typed.problem !== 'empty'
  const set = (part: Partial<HistoryChoice>) => onChoose({ ...choice, ...part })
  const chooseGroup = (value: string) => {
    const group = groups.find((one) => one === value)
    if (group) set({ group })
  }
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
        <SelectField
          label={text('history.filter.token')}
          value={choice.token}
          onChange={(event) => set({ token: event.target.value })}
        >
          <option value="">{text('history.filter.token.all')}</option>
          <option value="native">{showUntrusted(currencyOf(chain).symbol, 20)}</option>
          {chain?.tokens.map((token) => (
            <option key={token.address} value={token.address}>
              {showUntrusted(token.symbol, 20)}
            </option>
          ))}
        </SelectField>
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
          <Field
            label={text('history.filter.counterparty')}
            value={choice.counterparty}
            onChange={(event) => set({ counterparty: event.target.value })}
            error={isWrong ? tellAddressProblem(typed.problem, choice.counterparty) : undefined}
            autoComplete="off"
            spellCheck={false}
            isFigures
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
