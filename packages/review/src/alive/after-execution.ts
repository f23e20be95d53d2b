import { deploymentAt, isDelegatecallAllowed, isSameAddress, isVersionBefore, type SafeTx } from '@countersign/safe'
import { type Call, describeCall, flattenCalls } from '@countersign/safe/calls'
import { type Address, type Hex, slice } from 'viem'
import { functionName } from '../call-arguments.ts'
import { afterSettings } from '../findings/safe/after-settings.ts'
import { settingsRefusal } from '../findings/safe/settings-refusal.ts'
import type { SafeConfiguration } from '../types.ts'

type Context = { safeAddress: Address; version: string }

/**
 * Calls by which a transaction changes the settings of its Safe, in the order in which they run. Null if its bytes do not show them:
 * unknown code or a migration runs by delegatecall, or a call to the Safe cannot be followed. Calls to other contracts are not
 * followed, even if one is a module.
 */
export type Changes = readonly Call[] | null

/** Reads the calls by which a transaction changes its own Safe. */
export function changesOf(safeTx: SafeTx, safeAddress: Address): Changes {
  const own = flattenCalls(describeCall({ ...safeTx, safeAddress })).filter(({ from }) =>
    isSameAddress(from, safeAddress),
  )
  const toSafe = own.filter(({ to, operation }) => operation === 0 && isSameAddress(to, safeAddress))
  const isRead =
    own.every((call) => call.operation === 0 || isKnownCode(call)) &&
    toSafe.every((call) => call.data === '0x' || isFollowable(call))
  return isRead ? toSafe.filter(({ kind }) => kind === 'safe-settings') : null
}

/**
 * Whether a delegatecall runs a Safe library that leaves the singleton as it is. Only the address is compared: the review of the
 * transaction itself compares the code.
 */
function isKnownCode({ to, data, problem }: Call): boolean {
  const library = deploymentAt(to)
  if (problem !== null || library === null || data.length < 10) return false
  return !/migration/.test(library.kind) && isDelegatecallAllowed(library.kind, selector(data))
}

function selector(data: Hex): Hex {
  return slice(data, 0, 4)
}

/**
 * Whether the effect of a call to the Safe is known. It is not for `changeMasterCopy`, as another singleton may count signatures
 * differently, nor for `execTransaction`, which uses a nonce of its own.
 */
function isFollowable(call: Call): boolean {
  return (
    call.name !== null && call.problem === null && !/^(?:changeMasterCopy|execTransaction)/.test(functionName(call))
  )
}

/**
 * Returns the configuration of the Safe after a transaction. Null if the Safe reverts the whole transaction: from 1.3.0 on, it
 * does so if a call fails while `safeTxGas` and `gasPrice` are zero (GS013). Otherwise a failed call changes only the nonce.
 * Which signatures count afterwards is decided by `findAliveTogether`.
 */
export function afterExecution(
  safeTx: SafeTx,
  changes: readonly Call[],
  before: SafeConfiguration,
  { safeAddress, version }: Context,
): SafeConfiguration | null {
  let current = before
  for (const call of changes) {
    const isRefused = call.value > 0n || settingsRefusal(current, call, { safeAddress, version }) !== null
    if (isRefused) {
      const isNonceUsed = isVersionBefore(version, 1, 3) || safeTx.safeTxGas !== 0n || safeTx.gasPrice !== 0n
      return isNonceUsed ? before : null
    }
    current = afterSettings(current, call)
  }
  return current
}
