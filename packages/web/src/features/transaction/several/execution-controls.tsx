import type { Address } from 'viem'
import type { Proposal } from '../../../safe/proposals.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/form/field.tsx'
import { FeesFold, type useChosenFees } from '../execution/chosen-fees.tsx'
import { ExecutionFee } from '../execution/execution-fee.tsx'
import type { JointReadiness } from './readiness.ts'
import { text } from './text.ts'
import type { useExecuteSeveral } from './use-execute-several.ts'

/** Starts and stops the execution of the chosen transactions: how many, the button, what it costs, the fees. */
export function ExecutionControls({
  chainId,
  account,
  inTurn,
  chosen,
  readiness: { ready, blocked, calls, gas },
  execution: { isRunning, isStopping, execute, stop },
  fees: { typed, change, fees, areValid },
  executed,
  onChoose,
  onBegin,
}: {
  chainId: number
  account: Address | null
  inTurn: readonly Proposal[]
  chosen: readonly Proposal[]
  readiness: JointReadiness
  execution: ReturnType<typeof useExecuteSeveral>
  fees: ReturnType<typeof useChosenFees>
  /** Count of those that are executed. */
  executed: number
  onChoose: (count: number) => void
  onBegin: () => void
}) {
  return (
    <div className="grid gap-3">
      {inTurn.length > 1 && (
        <ExecutionCount inTurn={inTurn} isRunning={isRunning} count={chosen.length} onChoose={onChoose} />
      )}
      <div className="flex flex-wrap gap-2" data-execute-several>
        <Button
          variant="primary"
          disabled={blocked !== null || !areValid}
          busy={isRunning ? text('several.running', { executed, count: chosen.length }) : undefined}
          onClick={() => {
            onBegin()
            void execute(ready, fees)
          }}
          aria-describedby="several-reason"
        >
          {text('several.button', { count: chosen.length })}
        </Button>
        {isRunning && (
          <Button disabled={isStopping} onClick={stop}>
            {text(isStopping ? 'several.stopping' : 'several.stop')}
          </Button>
        )}
      </div>
      <p id="several-reason" className="text-small text-ink-soft">
        {explanation(blocked, areValid, account)}
      </p>
      {!isRunning && (
        <>
          {account !== null && gas !== null && (
            <ExecutionFee chainId={chainId} account={account} gas={gas} calls={calls} chosen={fees} />
          )}
          <FeesFold isOfSeveral typed={typed} onChange={change} />
        </>
      )}
    </div>
  )
}

/** Says what the button will do, or why it cannot be pressed yet. */
function explanation(blocked: JointReadiness['blocked'], areFeesValid: boolean, account: Address | null): string {
  if (blocked !== null)
    return text('several.waits', { nonce: blocked.nonce, reason: blocked.reason ?? text('several.checking') })
  return areFeesValid ? text('several.explanation', { account: account ?? '' }) : text('execute.fees.mend')
}

function ExecutionCount({
  inTurn,
  count: chosen,
  isRunning,
  onChoose,
}: {
  inTurn: readonly Proposal[]
  count: number
  isRunning: boolean
  onChoose: (count: number) => void
}) {
  return (
    <SelectField
      label={text('several.howMany')}
      value={String(chosen)}
      disabled={isRunning}
      onChange={({ target }) => onChoose(Number(target.value))}
    >
      {inTurn.map(({ nonce, safeTxHash }, index) => (
        <option key={safeTxHash} value={index + 1}>
          {text('several.upTo', { count: index + 1, nonce })}
        </option>
      ))}
    </SelectField>
  )
}
