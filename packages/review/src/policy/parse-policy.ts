import { fail, HIDDEN_CHARACTER, showValue } from '@countersign/safe'
import { type Address, getAddress, type Hex, isAddress, isHex, zeroAddress, zeroHash } from 'viem'
import {
  type AllowEntry,
  allowEntryKinds,
  type PolicyPlace,
  type RequiredReviewer,
  type TeamPolicy,
} from './team-policy.ts'

/** Bounds of a policy: characters of its text, and how much of each it holds. */
export const POLICY_BOUNDS = {
  length: 131_072,
  allowed: 100,
  refundLimits: 20,
  amountLimits: 50,
  reviewers: 20,
  recipients: 1_000,
  name: 60,
  reason: 280,
  /** Seconds: ten years. */
  period: 315_360_000,
} as const

const MAX_NUMBER = 1_000_000

type Fields = Record<string, unknown>

function malformed(field: string, value: unknown): Error {
  return fail('POLICY_MALFORMED', { reason: 'field', field, value: showValue(value) })
}

/** Exactly these fields: what nobody signs is not there. */
function fieldsOf<Name extends string>(at: string, value: unknown, names: readonly Name[]): Record<Name, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed(at, value)
  const fields = value as Fields
  for (const name of Object.keys(fields))
    if (!names.some((other) => other === name)) throw malformed(`${at}.${name}`, name)
  for (const name of names) if (!Object.hasOwn(fields, name)) throw malformed(`${at}.${name}`, undefined)
  return fields as Record<Name, unknown>
}

function listOf<Item>(at: string, value: unknown, limit: number, read: (at: string, item: unknown) => Item): Item[] {
  if (!Array.isArray(value)) throw malformed(at, value)
  if (value.length > limit) throw fail('POLICY_MALFORMED', { reason: 'many', field: at, count: value.length, limit })
  return value.map((item, index) => read(`${at}[${index}]`, item))
}

function addressOf(at: string, value: unknown): Address {
  if (typeof value !== 'string' || !isAddress(value, { strict: false })) throw malformed(at, value)
  const address = getAddress(value)
  if (address !== value) throw malformed(at, value)
  return address
}

function accountOf(at: string, value: unknown): Address {
  const address = addressOf(at, value)
  if (address === zeroAddress) throw malformed(at, value)
  return address
}

function bytesOf(at: string, value: unknown, size: number): Hex {
  if (!isHex(value) || value.length !== 2 + 2 * size || value !== value.toLowerCase()) throw malformed(at, value)
  return value
}

function amountOf(at: string, value: unknown): bigint {
  if (typeof value !== 'string' || !/^(?:0|[1-9]\d{0,77})$/.test(value)) throw malformed(at, value)
  const amount = BigInt(value)
  if (amount >= 2n ** 256n) throw malformed(at, value)
  return amount
}

function numberOf(at: string, value: unknown, limit: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > limit)
    throw malformed(at, value)
  return value
}

function flagOf(at: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw malformed(at, value)
  return value
}

function textOf(at: string, value: unknown, limit: number): string {
  const isText = typeof value === 'string' && value.length <= limit && value === value.trim()
  if (!isText || HIDDEN_CHARACTER.test(value) || /\p{Surrogate}/u.test(value)) throw malformed(at, value)
  return value
}

const entryFields = [
  'kind',
  'address',
  'codeHash',
  'implementation',
  'implementationCodeHash',
  'selector',
  'name',
] as const

function entryOf(at: string, value: unknown): AllowEntry {
  const fields = fieldsOf(at, value, entryFields)
  const kind = allowEntryKinds.find((kind) => kind === fields.kind)
  if (kind === undefined) throw malformed(`${at}.kind`, fields.kind)
  const isDelegatecall = kind === 'delegatecall'
  if ((fields.selector === null) === isDelegatecall) throw malformed(`${at}.selector`, fields.selector)
  if ((fields.implementation === null) !== (fields.implementationCodeHash === null))
    throw malformed(`${at}.implementationCodeHash`, fields.implementationCodeHash)
  const name = textOf(`${at}.name`, fields.name, POLICY_BOUNDS.name)
  if (name === '') throw malformed(`${at}.name`, name)
  const hashOf = (field: 'codeHash' | 'implementationCodeHash') => {
    const hash = bytesOf(`${at}.${field}`, fields[field], 32)
    if (hash === zeroHash) throw malformed(`${at}.${field}`, hash)
    return hash
  }
  return {
    kind,
    address: accountOf(`${at}.address`, fields.address),
    codeHash: hashOf('codeHash'),
    implementation: fields.implementation === null ? null : accountOf(`${at}.implementation`, fields.implementation),
    implementationCodeHash: fields.implementationCodeHash === null ? null : hashOf('implementationCodeHash'),
    selector: isDelegatecall ? bytesOf(`${at}.selector`, fields.selector, 4) : null,
    name,
  }
}

function reviewerOf(at: string, value: unknown): RequiredReviewer {
  const fields = fieldsOf(at, value, ['reviewer', 'asset', 'above'])
  const asset = fields.asset === null ? null : addressOf(`${at}.asset`, fields.asset)
  const above = amountOf(`${at}.above`, fields.above)
  if (asset === null && above !== 0n) throw malformed(`${at}.above`, above)
  return { reviewer: accountOf(`${at}.reviewer`, fields.reviewer), asset, above }
}

function refundOf(at: string, value: unknown) {
  const fields = fieldsOf(at, value, ['asset', 'amount'])
  return { asset: addressOf(`${at}.asset`, fields.asset), amount: amountOf(`${at}.amount`, fields.amount) }
}

