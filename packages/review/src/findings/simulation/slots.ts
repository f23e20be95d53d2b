import { deploymentAt, domainVersion, hashSafeMessage, isSameAddress } from '@countersign/safe'
import { type Call, flattenCalls } from '@countersign/safe/calls'
import { type Address, type Hex, isHex, pad } from 'viem'
import { signsByItself } from '../../approvals.ts'
import { argument } from '../../call-arguments.ts'
import type { SlotChange } from '../../effects/declared-effects.ts'
import { changedSafeSlots, configurationAfter, type NamedSlot, nameSlots } from '../../effects/safe-slots.ts'
import type { ReviewInput } from '../../input.ts'
import type { Finding, SafeConfiguration } from '../../types.ts'
import { finding } from '../make-finding.ts'
import { executedRun, heldAddress, ownSlots } from './finished.ts'

/** Foreign code may write any number of slots: these are named one by one. */
const MAX_NAMED = 20

/** The Safe before, and after by the calls: what the story says of its settings. */
type Told = { call: Call; safeTxHash: Hex; before: SafeConfiguration | null; after: SafeConfiguration | null }

/** The configuration of the Safe after the run, by its raw slots; null where no run says it. */
export function configurationByRun(
  { before }: Pick<Told, 'before'>,
  input: Pick<ReviewInput, 'simulation' | 'safeAddress'>,
): SafeConfiguration | null {
  const run = executedRun(input)
  return run === null || before === null ? null : configurationAfter(before, ownSlots(run, input))
}

/**
 * Compares the slots of the Safe before and after the run with what the calls say of its settings. A slot that no call
 * accounts for is named: this is how Bybit's and WazirX's Safes were taken.
 */
export function reviewSlots(told: Told, input: ReviewInput): Finding[] {
  const run = executedRun(input)
  const { before, safeTxHash } = told
  if (run === null || before === null || told.after === null) return []
  const { nonce } = input.safeTx
  // Where the transaction itself failed, its calls changed nothing.
  const after = run.outcome.kind === 'success' ? told.after : before
  const expected = new Map(
    changedSafeSlots(input.safeAddress, { before, after, nonce }).map((change) => [change.slot, change.after]),
  )
  const changes = ownSlots(run, input)
  const hashes = [safeTxHash, ...messageHashes(told.call, input)]
  const nameOf = nameSlots(changes, { before, hashes })
  const unexplained = changes.filter((change) => {
    const named = nameOf(change.slot)
    if (named?.name === 'approvedHashes' || named?.name === 'signedMessages') return false
    return expected.get(lower(change.slot)) !== lower(change.after)
  })
  const untold = unexplained
    .slice(0, MAX_NAMED)
    .map((change) => slotFinding(change, nameOf(change.slot), unexplained.length))
  const byRun = configurationAfter(before, changes)
  const unlinked = byRun === null && unexplained.length > 0
  return [
    ...untold,
    ...(unlinked || byRun === null ? [] : reviewUntold(after, byRun, input)),
    ...missing(expected, changes, input).map((slot) => notChanged(slot, before, after)),
  ]
}

function slotFinding({ slot, before, after }: SlotChange, named: NamedSlot | null, count: number): Finding {
  const isAddress = named !== null && !['threshold', 'ownerCount', 'nonce', 'domainSeparator'].includes(named.name)
  const shown = (value: Hex) => (isAddress ? (heldAddress(value) ?? value) : value)
  const evidence = {
    holds: named?.name ?? ('unknown' as const),
    of: named?.of,
    before: shown(before),
    after: shown(after),
    slots: count > MAX_NAMED ? count : null,
  }
  return finding('CRIT-SLOT-UNEXPLAINED', 'critical', evidence, { slot })
}

/** Settings that change without a word of the calls, each in the finding that a call would have. */
function reviewUntold(told: SafeConfiguration, after: SafeConfiguration, { safeAddress }: ReviewInput): Finding[] {
  const safe = { safe: safeAddress }
  const found: Finding[] = []
  const [added, removed] = [without(after.owners, told.owners), without(told.owners, after.owners)]
  const { threshold } = after
  for (const owner of added) found.push(finding('OWNER-ADD', 'high', { ...safe, owner, threshold }))
  for (const owner of removed) found.push(finding('OWNER-REMOVE', 'high', { ...safe, owner, threshold }))
  if (after.threshold < told.threshold)
    found.push(finding('THRESHOLD-DOWN', 'critical', { ...safe, before: told.threshold, after: threshold }))
  for (const module of without(after.modules, told.modules))
    found.push(finding('MODULE-ENABLE', 'critical', { ...safe, module }))
  if (!isSame(after.singleton, told.singleton))
    found.push(
      finding('SLOT0-CHANGE', 'critical', { before: told.singleton, after: after.singleton }, { slot: pad('0x') }),
    )
  if (after.guard !== null && !isSame(after.guard, told.guard))
    found.push(finding('GUARD-SET', 'critical', { ...safe, before: told.guard, guard: after.guard }))
  if (after.guard === null && told.guard !== null)
    found.push(finding('GUARD-REMOVE', 'high', { ...safe, before: told.guard }))
  if (!isSame(after.moduleGuard, told.moduleGuard))
    found.push(finding('MODGUARD-CHANGE', 'critical', { ...safe, before: told.moduleGuard, after: after.moduleGuard }))
  if (after.fallbackHandler !== null && !isSame(after.fallbackHandler, told.fallbackHandler))
    found.push(finding('HANDLER-UNKNOWN', 'critical', { ...safe, handler: after.fallbackHandler }))
  return found
}

/** Slots that the calls change and the run does not. The nonce of a Safe whose turn has not come is assumed. */
function missing(expected: ReadonlyMap<Hex, Hex>, changes: readonly SlotChange[], input: ReviewInput): Hex[] {
  if (input.state?.nonce !== input.safeTx.nonce) return []
  const changed = new Set(changes.map(({ slot }) => lower(slot)))
  return [...expected.keys()].filter((slot) => !changed.has(slot))
}

function notChanged(slot: Hex, before: SafeConfiguration, after: SafeConfiguration): Finding {
  const named = nameSlots([], { before: { ...before, owners: [...before.owners, ...after.owners] }, hashes: [] })(slot)
  return finding('SETTINGS-NOT-CHANGED', 'medium', { holds: named?.name ?? 'unknown', of: named?.of }, { slot })
}

/** Messages that the Safe signs on the chain: the library for it, which is compared by its code elsewhere, writes them. */
function messageHashes(call: Call, { chainId, safeAddress, state }: ReviewInput): Hex[] {
  if (state === null) return []
  return flattenCalls(call).flatMap((inner) => {
    const isSigning =
      inner.operation !== 0
        ? deploymentAt(inner.to)?.kind === 'sign-message-lib'
        : signsByItself(inner) && isSame(inner.to, safeAddress)
    const bytes = argument(inner, 'data')
    if (!isSigning || !inner.name?.startsWith('signMessage') || bytes === null || !isHex(bytes)) return []
    const content = { encoding: 'RAW', bytes } as const
    return [hashSafeMessage({ chainId, safeAddress, version: domainVersion(state), content }).safeMessageHash]
  })
}

function without(list: readonly Address[], others: readonly Address[]): Address[] {
  return list.filter((one) => !others.some((other) => isSameAddress(one, other)))
}

function isSame(one: Address | null, other: Address | null): boolean {
  return one === null || other === null ? one === other : isSameAddress(one, other)
}

function lower(value: Hex): Hex {
  return value.toLowerCase() as Hex
}
