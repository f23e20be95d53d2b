import type { Finding } from '@countersign/review'
import { isUnlimited } from '@countersign/safe'
import { formatNumber } from '../../text/locale.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { formatAmount } from '../../ui/amount/format-amount.ts'
import { currencyOf, type Names, nameOf, tokenAt } from '../names/names.ts'
import { unlimitedWords } from './effect-sentence.ts'
import { isTextKey, text } from './finding-text.ts'

/** Text of a finding: its title, its meaning, the remedy. */
export type FindingWords = { title: string; meaning: string; action: string }

/** The words of a finding. A newer core can have ids that this catalogue does not know: they are never silent. */
export function findingWords(id: string): FindingWords {
  const [title, meaning, action] = [`finding.${id}`, `finding.${id}.meaning`, `finding.${id}.action`]
  if (isTextKey(title) && isTextKey(meaning) && isTextKey(action)) {
    return { title: text(title), meaning: text(meaning), action: text(action) }
  }
  return {
    title: text('finding.unknown', { id }),
    meaning: text('finding.unknown.meaning'),
    action: text('finding.unknown.action'),
  }
}

/** The title of a finding; of one in what is approved, or in a message, it says so. */
export function findingTitle({ id, evidence }: Finding): string {
  const { title } = findingWords(id)
  if (evidence.nestedSafe === undefined) return title
  return text(evidence.nestedMessage === undefined ? 'nested.finding' : 'nested.finding.message', { title })
}

export type EvidenceLine = { name: string; label: string; value: string }

/** Beside an asset, these are amounts of it. */
const amounts = new Set([
  'needed',
  'held',
  'missing',
  'amount',
  'limit',
  'executed',
  'queued',
  'above',
  'said',
  'moved',
])
/** Numbers of gas and of bytes: they have no unit. */
const counts = new Set(['gasNeeded', 'gasLimit', 'byteSize', 'byteLimit'])
const DAY_S = 86_400
/** Evidence that is not shown: it formats amounts, selects sentences, or binds an answer to a simulation. */
const units = new Set(['decimals', 'outcome', 'case'])

/** The values at fault, each with its name; amounts with their unit, and where in the transaction they stand. */
export function evidenceLines({ evidence, where }: Finding, names: Names): EvidenceLine[] {
  const lines = Object.entries(evidence)
    .filter(([name, value]) => value !== '' && !units.has(name))
    .map(([name, value]) => ({ name, label: evidenceLabel(name), value: evidenceValue(name, value, evidence, names) }))
  if (where.field !== undefined) lines.push(lineOf('field', where.field))
  if (where.slot !== undefined) lines.push(lineOf('slot', where.slot))
  if (where.bytes !== undefined) lines.push(lineOf('range', text('evidence.range.value', where.bytes)))
  return lines
}

function lineOf(name: string, value: string): EvidenceLine {
  return { name, label: evidenceLabel(name), value }
}

function evidenceValue(name: string, value: string, evidence: Record<string, string>, names: Names): string {
  const { currency, token } = { currency: currencyOf(names.chain), token: tokenOf(evidence, names) }
  if (name === 'call') return callNumber(value)
  if (['asset', 'bought', 'beside', 'token'].includes(name) && value === 'native')
    return showUntrusted(currency.symbol, 20)
  if (name === 'rule') return text('evidence.rule.value', { rule: value })
  if (name === 'holds') return text('evidence.holds.value', { holds: value })
  if (name === 'unresolved') return text('evidence.unresolved.value', { why: value })
  if (name === 'why') return text('evidence.why.value', { why: value })
  if (name === 'period' && isUint(value))
    return text('evidence.period.value', { days: Math.floor(Number(value) / DAY_S) })
  if (name === 'gsCode') return codeWithCause(value)
  if (name === 'value' && isUint(value)) return withUnit(value, currency)
  if (name === 'maximum' && isUint(value)) return refundWithUnit(value, evidence.gasToken, names)
  if (name === 'amount' && evidence.spender !== undefined && isUint(value) && isUnlimited(BigInt(value)))
    return unlimitedWords(evidence.token ?? evidence.to ?? '', names)
  if (amounts.has(name) && isUint(value)) {
    if ((evidence.token ?? evidence.asset) === 'native') return withUnit(value, currency)
    return token ? withUnit(value, token) : `${value} ${text('effect.baseUnits')}`
  }
  if (name === 'received' && evidence.bought !== undefined && isUint(value))
    return evidenceValue('amount', value, { asset: evidence.bought }, names)
  if (name === 'besideAmount' && evidence.beside !== undefined && isUint(value))
    return evidenceValue('amount', value, { asset: evidence.beside }, names)
  const count = countOf(name, value)
  if (count !== null) return count
  const known = /^0x[0-9a-fA-F]{40}$/.test(value) ? nameOf(value, names) : undefined
  return known ? `${known} · ${value}` : showUntrusted(value, 2_000)
}

/** Counts the subjects of findings of one kind. If there are too many to list, each finding contains the total. */
export function countInAll(findings: readonly Pick<Finding, 'evidence'>[]): number {
  const said = findings.flatMap(
    ({ evidence: { newAddresses, competing, slots } }) => newAddresses ?? competing ?? slots ?? [],
  )
  return Math.max(findings.length, ...said.filter(isUint).map(Number))
}

/** A code that the Safe's own contracts revert with, and its cause where it is known. */
function codeWithCause(code: string): string {
  const cause = `revert.${code}.cause`
  return isTextKey(cause) ? `${code}: ${text(cause)}` : code
}

/** A number of gas or bytes as it is written where people read; null of any other evidence. */
export function countOf(name: string, value: string): string | null {
  return counts.has(name) && isUint(value) ? formatNumber(Number(value)) : null
}

function tokenOf(evidence: Record<string, string>, names: Names) {
  const address = evidence.token ?? evidence.asset
  return address === undefined || address === 'native' ? undefined : tokenAt(address, names.chain)
}

/** A refund is in the token that it is paid in, or in native coin. */
function refundWithUnit(value: string, gasToken: string | undefined, names: Names): string {
  if (gasToken === undefined || BigInt(gasToken) === 0n) return withUnit(value, currencyOf(names.chain))
  const token = tokenAt(gasToken, names.chain)
  return token ? withUnit(value, token) : `${value} ${text('effect.baseUnits')}`
}

function withUnit(value: string, { symbol, decimals }: { symbol: string; decimals: number }): string {
  return `${formatAmount(BigInt(value), decimals)} ${showUntrusted(symbol, 20)}`
}

function isUint(value: string): boolean {
  return /^[0-9]{1,100}$/.test(value)
}

/** Calls are numbered from one, as in the list of all calls. */
function callNumber(path: string): string {
  return path
    .split('.')
    .map((index) => Number(index) + 1)
    .join('.')
}

/** The label of a value in the evidence. */
export function evidenceLabel(name: string): string {
  const key = `evidence.${name}`
  return isTextKey(key) ? text(key) : showUntrusted(name, 40)
}
