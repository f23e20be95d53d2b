import { isSameAddress, type MessageTypedData } from '@countersign/safe'
import { zeroAddress } from 'viem'
import type { Finding } from '../../types.ts'
import { finding } from '../make-finding.ts'
import { type PermittedAsset, readCancellation, readPermit, resemblesPermit } from './permits.ts'
import { reviewText } from './texts.ts'

const where = { field: 'message' } as const
const readable = { maxLength: 32_768, allowed: '\n\t' }
/** Deeper or wider than this no honest typed data is; what is beyond is not looked at, and that is said. */
const MAX_VALUES = 20_000
const MAX_TEXTS = 20

/**
 * Types whose signature is a transaction of the Safe: of the Safe itself, of its ERC-4337 module, of modules that take
 * signatures (Zodiac), of an account by ERC-4337.
 */
const transactions = new Set([
  'SafeTx',
  'SafeMessage',
  'SafeOp',
  'EncodedSafeOpStruct',
  'ModuleTx',
  'UserOperation',
  'PackedUserOperation',
])

/**
 * Words in the name of a type whose signature alone moves assets, lets somebody take them, or lets somebody act: ERC-20
 * and ERC-721 permits, Permit2, orders of exchanges, credit delegation, ERC-3009, ERC-7683, ERC-2771, delegated accounts.
 */
const gives =
  /permit|authori[sz]|delegat|allow|approv|transfer|withdraw|order|intent|swap|trade|bid|offer|listing|claim|burn|session|forward|metatransaction|spend|operator|loan|borrow|redeem|execut|batch|call/i

/** Sites that count what they ask for themselves, and what they ask for that gives nothing away. */
const familiar: { domain: string; types: readonly string[] }[] = [
  { domain: 'snapshot', types: ['Vote', 'Proposal', 'Follow', 'Unfollow', 'Subscribe', 'Unsubscribe', 'Statement'] },
]

/** The fields that these types have at those sites, each of one plain value or a list of them. Another one may be anything. */
const familiarFields = new Set([
  'from',
  'space',
  'network',
  'timestamp',
  'proposal',
  'choice',
  'reason',
  'app',
  'metadata',
  'type',
  'title',
  'body',
  'discussion',
  'choices',
  'labels',
  'start',
  'end',
  'snapshot',
  'plugins',
  'privacy',
  'about',
  'statement',
  'discourse',
  'status',
])

const plainType = /^(?:address|bool|string|bytes32|u?int\d*)(?:\[\])?$/

/** Typed data: a transaction in disguise, a right that is given away, or something that nobody knows. */
export function reviewTypedData(typedData: MessageTypedData): Finding[] {
  const findings: Finding[] = []
  const { types, domain } = typedData
  const { values, isWhole } = valuesOfTypedData(typedData.message)
  const around = valuesOfTypedData([domain, types])
  if (!isWhole || !around.isWhole) {
    findings.push(finding('DECODE-BUDGET', 'critical', { places: MAX_VALUES }, where))
  }
  const kind = kindOfTypedData(typedData)
  if (kind.of === 'transaction') findings.push(finding('MSG-IS-TX', 'critical', { primaryType: kind.type }, where))
  else if (kind.of === 'right') {
    findings.push(...(reviewKnownForm(typedData) ?? [reviewUnknownRight(typedData, values)]))
  } else if (kind.of === 'unknown') {
    findings.push(
      finding('TYPED-DATA-UNKNOWN', 'high', { ...signedBy(typedData), ...partiesOf(values, typedData) }, where),
    )
  }
  const texts: Finding[] = []
  const names = Object.keys(types).map((type) => ({ name: 'type', value: type }))
  for (const { name, value } of [...around.values, ...names, ...values]) {
    if (texts.length >= MAX_TEXTS) break
    texts.push(...reviewText(value, 'high', where, { name }, readable))
  }
  return [...findings, ...texts]
}

type Kind = { of: 'transaction'; type: string } | { of: 'right' | 'familiar' | 'unknown' }

