import { isSameAddress } from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import { type CheckId, checkIds, findingEntry } from '../catalogue.ts'
import type { MissingOfKind } from '../checks.ts'
import { effectsByRun, outcomeOf } from '../effects/effects-by-run.ts'
import { observeEffects, withSlots } from '../effects/observed-effects.ts'
import { describeEffects } from '../effects.ts'
import { agingContracts } from '../facts/contracts/code-ages.ts'
import { reviewAddresses } from '../findings/addresses/addresses.ts'
import { reviewFamiliarity } from '../findings/addresses/familiarity.ts'
import { reviewBalances, unknownBalances } from '../findings/assets/balances.ts'
import { reviewRefund } from '../findings/assets/refund.ts'
import { isNamedByOthers, reviewCall } from '../findings/calls/calls.ts'
import { delegatecallTarget } from '../findings/calls/delegatecall.ts'
import { reviewDeclaredEffects } from '../findings/declared-effects.ts'
import { codeAt, withEvidence } from '../findings/make-finding.ts'
import { reviewTexts } from '../findings/messages/texts.ts'
import { reviewSize } from '../findings/oversized.ts'
import { reviewRecipients } from '../findings/safe/accounts.ts'
import { reviewConfiguration } from '../findings/safe/configuration.ts'
import { unreadCode } from '../findings/safe/settings.ts'
import { reviewEnough } from '../findings/signatures/enough.ts'
import { computeHashes, reviewHash } from '../findings/signatures/hash.ts'
import { reviewNonce } from '../findings/signatures/nonce.ts'
import { callsMadeIn } from '../findings/simulation/calls-made.ts'
import { executedRun, wholeRun } from '../findings/simulation/finished.ts'
import { reviewSimulation } from '../findings/simulation/simulation.ts'
import { configurationByRun } from '../findings/simulation/slots.ts'
import type { ReviewInput } from '../input.ts'
import { hasApprovals, hasUnresolved } from '../nested.ts'
import { isVouched } from '../provenance.ts'
import { allTokensMoved, describeTransaction, targetsOf } from '../targets.ts'
import { listedToken } from '../tokens/listed-tokens.ts'
import type { Check, Finding, Review } from '../types.ts'
import { hasPolicy, type Reading } from './reading.ts'

/** Reads a transaction: its ten fields, and the whole tree of its calls. */
export async function readTransaction(
  input: ReviewInput,
): Promise<Reading<Pick<Review, 'kind' | 'hashes' | 'call' | 'effects' | 'observed' | 'configuration'>>> {
  const policy = hasPolicy(input) ? await import('../policy.ts') : null
  const { hashes, again } = computeHashes(input)
  const call = describeTransaction(input)
  const isHeld = policy?.isFreeOfPolicy(call, input) === false
  const calls = knownToRun(call, input)
  const ofOthers = calls.some(isNamedByOthers) ? await import('../findings/calls/described.ts') : null
  const byPath = new Map(calls.map((call) => [call.path.join('.'), call]))
  const configuration = reviewConfiguration(call, calls, input)
  const ofCalls = [
    ...calls.flatMap((inner) => [
      ...reviewCall(inner, input),
      ...(isNamedByOthers(inner) ? (ofOthers?.reviewDescribed(inner, input) ?? []) : []),
    ]),
    ...configuration.findings,
    ...reviewBalances(calls, input),
    ...reviewRefund(input),
    ...reviewNonce(hashes.safeTxHash, input),
    ...reviewAddresses(calls, input),
    ...reviewRecipients(calls, input),
    ...reviewFamiliarity(calls, input),
    ...reviewTexts(input),
  ]
  const { before, after } = configuration
  const observed = observeEffects({ call, configuration: null }, input)
  const story = { call, safeTxHash: hashes.safeTxHash, before, after, observed, findings: ofCalls }
  // Bytes are no reason why a run fails: what it says is told beside them.
  const found = [...withOutcome(ofCalls, byPath, input), ...reviewSimulation(story, input), ...reviewSize(input)]
  const ofContent = policy ? policy.applyPolicy(found, call, input) : found
  const byRun = configurationByRun(configuration, input)
  const toReview = (checks: readonly Check[]) => {
    const certain =
      before !== null && byRun !== null
        ? { before, after: byRun, changed: JSON.stringify(before) !== JSON.stringify(byRun) }
        : certainByCalls(configuration, checks, calls, input)
    const run = executedRun(input)
    return {
      kind: 'transaction' as const,
      hashes,
      call,
      effects: describeEffects(call, input),
      observed: (run && effectsByRun(run, input.safeAddress)) ?? withSlots(observed, certain, input),
      configuration: certain,
    }
  }
  return {
    hash: hashes.safeTxHash,
    checks: checksOf(input, calls, isHeld),
    failing: failingOf(input),
    ofHash: reviewHash(hashes, again, input),
    ofContent: ofContent.map((known) => withActor(placed(known, byPath), byPath, input)),
    confirmations: input.confirmations,
    missing: [...missingInputs(input, calls), ...(isHeld ? policy.missingOfPolicy(input) : [])],
    later: async (review) => [
      ...(await reviewDeclaredEffects(review, hashes.safeTxHash, input)),
      ...(await reviewEnough(byRun ?? after, input)),
    ],
    toReview,
  }
}

