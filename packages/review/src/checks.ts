import { isBoundToChain, isSameAddress } from '@countersign/safe'
import { zeroAddress } from 'viem'
import { type CheckId, checkIds } from './catalogue.ts'
import { failedCheck } from './decide.ts'
import { finding } from './findings/make-finding.ts'
import type { ReviewInput, SubjectInput } from './input.ts'
import { gradeFacts, hasEnoughSources } from './provenance.ts'
import type { Check, CheckScope, Finding, ReviewedConfirmation } from './types.ts'

/** Missing facts, by the check that cannot be made without them; null where no detail is known. */
export type Missing = ReadonlyMap<CheckId, string | null>

/** The inputs that a subject of its own kind lacks, in the order of its checks. The first of a check is named. */
export type MissingOfKind = readonly (readonly [check: CheckId, what: string | null])[]

/** The missing inputs, whatever is reviewed, and what this kind lacks besides. */
export function missingInputs(
  input: SubjectInput,
  confirmations: readonly ReviewedConfirmation[],
  ofKind: MissingOfKind,
): Missing {
  const missing = new Map<CheckId, string | null>()
  const need = (id: CheckId, what: string | null, isMissing = true) => {
    if (isMissing && !missing.has(id)) missing.set(id, what)
  }
  const { state } = input
  for (const id of ['hash', 'state', 'singleton', 'proxy', 'signatures'] as const) need(id, 'state', state === null)
  need('singleton', 'state.reportedVersion', state !== null && state.version !== null && state.reportedVersion === null)
  const ofDomain = missingOfDomain(input)
  need('domain', ofDomain, ofDomain !== null)
  need('chain-id', 'nodeChainId', typeof input.nodeChainId !== 'number')
  for (const [id, what] of ofKind) need(id, what)
  // A signature that only the chain can tell of has a finding of its own.
  need(
    'signatures',
    null,
    confirmations.some(({ status }) => status === 'not-checked'),
  )
  const grade = gradeFacts(input)
  need('second-source', null, !hasEnoughSources(grade, input.provenance))
  return missing
}

/** Before 1.3.0 it takes two facts to tell that a signature holds on this chain alone. */
function missingOfDomain({ state, storedDomainHash, otherChains }: SubjectInput): string | null {
  if (state === null) return 'state'
  if (isBoundToChain(state)) return null
  if (typeof storedDomainHash !== 'string') return 'storedDomainHash'
  return otherChains?.every(({ safe }) => safe !== 'unanswered') === true ? null : 'otherChains'
}

/** Returns the results of the checks for this kind of subject. `failing`: checks that fail without a finding. */
export function listChecks(
  { checks: ids, failing = [] }: { checks: readonly CheckId[]; failing?: readonly CheckId[] | undefined },
  input: SubjectInput,
  missing: Missing,
  { findings, confirmations }: { findings: readonly Finding[]; confirmations: readonly ReviewedConfirmation[] },
): Check[] {
  const failed = new Set<CheckId>(failing)
  for (const finding of findings) {
    const check = failedCheck(finding)
    if (check !== undefined) failed.add(check)
  }
  if (input.state !== null && !isStateOf(input)) failed.add('state')
  const { contradicting = [], ahead = [] } = input.provenance ?? {}
  if (contradicting.length + ahead.length > 0) failed.add('second-source')
  const scopes = scopesOf(input, confirmations)
  return ids.map((id) => {
    if (failed.has(id)) return { id, status: 'failed' }
    if (missing.has(id)) return { id, status: 'not-checked' }
    const scope = scopes[id]
    return scope === undefined ? { id, status: 'passed' } : { id, status: 'passed', scope }
  })
}

/** Returns the scope of each check that proved less than its full label states. */
function scopesOf(
  input: SubjectInput,
  confirmations: readonly ReviewedConfirmation[],
): Partial<Record<CheckId, CheckScope>> {
  const { state, claimedHash } = input
  const scopes: Partial<Record<CheckId, CheckScope | undefined>> = {
    hash: claimedHash === null ? 'unclaimed' : undefined,
    state: state?.creation === undefined ? undefined : 'undeployed',
    signatures: scopeOfSignatures(confirmations),
    domain: state === null || isBoundToChain(state) ? undefined : 'configured',
    'second-source': gradeFacts(input) === 'proved' ? undefined : 'one-node',
    simulation: input.kind === 'transaction' ? scopeOfRun(input) : undefined,
  }
  return Object.fromEntries(Object.entries(scopes).filter(([, scope]) => scope !== undefined))
}

function scopeOfSignatures(confirmations: readonly ReviewedConfirmation[]): CheckScope | undefined {
  const counted = confirmations.filter(({ status }) => status === 'valid').length
  if (confirmations.length === 0) return 'none'
  if (counted === 0) return 'none-counts'
  return counted < confirmations.length ? 'some' : undefined
}

/** Returns the scope of the simulation: confirmed by a node, not confirmed by any, or run by a node only. */
function scopeOfRun({ simulation }: ReviewInput): CheckScope | undefined {
  if (simulation?.result.status !== 'finished') return 'by-node'
  return simulation.crossCheck.status === 'agrees' ? undefined : 'unasked'
}

/** The state must be that of this Safe on this chain, or everything compared with it means nothing. */
function isStateOf({ state, chainId, safeAddress }: SubjectInput): boolean {
  return (
    state !== null &&
    state.chainId === chainId &&
    isSameAddress(state.address, safeAddress) &&
    state.singleton !== zeroAddress
  )
}

/** Silence about what was not looked at would look like a good sign. */
export function reviewMissing(checks: readonly Check[], missing: Missing): Finding[] {
  return checks.flatMap(({ id, status }) => {
    const input = missing.get(id)
    if (status !== 'not-checked' || typeof input !== 'string') return []
    return [finding('INPUT-MISSING', checkIds[id] === 'essential' ? 'medium' : 'info', { check: id, input })]
  })
}
