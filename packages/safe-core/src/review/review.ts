import { type Address, getAddress, isAddress, size, zeroAddress } from 'viem'
import { addressWord, assertBytes } from '../abi-word.ts'
import { type Call, describeCall, flattenCalls } from '../calldata.ts'
import { domainVersion } from '../safe-state.ts'
import { isSameAddress } from '../same-address.ts'
import { type CheckId, checkIds, findingEntry } from './catalogue.ts'
import { describeEffects } from './effects.ts'
import { reviewAddresses } from './findings/addresses.ts'
import { reviewBalances, unknownBalances } from './findings/balances.ts'
import { reviewCall } from './findings/calls.ts'
import { reviewConfiguration } from './findings/configuration.ts'
import { delegatecallTarget } from './findings/delegatecall.ts'
import { codeAt, finding } from './findings/evidence.ts'
import { computeHashes, reviewHash } from './findings/hash.ts'
import { reviewNonce } from './findings/nonce.ts'
import { reviewRefund } from './findings/refund.ts'
import { isBoundToChain, reviewSafeCode } from './findings/safe-code.ts'
import { unreadCode } from './findings/settings.ts'
import { reviewSignatures } from './findings/signatures.ts'
import { reviewTexts } from './findings/texts.ts'
import { worstFirst } from './severity.ts'
import type { Check, Finding, Review, ReviewedConfirmation, ReviewInput, Verdict } from './types.ts'

function describeTransaction({
  safeAddress,
  safeTx,
  abis,
}: Pick<ReviewInput, 'safeAddress' | 'safeTx' | 'abis'>): Call {
  const { to, value, data, operation } = safeTx
  addressWord('safeAddress', safeAddress)
  addressWord('to', to)
  assertBytes('data', data)
  return describeCall({ to, value, data, operation, safeAddress, abis: abis ?? [] })
}

/**
 * The addresses whose code a review wants to compare: what is called with data, what is run by delegatecall, and who is
 * given rights. Read them all at the block of the Safe's state.
 *
 * @example
 * const codes = await readCodes(codeTargets({ safeAddress, safeTx }), state.blockNumber)
 */
export function codeTargets(input: Pick<ReviewInput, 'safeAddress' | 'safeTx' | 'abis'>): Address[] {
  return targetsOf(flattenCalls(describeTransaction(input)))
}

function targetsOf(calls: readonly Call[]): Address[] {
  const found = new Map<string, Address>()
  const add = (address: string) => {
    const key = address.toLowerCase()
    if (!found.has(key) && isAddress(address, { strict: false }) && BigInt(address) > 1n) {
      found.set(key, getAddress(address))
    }
  }
  for (const { to, operation, data, args, kind } of calls) {
    if (operation !== 0 || size(data) > 0) add(to)
    if (kind === 'erc20-transfer' || kind === 'erc721-transfer' || kind === 'erc1155-transfer') continue
    for (const { type, value } of args) if (type === 'address') add(value)
  }
  return [...found.values()]
}

/**
 * Reviews a transaction from the bytes that will be signed. Nothing is fetched: what is missing in the input is reported
 * as not checked, and the verdict is then `cannot-verify` at best where it is essential.
 *
 * @throws CountersignError `FIELD_MALFORMED` when a field cannot be hashed: there is nothing to review then.
 *
 * @example
 * const review = await reviewSafeTx({ chainId, safeAddress, safeTx, claimedSafeTxHash, state, codes, … })
 * if (review.verdict === 'do-not-sign') show(review.findings)
 */
export async function reviewSafeTx(input: ReviewInput): Promise<Review> {
  const { hashes, again } = computeHashes(input)
  const call = describeTransaction(input)
  const calls = knownToRun(call, input)
  const byPath = new Map(calls.map((one) => [one.path.join('.'), one]))
  const { confirmations, findings: signatureFindings } = await reviewSignatures(hashes.safeTxHash, input)
  const configuration = reviewConfiguration(call, calls, input)
  const found = [
    ...reviewHash(hashes, again, input),
    ...signatureFindings,
    ...reviewSafeCode(input),
    ...calls.flatMap((one) => reviewCall(one, input)),
    ...configuration.findings,
    ...reviewBalances(calls, input),
    ...reviewRefund(input),
    ...reviewNonce(hashes.safeTxHash, input),
    ...reviewAddresses(calls, input),
    ...reviewTexts(input),
  ]
  const placedFindings = found.map((one) => placed(one, byPath))
  const missing = missingInputs(input, calls, confirmations)
  const checks = listChecks(input, missing, placedFindings)
  const findings = worstFirst([...placedFindings, ...reviewMissing(checks, missing)])
  const passed = (id: CheckId) => checks.some((check) => check.id === id && check.status === 'passed')
  const { before, after, changed } = configuration
  // Beside code that nobody knows, or bytes that nobody read, "no change" would be a guess.
  const isCertain =
    before !== null && after !== null && passed('delegatecall') && passed('encoding') && !runsAllowedCode(calls, input)
  return {
    verdict: decide(checks, findings),
    wouldFail: findings.some(({ id, severity }) => findingEntry(id).fails === 'outcome' && severity === 'high'),
    hashes,
    call,
    effects: describeEffects(call, input),
    configuration: isCertain ? { before, after, changed } : null,
    checks,
    findings,
    confirmations,
  }
}

