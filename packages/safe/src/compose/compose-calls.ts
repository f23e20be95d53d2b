import { type Address, type Hex, size, slice } from 'viem'
import { type BatchedCall, encodeMultiSend } from '../calls/multi-send.ts'
import {
  type Deployment,
  deploymentAt,
  isDelegatecallAllowed,
  officialDeployments,
} from '../deployments/deployments.ts'
import { domainVersion, type SafeState } from '../safe/safe-state.ts'
import { isSameAddress } from '../same-address.ts'
import { newSafeTx, type SafeTx } from '../signing/safe-tx.ts'
import type { CallIntent, Intent, IntentProblem } from './intent.ts'
import { limitCalls, limitProblems } from './limit-call.ts'
import { paymentCall, paymentProblems } from './payment-call.ts'
import { type ComposedSettings, settingsAfter } from './settings-after.ts'
import { settingsData, settingsProblems } from './settings-call.ts'
import { upgradeCall, upgradeProblems } from './upgrade-call.ts'

/** The facts of a Safe that a draft rests on; `allowed`: code that its team's policy lets run as the Safe itself. */
export type ComposingSafe = ComposedSettings &
  Pick<SafeState, 'address' | 'version' | 'reportedVersion' | 'singleton'> & {
    allowed?: readonly { address: Address; selector: Hex | null }[]
  }

/** One intent of a draft as it was read: its calls, or what is wrong with it. `before` is the Safe at that point. */
export type ComposedIntent = { calls: BatchedCall[]; problems: IntentProblem[]; before: ComposedSettings }

/** A draft, read from the first intent to the last. `after` are the settings once all without faults are carried out. */
export type ComposedDraft = { intents: ComposedIntent[]; calls: BatchedCall[]; after: ComposedSettings }

/**
 * The calls of a list of intents, each in the Safe that those before it leave behind: an owner that was added in the same
 * batch can be removed again, and the entry in front of an owner is the one that is there by then.
 *
 * @param intents - each null where a form has no intent yet: it is passed over. One may be read from the Safe at its place.
 * @example
 * composeCalls([{ kind: 'send-native', to, amount: 10n ** 18n }], state).calls // [{ to, value: 10n ** 18n, data: '0x', operation: 0 }]
 */
export function composeCalls(
  intents: readonly (Intent | null | ((before: ComposedSettings) => Intent | null))[],
  safe: ComposingSafe,
): ComposedDraft {
  let settings: ComposedSettings = {
    owners: safe.owners,
    threshold: safe.threshold,
    modules: safe.modules,
    guard: safe.guard,
    moduleGuard: safe.moduleGuard,
    fallbackHandler: safe.fallbackHandler,
  }
  const composed = intents.map((given): ComposedIntent => {
    const before = settings
    const intent = typeof given === 'function' ? given(before) : given
    const read = intent === null ? { calls: [], problems: [] } : composeIntent(intent, safe, before, intents.length)
    if (intent !== null && read.problems.length === 0 && isSettings(intent)) settings = settingsAfter(before, intent)
    return { ...read, before }
  })
  return { intents: composed, calls: composed.flatMap(({ calls }) => calls), after: settings }
}

function isSettings(intent: Intent): intent is Parameters<typeof settingsAfter>[1] {
  return /-owner$|-module$|-guard$|-handler$|-threshold$/.test(intent.kind)
}