/** The settings by the calls alone. Beside code that nobody knows, or bytes that nobody read, they would be a guess. */
function certainByCalls(
  { before, after, changed }: ReturnType<typeof reviewConfiguration>,
  checks: readonly Check[],
  calls: readonly Call[],
  input: ReviewInput,
): Review['configuration'] {
  const passed = (id: CheckId) => checks.some((check) => check.id === id && check.status === 'passed')
  const isCertain = passed('delegatecall') && passed('encoding') && !runsAllowedCode(calls, input)
  return isCertain && before !== null && after !== null ? { before, after, changed } : null
}

/**
 * Says of each ordinary call that nobody could read what the whole does, where a run has made that call: see `wayAfterRun`.
 * One that is only put down for later, in a timelock or a proposal, is shown by no run.
 */
function withOutcome(found: readonly Finding[], byPath: ReadonlyMap<string, Call>, input: ReviewInput): Finding[] {
  const run = input.simulation?.crossCheck.status === 'agrees' ? wholeRun(input) : null
  if (run === null) return [...found]
  const isMade = callsMadeIn(run)
  return found.map((known) => {
    const { wayAfterRun } = findingEntry(known.id)
    const call = byPath.get(known.where.call?.join('.') ?? '')
    if (wayAfterRun === undefined || call?.operation !== 0 || !isMade(call)) return known
    if (known.id === 'DECODE-NONCANONICAL' && !isTagged(call, input)) return known
    return withEvidence(known, { outcome: outcomeOf(run, input.safeAddress) })
  })
}

/**
 * Wallets and partners put bytes behind the arguments, such as who referred a swap. Nothing else is unusual about the call,
 * and it is none of the Safe's own functions.
 */
function isTagged({ to, issues }: Call, { safeAddress }: ReviewInput): boolean {
  return !isSameAddress(to, safeAddress) && issues.every(({ id }) => id === 'trailing-bytes')
}

/** Those that apply: what a payment of native coin has nothing of is neither passed nor left out. */
function checksOf(input: ReviewInput, calls: readonly Call[], isHeld: boolean): CheckId[] {
  const { state, safeTx } = input
  const isOver = state !== null && safeTx.nonce < state.nonce
  const applies: Partial<Record<CheckId, boolean>> = {
    policy: isHeld,
    nested: hasApprovals(input),
    // A transaction that can never be executed does nothing.
    simulation: !isOver,
    'token-lists': allTokensMoved(input).length > 0,
    // A Safe that is not on the chain yet answers nothing.
    'chain-hash': state?.creation === undefined,
    'creation-code': false,
    'creation-address': false,
    'creation-elsewhere': false,
    'contract-age': calls.some(({ data }) => data !== '0x'),
  }
  return (Object.keys(checkIds) as CheckId[]).filter((id) => applies[id] !== false)
}

/** Returns the checks that fail because of the calls themselves. Findings cover only some of these cases. */
function failingOf(input: ReviewInput): CheckId[] {
  const isUnlisted = allTokensMoved(input).some((token) => listedToken(input.tokens, token) === undefined)
  return [...(isUnlisted ? (['token-lists'] as const) : []), ...(hasUnresolved(input) ? (['nested'] as const) : [])]
}

