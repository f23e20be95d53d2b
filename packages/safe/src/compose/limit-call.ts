import { encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import type { BatchedCall } from '../calls/multi-send.ts'
import { isSameAddress } from '../same-address.ts'
import type { IntentProblem, LimitIntent } from './intent.ts'
import { holds } from './settings-after.ts'
import type { SettingsContext } from './settings-call.ts'

/** Functions of the Allowance Module, 0.1.0 and 0.1.1. */
const allowanceAbi = parseAbi([
  'function addDelegate(address delegate)',
  'function setAllowance(address delegate, address token, uint96 allowanceAmount, uint16 resetTimeMin, uint32 resetBaseMin)',
  'function resetAllowance(address delegate, address token)',
  'function deleteAllowance(address delegate, address token)',
])

const MAX_AMOUNT = (1n << 96n) - 1n
/** About 45 days. */
const MAX_RESET_MINUTES = 65_535

/** Why a spending limit cannot be set, or would do nothing. */
export function limitProblems(intent: LimitIntent, { settings, safeAddress }: SettingsContext): IntentProblem[] {
  const problems: IntentProblem[] = []
  if (!holds(settings.modules, intent.module)) problems.push({ field: 'module', reason: 'module-missing' })
  if (isSameAddress(intent.delegate, zeroAddress)) problems.push({ field: 'delegate', reason: 'zero-address' })
  else if (isSameAddress(intent.delegate, safeAddress)) problems.push({ field: 'delegate', reason: 'safe-itself' })
  if (intent.kind !== 'set-limit') return problems
  if (intent.amount === 0n) problems.push({ field: 'amount', reason: 'amount-zero' })
  if (intent.amount > MAX_AMOUNT) problems.push({ field: 'amount', reason: 'amount-too-large' })
  const { resetMinutes } = intent
  const isPeriod = Number.isInteger(resetMinutes) && resetMinutes >= 0 && resetMinutes <= MAX_RESET_MINUTES
  if (!isPeriod) problems.push({ field: 'resetMinutes', reason: 'period-too-long' })
  return problems
}

/** The calls of a spending limit. The module takes an allowance only for a delegate that it knows, and knows one twice. */
export function limitCalls(intent: LimitIntent): BatchedCall[] {
  const { delegate, token, module } = intent
  const call = (data: BatchedCall['data']): BatchedCall => ({ to: module, value: 0n, data, operation: 0 })
  switch (intent.kind) {
    case 'set-limit':
      return [
        call(encodeFunctionData({ abi: allowanceAbi, functionName: 'addDelegate', args: [delegate] })),
        call(
          encodeFunctionData({
            abi: allowanceAbi,
            functionName: 'setAllowance',
            args: [delegate, token, intent.amount, intent.resetMinutes, 0],
          }),
        ),
      ]
    case 'reset-limit':
      return [call(encodeFunctionData({ abi: allowanceAbi, functionName: 'resetAllowance', args: [delegate, token] }))]
    case 'delete-limit':
      return [call(encodeFunctionData({ abi: allowanceAbi, functionName: 'deleteAllowance', args: [delegate, token] }))]
  }
}