function composeIntent(
  intent: Intent,
  safe: ComposingSafe,
  settings: ComposedSettings,
  count: number,
): Pick<ComposedIntent, 'calls' | 'problems'> {
  const context = { settings, safeAddress: safe.address, version: domainVersion(safe) }
  const only = (problems: IntentProblem[], calls: () => BatchedCall[]) => ({
    problems,
    calls: problems.length === 0 ? calls() : [],
  })
  switch (intent.kind) {
    case 'send-native':
    case 'send-erc20':
    case 'send-erc721':
    case 'send-erc1155':
      return only(paymentProblems(intent, safe.address), () => [paymentCall(intent, safe.address)])
    case 'call':
      return only([...callProblems(intent), ...codeProblems(intent, safe, count)], () => [
        { to: intent.to, value: intent.value, data: intent.data, operation: intent.operation ?? 0 },
      ])
    case 'upgrade': {
      const alone: IntentProblem[] = count > 1 ? [{ field: 'version', reason: 'not-alone' }] : []
      return only([...upgradeProblems(intent, safe), ...alone], () => [upgradeCall(intent, safe)].filter(isThere))
    }
    case 'set-limit':
    case 'reset-limit':
    case 'delete-limit':
      return only(limitProblems(intent, context), () => limitCalls(intent))
    default:
      return only(settingsProblems(intent, context), () => [
        { to: safe.address, value: 0n, data: settingsData(intent, settings), operation: 0 as const },
      ])
  }
}

function isThere(call: BatchedCall | null): call is BatchedCall {
  return call !== null
}

function callProblems({ to, value, data }: CallIntent): IntentProblem[] {
  if (BigInt(to) === 0n) return [{ field: 'to', reason: 'zero-address' }]
  return value === 0n && size(data) === 0 ? [{ field: 'data', reason: 'does-nothing' }] : []
}

/** Why code may not run as the Safe itself: it is neither a library of a release, nor allowed by the team's policy. */
function codeProblems(
  { to, value, data, operation = 0 }: CallIntent,
  safe: ComposingSafe,
  count: number,
): IntentProblem[] {
  if (operation === 0) return []
  const problems: IntentProblem[] = []
  const selector = size(data) < 4 ? null : slice(data, 0, 4)
  const kind = deploymentAt(to)?.kind
  const isLibrary = kind !== undefined && selector !== null && isDelegatecallAllowed(kind, selector)
  const isAllowed = safe.allowed?.some((entry) => isSameAddress(entry.address, to) && entry.selector === selector)
  if (!isLibrary && !isAllowed) problems.push({ field: 'to', reason: 'foreign-code' })
  // The coin would not move: what runs as the Safe is paid by nobody.
  if (value > 0n) problems.push({ field: 'value', reason: 'value-stays' })
  if (count > 1) problems.push({ field: 'operation', reason: 'not-alone' })
  return problems
}

/**
 * The releases of a library that a Safe may run as itself, such as MultiSendCallOnly for batches: the one of its own version
 * first. Which of them the chain has, only the code there decides.
 *
 * @example
 * libraryCandidates('multi-send-call-only', state)[0]?.version // '1.4.1', for a Safe 1.4.1
 */
export function libraryCandidates(
  library: 'multi-send-call-only' | 'sign-message-lib',
  safe: Pick<SafeState, 'version' | 'singleton'>,
): Deployment[] {
  const version = safe.version?.split('+')[0]
  const place = deploymentAt(safe.singleton)?.place ?? 'canonical'
  const all = officialDeployments().filter(({ kind }) => kind === library)
  const weight = (deployment: Deployment) =>
    (deployment.version === version ? 0 : 4) +
    (deployment.place === place ? 0 : 2) +
    (deployment.place === 'canonical' ? 0 : 1)
  return all.toSorted((one, other) => weight(one) - weight(other))
}

/**
 * The transaction that carries out calls: the call itself when there is one, else one delegatecall of MultiSendCallOnly.
 *
 * @param multiSend - a release whose code the chain has; null when it has none.
 * @returns null for no calls, for several without a library, and for several of which one is a delegatecall.
 * @example
 * composeSafeTx(composeCalls(intents, state).calls, { nonce: 4n, multiSend: library.address })
 */
export function composeSafeTx(
  calls: readonly BatchedCall[],
  { nonce, multiSend }: { nonce: bigint; multiSend: Address | null },
): SafeTx | null {
  const [first] = calls
  if (first === undefined) return null
  if (calls.length === 1) return newSafeTx({ ...first, nonce })
  if (multiSend === null || calls.some(({ operation }) => operation === 1)) return null
  return newSafeTx({ to: multiSend, data: encodeMultiSend(calls), operation: 1, nonce })
}