/**
 * The calls that will run, outermost first. What unknown code does with its arguments is not known: calls inside them
 * are a story, and the finding about that code says all there is to say.
 */
export function knownToRun(call: Call, input: ReviewInput): Call[] {
  if (call.operation !== 0 && delegatecallTarget(call, input) === 'unknown') return [call]
  return [call, ...(call.calls ?? []).flatMap((inner) => knownToRun(inner, input))]
}

/** Bytes of a call as bytes of the transaction's data; those of the whole call where a finding names none. */
function placed(found: Finding, byPath: ReadonlyMap<string, Call>): Finding {
  const path = found.where.call
  if (path === undefined || (path.length === 0 && found.where.bytes === undefined)) return found
  let start = 0
  let length = 0
  for (let depth = 1; depth <= path.length; depth++) {
    const range = byPath.get(path.slice(0, depth).join('.'))?.range
    if (range === null || range === undefined) return found
    start += range.start
    length = range.end - range.start
  }
  const { bytes = { start: 0, end: length } } = found.where
  return { ...found, where: { ...found.where, bytes: { start: start + bytes.start, end: start + bytes.end } } }
}

/** Whether the code that runs as the Safe is from an official release. */
function isKnownCode(call: Call, input: ReviewInput): boolean {
  return delegatecallTarget(call, input) === 'library'
}

/** Adds the acting account to a finding if the Safe makes another account act. */
function withActor(known: Finding, byPath: ReadonlyMap<string, Call>, { safeAddress }: ReviewInput): Finding {
  const from = byPath.get(known.where.call?.join('.') ?? '')?.from
  if (from === undefined || isSameAddress(from, safeAddress)) return known
  return withEvidence(known, { actor: from })
}

/** Code that the team allows is known to them, not to this package. */
function runsAllowedCode(calls: readonly Call[], input: ReviewInput): boolean {
  return calls.some((call) => call.operation !== 0 && delegatecallTarget(call, input) === 'allowed')
}

function missingInputs(input: ReviewInput, calls: readonly Call[]): MissingOfKind {
  const { state, codes = {} } = input
  const missing: [CheckId, string | null][] = []
  const need = (id: CheckId, what: string, isMissing: boolean) => {
    if (isMissing) missing.push([id, what])
  }
  for (const id of ['settings', 'nonce', 'outcome'] as const) need(id, 'state', state === null)
  // Unknown code can change every setting, and only a simulation shows which.
  const isUnknown = calls.some((call) => call.operation !== 0 && !isKnownCode(call, input))
  if (isUnknown && executedRun(input) === null) missing.push(['settings', null])
  const unread = calls.filter((call) => call.operation !== 0 && delegatecallTarget(call, input) === 'unread')
  const unreadLibraries = [...unread.map(({ to }) => to), ...unreadCode(calls, codes)]
  need('delegatecall', `codes ${listed(unreadLibraries)}`, unreadLibraries.length > 0)
  const unreadCodes = targetsOf(calls).filter((address) => codeAt(codes, address) === undefined)
  need('code', `codes ${listed(unreadCodes)}`, unreadCodes.length > 0)
  const aging = agingContracts(input)
  const unreadAges = aging.filter((contract) => input.codeAges?.[contract.toLowerCase()] === undefined)
  // Nobody proves an age: one node's word passes the check only where one node is enough.
  const isTold = unreadAges.length === 0 && (aging.length === 0 || isVouched('codeAges', input.provenance))
  if (!isTold) missing.push(['contract-age', null])
  need('addresses', 'paid', input.paid === null || input.isPaidWhole === false)
  const unreadBalances = unknownBalances(calls, input)
  need('outcome', `balances ${listed(unreadBalances)}`, unreadBalances.length > 0)
  need('simulation', state === null ? 'state' : 'simulation', !input.simulation)
  need('chain-hash', 'chainSafeTxHash', typeof input.chainSafeTxHash !== 'string')
  return missing
}

/** A batch can name hundreds. */
function listed(addresses: readonly string[]): string {
  const some = [...new Set(addresses)]
  return some.length > 10 ? `${some.slice(0, 10).join(', ')}, …` : some.join(', ')
}