/**
 * The calls that will run, outermost first. What unknown code does with its arguments is not known: calls inside them
 * are a story, and the finding about that code says all there is to say.
 */
function knownToRun(call: Call, input: ReviewInput): Call[] {
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

/** Code that the team allows is known to them, not to this package. */
function runsAllowedCode(calls: readonly Call[], input: ReviewInput): boolean {
  return calls.some((one) => one.operation !== 0 && delegatecallTarget(one, input) === 'allowed')
}

/** What is missing, by the check that cannot be made without it; null where there is nothing more to say about that. */
type Missing = ReadonlyMap<CheckId, string | null>

function missingInputs(
  input: ReviewInput,
  calls: readonly Call[],
  confirmations: readonly ReviewedConfirmation[],
): Missing {
  const missing = new Map<CheckId, string | null>([
    ['simulation', null],
    ['token-lists', null],
    ['contract-age', null],
  ])
  const need = (id: CheckId, what: string, isMissing: boolean) => {
    if (isMissing && !missing.has(id)) missing.set(id, what)
  }
  const { state } = input
  for (const id of ['hash', 'state', 'singleton', 'proxy', 'signatures', 'settings', 'nonce', 'outcome'] as const)
    need(id, 'state', state === null)
  need('singleton', 'state.reportedVersion', state !== null && state.version !== null && state.reportedVersion === null)
  need('proxy', 'state.isOfficialProxy', typeof state?.isOfficialProxy !== 'boolean')
  const unread = calls.filter((one) => one.operation !== 0 && delegatecallTarget(one, input) === 'unread')
  const unreadLibraries = [...unread.map(({ to }) => to), ...unreadCode(calls, input.codes)]
  need('delegatecall', `codes ${listed(unreadLibraries)}`, unreadLibraries.length > 0)
  const unreadCodes = targetsOf(calls).filter((address) => codeAt(input.codes, address) === undefined)
  need('code', `codes ${listed(unreadCodes)}`, unreadCodes.length > 0)
  const unreadBalances = unknownBalances(calls, input)
  need('outcome', `balances ${listed(unreadBalances)}`, unreadBalances.length > 0)
  need('chain-id', 'nodeChainId', typeof input.nodeChainId !== 'number')
  need('domain', missingOfDomain(input) ?? '', missingOfDomain(input) !== null)
  need('chain-hash', 'chainSafeTxHash', typeof input.chainSafeTxHash !== 'string')
  // A signature that only the chain can tell of has a finding of its own.
  const isOpen = confirmations.some(({ status }) => status === 'not-checked')
  if (isOpen && !missing.has('signatures')) missing.set('signatures', null)
  if (input.sources === 'server-only') missing.set('second-source', null)
  return missing
}

/** A batch can name hundreds. */
function listed(addresses: readonly string[]): string {
  const some = [...new Set(addresses)]
  return some.length > 10 ? `${some.slice(0, 10).join(', ')}, …` : some.join(', ')
}

/** Silence about what was not looked at would look like a good sign. */
function reviewMissing(checks: readonly Check[], missing: Missing): Finding[] {
  return checks.flatMap(({ id, status }) => {
    const input = missing.get(id)
    if (status !== 'not-checked' || typeof input !== 'string') return []
    return [finding('INPUT-MISSING', checkIds[id] === 'essential' ? 'medium' : 'info', { check: id, input })]
  })
}

/** Before 1.3.0 it takes two facts to tell that a signature holds on this chain alone. */
function missingOfDomain({ state, storedDomainHash, otherChains }: ReviewInput): string | null {
  if (state === null) return 'state'
  if (isBoundToChain(domainVersion(state))) return null
  if (typeof storedDomainHash !== 'string') return 'storedDomainHash'
  return otherChains?.every(({ hasCode }) => hasCode !== null) === true ? null : 'otherChains'
}

function listChecks(input: ReviewInput, missing: Missing, findings: readonly Finding[]): Check[] {
  const failed = new Set<CheckId>()
  for (const { id, severity } of findings) {
    const { fails, failsAtWorst, severities } = findingEntry(id)
    const check = fails ?? (severity === severities[0] ? failsAtWorst : undefined)
    if (check !== undefined) failed.add(check)
  }
  if (input.state !== null && !isStateOf(input)) failed.add('state')
  return (Object.keys(checkIds) as CheckId[]).map((id) => ({
    id,
    status: failed.has(id) ? 'failed' : missing.has(id) ? 'not-checked' : 'passed',
  }))
}

/** The state must be that of this Safe on this chain, or everything compared with it means nothing. */
function isStateOf({ state, chainId, safeAddress }: ReviewInput): boolean {
  return (
    state !== null &&
    state.chainId === chainId &&
    isSameAddress(state.address, safeAddress) &&
    state.singleton !== zeroAddress
  )
}

function decide(checks: readonly Check[], findings: readonly Finding[]): Verdict {
  if (findings.some(({ severity }) => severity === 'critical')) return 'do-not-sign'
  const isComplete = checks.every(
    ({ id, status }) =>
      status === 'passed' || checkIds[id] === 'outcome' || (status === 'not-checked' && checkIds[id] !== 'essential'),
  )
  return isComplete ? 'matches' : 'cannot-verify'
}
