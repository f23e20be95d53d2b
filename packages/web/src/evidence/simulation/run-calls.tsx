import { type FinishedSimulation, isExecuted, type Review, type SimulatedCall } from '@countersign/review'
import { currencyOf, type Names, nameOf } from '../../safe/names/names.ts'
import { failureWords } from '../../safe/words/failure-words.ts'
import { text } from '../../safe/words/finding-text.ts'
import { Address } from '../../ui/address.tsx'
import { Amount } from '../../ui/amount/amount.tsx'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { Fold } from '../../ui/fold.tsx'
import { RunSlots } from './run-slots.tsx'

const SHOWN = 200

/** Raw slots of the Safe, the calls that happened, as a tree, and their gas; drawn when somebody opens it. */
export function RunCalls({ run, review, names }: { run: FinishedSimulation; review: Review; names: Names }) {
  const { configuration, hashes } = review
  const calls = flatten(run.call)
  return (
    <Fold
      title={text('run.calls')}
      result={text('run.calls.result', { count: calls.length, gas: formatAmount(run.gasUsed, 0) })}
      isLazy
    >
      {isExecuted(run) && configuration && (
        <RunSlots before={configuration.before} safeTxHash={hashes.safeTxHash} run={run} names={names} />
      )}
      <ol className="grid gap-3" data-run-calls={calls.length}>
        {calls.slice(0, SHOWN).map((call) => (
          <CallRow key={call.path.join('.')} call={call} names={names} />
        ))}
      </ol>
      {calls.length > SHOWN && <p>{text('run.calls.more', { count: calls.length - SHOWN })}</p>}
    </Fold>
  )
}

function CallRow({ call, names }: { call: SimulatedCall; names: Names }) {
  return (
    <li className="border-l-2 border-rule pl-3" style={{ marginLeft: `${Math.min(call.path.length, 8) * 0.5}rem` }}>
      <p className="flex flex-wrap items-baseline gap-x-2 text-small text-ink-soft">
        <span className={call.operation === 'delegatecall' ? 'font-semibold' : ''}>{call.operation}</span>
        <span className="figures">{call.input.slice(0, 10)}</span>
        {call.part && <span>{text(`run.part.${call.part}`)}</span>}
        {call.value > 0n && <Amount value={call.value} {...currencyOf(names.chain)} />}
        <span>{text('run.calls.gas', { gas: formatAmount(call.gasUsed, 0) })}</span>
      </p>
      <Address address={call.to} name={nameOf(call.to, names)} hasAvatar={false} isCopyable={false} />
      {call.failure && <p className="text-small text-warning">{failureWords(call.failure)}</p>}
    </li>
  )
}

function flatten(call: SimulatedCall): SimulatedCall[] {
  return [call, ...call.calls.flatMap(flatten)]
}