function limitOf(at: string, value: unknown) {
  const fields = fieldsOf(at, value, ['asset', 'amount', 'period'])
  return {
    asset: addressOf(`${at}.asset`, fields.asset),
    amount: amountOf(`${at}.amount`, fields.amount),
    period: numberOf(`${at}.period`, fields.period, POLICY_BOUNDS.period),
  }
}

/** Two that say something of the same thing could be read in two ways. */
function assertOnce<Item>(field: string, items: readonly Item[], keyOf: (item: Item) => string): void {
  const keys = new Set<string>()
  for (const item of items) {
    const key = keyOf(item)
    if (keys.has(key)) throw fail('POLICY_MALFORMED', { reason: 'twice', field, value: key })
    keys.add(key)
  }
}

const policyFields = [
  'chainId',
  'safeAddress',
  'number',
  'previousHash',
  'reason',
  'allowed',
  'refundLimits',
  'amountLimits',
  'reviewers',
  'recipientsOnly',
  'recipients',
  'noDelegatecall',
]

/**
 * Reads a policy, strictly: the one text that {@link writePolicy} writes of it, within `POLICY_BOUNDS`, nothing twice.
 *
 * @param text JSON, by whomever
 * @throws CountersignError `POLICY_MALFORMED`
 * @example
 * const policy = parsePolicy(reply.policy)
 */
export function parsePolicy(text: string): TeamPolicy {
  if (typeof text !== 'string' || text.length > POLICY_BOUNDS.length)
    throw fail('POLICY_MALFORMED', { reason: 'length', length: String(text).length, limit: POLICY_BOUNDS.length })
  const policy = parsePolicyFields(parseJson(text))
  if (writePolicy(policy) !== text) throw fail('POLICY_MALFORMED', { reason: 'form' })
  return policy
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw fail('POLICY_MALFORMED', { reason: 'json' }, cause)
  }
}

function parsePolicyFields(value: unknown): TeamPolicy {
  const fields = fieldsOf('policy', value, policyFields)
  const number = numberOf('number', fields.number, MAX_NUMBER)
  const previousHash = bytesOf('previousHash', fields.previousHash, 32)
  if ((number === 1) !== (previousHash === zeroHash)) throw malformed('previousHash', previousHash)
  const allowed = listOf('allowed', fields.allowed, POLICY_BOUNDS.allowed, entryOf)
  const refundLimits = listOf('refundLimits', fields.refundLimits, POLICY_BOUNDS.refundLimits, refundOf)
  const amountLimits = listOf('amountLimits', fields.amountLimits, POLICY_BOUNDS.amountLimits, limitOf)
  const reviewers = listOf('reviewers', fields.reviewers, POLICY_BOUNDS.reviewers, reviewerOf)
  const recipients = listOf('recipients', fields.recipients, POLICY_BOUNDS.recipients, accountOf)
  assertOnce('allowed', allowed, ({ kind, address, selector }) => `${kind} ${address} ${selector}`)
  assertOnce('refundLimits', refundLimits, ({ asset }) => asset)
  assertOnce('amountLimits', amountLimits, ({ asset, period }) => `${asset} ${period}`)
  assertOnce('reviewers', reviewers, ({ reviewer, asset }) => `${reviewer} ${asset}`)
  assertOnce('recipients', recipients, (recipient) => recipient)
  return {
    chainId: numberOf('chainId', fields.chainId, Number.MAX_SAFE_INTEGER),
    safeAddress: accountOf('safeAddress', fields.safeAddress),
    number,
    previousHash,
    allowed,
    refundLimits,
    amountLimits,
    reviewers,
    recipients,
    reason: textOf('reason', fields.reason, POLICY_BOUNDS.reason),
    recipientsOnly: flagOf('recipientsOnly', fields.recipientsOnly),
    noDelegatecall: flagOf('noDelegatecall', fields.noDelegatecall),
  }
}

/**
 * Writes a policy as the one JSON text that it has: {@link parsePolicy} takes no other.
 *
 * @throws CountersignError `POLICY_MALFORMED` never; what it writes may still be out of bounds
 * @example
 * const text = writePolicy(policy)
 */
export function writePolicy(policy: TeamPolicy): string {
  const { chainId, safeAddress, number, previousHash, reason, recipientsOnly, recipients, noDelegatecall } = policy
  return JSON.stringify({
    chainId,
    safeAddress,
    number,
    previousHash,
    reason,
    allowed: policy.allowed.map(
      ({ kind, address, codeHash, implementation, implementationCodeHash, selector, name }) => ({
        kind,
        address,
        codeHash,
        implementation,
        implementationCodeHash,
        selector,
        name,
      }),
    ),
    refundLimits: policy.refundLimits.map(({ asset, amount }) => ({ asset, amount: String(amount) })),
    amountLimits: policy.amountLimits.map(({ asset, amount, period }) => ({ asset, amount: String(amount), period })),
    reviewers: policy.reviewers.map(({ reviewer, asset, above }) => ({ reviewer, asset, above: String(above) })),
    recipientsOnly,
    recipients,
    noDelegatecall,
  })
}

/**
 * A policy that allows and restricts nothing, to start from: the first of its Safe, or the one after `previous`.
 *
 * @example
 * const next = { ...nextPolicy(place, null), noDelegatecall: true }
 */
export function nextPolicy(place: PolicyPlace, previous: { policy: TeamPolicy; hash: Hex } | null): TeamPolicy {
  const { chainId, safeAddress } = place
  const empty = { allowed: [], refundLimits: [], amountLimits: [], reviewers: [], recipients: [] }
  const settings = previous?.policy ?? { ...empty, recipientsOnly: false, noDelegatecall: false }
  return {
    ...settings,
    chainId,
    safeAddress,
    reason: '',
    number: (previous?.policy.number ?? 0) + 1,
    previousHash: previous?.hash ?? zeroHash,
  }
}