/** The purpose of typed data, by the names of its types and of their fields. What is inside counts as what is outside. */
export function kindOfTypedData({ primaryType, types, domain }: MessageTypedData): Kind {
  const structs = Object.entries(types).filter(([type]) => type !== 'EIP712Domain')
  // A type can be named without being declared: then it is the one that is signed.
  const named = [primaryType, ...structs.map(([type]) => type)]
  const transaction =
    named.find((type) => transactions.has(type)) ?? structs.find(([, fields]) => isTransaction(namesOf(fields)))?.[0]
  if (transaction !== undefined) return { of: 'transaction', type: transaction }
  const isGiving = named.some((type) => gives.test(type)) || structs.some(([, fields]) => isRight(namesOf(fields)))
  if (isGiving || resemblesPermit({ primaryType, types })) return { of: 'right' }
  const isPlain = (field: { type?: unknown }) => typeof field?.type === 'string' && plainType.test(field.type)
  const isMore = structs.some(
    ([, fields]) =>
      [...namesOf(fields)].some((name) => !familiarFields.has(name)) ||
      (Array.isArray(fields) && !fields.every(isPlain)),
  )
  // A name that the domain's own type does not declare is not signed; a further field binds it to something else.
  const signed: unknown = types.EIP712Domain
  const isBound =
    !Array.isArray(signed) ||
    !namesOf(signed).has('name') ||
    !signed.every((field) => field?.type === 'string' && (field.name === 'name' || field.name === 'version')) ||
    ['chainId', 'verifyingContract', 'salt'].some((name) => domain[name] !== undefined)
  const isFamiliar = familiar.some(
    ({ domain: name, types: known }) => !isBound && !isMore && domain.name === name && known.includes(primaryType),
  )
  return { of: isFamiliar ? 'familiar' : 'unknown' }
}

/** Fields by which a call is made in the name of who signs, or code is given to their account (EIP-7702). */
function isTransaction(names: ReadonlySet<string>): boolean {
  const has = (...all: string[]) => all.every((name) => names.has(name))
  return has('to', 'data', 'operation') || has('callData', 'nonce') || has('chainId', 'address', 'nonce')
}

/** Fields by which somebody gets an amount. */
function isRight(names: ReadonlySet<string>): boolean {
  const has = (...some: string[]) => some.some((name) => names.has(name))
  return has('spender', 'operator', 'delegate', 'delegatee') && has('amount', 'value', 'allowed', 'approved')
}

function namesOf(fields: unknown): Set<string> {
  return new Set(Array.isArray(fields) ? fields.map((field: { name: string }) => field.name) : [])
}

/** More are not named. */
const MAX_ACCOUNTS = 3
/** Maximum number of findings for single assets. One finding covers the rest without naming them. */
const MAX_ASSETS = 20
const DIGITS = /^[0-9]+$/

/** Reviews a permit, an order or a cancellation of a known form: one finding for each asset. Null if the form is not known. */
function reviewKnownForm(typedData: MessageTypedData): Finding[] | null {
  const signed = signedBy(typedData)
  const cancelled = readCancellation(typedData)
  if (cancelled !== null)
    return [finding('PERMIT-REVOKE', 'high', { ...signed, ...cancelled, case: 'cancellation' }, where)]
  const permit = readPermit(typedData)
  if (permit === null) return null
  const [spender, receiver] = [permit.spender, permit.receiver].map((account) => account && [account])
  const contract = textOf(typedData.domain.verifyingContract)
  const verifierOf = (token: string) => (contract !== null && isSameAddress(token, contract) ? undefined : contract)
  const reviewAsset = ({ token, amount, deadline }: PermittedAsset) => {
    const verifier = verifierOf(token)
    if (permit.isAllowance && amount === 0n)
      return finding('PERMIT-REVOKE', 'high', { ...signed, spender, token, verifier }, where)
    const stated = amount === null ? null : { text: String(amount), asset: token }
    const latest = deadline === null ? null : String(deadline)
    const right = { ...signed, spender, receiver, token, verifier, amount: stated, deadline: latest }
    return finding('PERMIT-SIGN', 'high', right, where)
  }
  const found = permit.assets.slice(0, MAX_ASSETS).map(reviewAsset)
  if (permit.assets.length <= MAX_ASSETS) return found
  return [...found, finding('PERMIT-SIGN', 'high', { ...signed, spender, receiver, verifier: contract }, where)]
}

/** Reviews a right of an unknown form. If it resembles a known form, the finding says so. */
function reviewUnknownRight(typedData: MessageTypedData, values: readonly Named[]): Finding {
  const kind = resemblesPermit(typedData) ? 'resembles' : undefined
  const named = partiesOf(values, typedData)
  return finding('PERMIT-SIGN', 'high', { ...signedBy(typedData), ...named, case: kind }, where)
}

function signedBy({ primaryType, domain }: MessageTypedData) {
  return { primaryType, domain: textOf(domain.name) }
}

/**
 * Finds the spender, the receiver, the token, the amount and the expiry anywhere in typed data of an unknown form. Lists at most
 * MAX_ACCOUNTS accounts, and the latest expiry. The token and the amount are named only if there is at most one of each, because
 * nothing shows which of several the contract reads.
 */
function partiesOf(values: readonly Named[], { domain }: MessageTypedData) {
  const named = (...names: string[]) => values.filter(({ name }) => names.includes(name)).map(({ value }) => value)
  const verifier = textOf(domain.verifyingContract)
  const tokens = named('token', 'sellToken', 'makerToken')
  const amounts = named('amount', 'value', 'sellAmount', 'makerAmount')
  const isOne = tokens.length <= 1 && amounts.length <= 1
  const token = isOne ? tokens[0] : undefined
  return {
    spender: listAccounts(named('spender', 'operator', 'delegatee', 'delegate', 'authorized', 'taker')),
    receiver: listAccounts(named('to', 'receiver', 'destination')),
    token,
    verifier: token === verifier ? undefined : verifier,
    amount: isOne && amounts[0] !== undefined ? { text: amounts[0], asset: token ?? null } : null,
    deadline: latestOf(named('deadline', 'sigDeadline', 'expiration', 'expiry', 'validTo', 'validBefore')),
  }
}

/** Lists every account once. The zero address stands for anyone and is named alone. Undefined: none, or too many to name. */
function listAccounts(accounts: readonly string[]): readonly string[] | undefined {
  const different = [...new Map(accounts.map((account) => [account.toLowerCase(), account])).values()]
  if (different.length > MAX_ACCOUNTS) return undefined
  if (different.includes(zeroAddress)) return [zeroAddress]
  return different.some((account) => account !== '') ? different : undefined
}

function latestOf(times: readonly string[]): string | undefined {
  if (times.length < 2) return times[0]
  if (!times.every((time) => DIGITS.test(time))) return undefined
  return times.reduce((latest, time) => (BigInt(time) > BigInt(latest) ? time : latest))
}

type Named = { name: string; value: string }

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : null
}

/** The values inside, with the names of their fields, as far as is looked. No recursion, so that no depth is too deep. */
export function valuesOfTypedData(message: unknown): { values: Named[]; isWhole: boolean } {
  const values: Named[] = []
  const waiting: { name: string; value: unknown }[] = [{ name: '', value: message }]
  for (let seen = 0; seen < MAX_VALUES; seen++) {
    const next = waiting.pop()
    if (next === undefined) break
    const { name, value } = next
    const text = typeof value === 'boolean' ? String(value) : textOf(value)
    if (text !== null) values.push({ name, value: text })
    else if (Array.isArray(value)) for (const inner of value.toReversed()) waiting.push({ name, value: inner })
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value).toReversed()) waiting.push({ name: key, value: inner })
    }
  }
  return { values, isWhole: waiting.length === 0 }
}
