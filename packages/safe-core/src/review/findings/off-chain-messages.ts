import { type Hex, size } from 'viem'
import { isBytes } from '../../abi-word.ts'
import type { MessageTypedData } from '../../safe-message.ts'
import type { Finding } from '../types.ts'
import { finding } from './evidence.ts'
import { isTransactionMessage } from './messages.ts'
import { reviewText } from './texts.ts'

const where = { field: 'message' } as const
const readable = { maxLength: 32_768, allowed: '\n\t' }
/** Deeper or wider than this no honest typed data is; what is beyond is not looked at, and that is said. */
const MAX_VALUES = 20_000

/** Types whose signature alone moves assets or lets somebody take them. */
const permits = new Set([
  'Permit',
  'PermitSingle',
  'PermitBatch',
  'PermitTransferFrom',
  'PermitBatchTransferFrom',
  'PermitWitnessTransferFrom',
  'PermitBatchWitnessTransferFrom',
  'TransferWithAuthorization',
  'ReceiveWithAuthorization',
  'Order',
  'OrderComponents',
  'BulkOrder',
])
/** What owners of a Safe sign: as a message of another Safe it counts as that Safe's signature. */
const ofSafes = new Set(['SafeTx', 'SafeMessage'])

/** A text: what it hides, and whether it could be meant as bytes. */
export function reviewMessageText(text: string, safeTxHashes: readonly Hex[]): Finding[] {
  const findings = reviewText(text, 'medium', where, {}, readable)
  if (isBytes(text) && text.length > 2) {
    findings.push(finding('MSG-HEX-AMBIGUOUS', 'medium', { bytes: String(size(text)) }, where))
    // Wallets take such a text for the bytes that it spells.
    if (isTransactionMessage(text, safeTxHashes))
      findings.push(finding('MSG-IS-TX', 'critical', { message: text }, where))
  }
  return findings
}

/** Bytes that nobody can read: the approval of a transaction, or a hash of who knows what. */
export function reviewMessageBytes(bytes: Hex, safeTxHashes: readonly Hex[]): Finding[] {
  if (isTransactionMessage(bytes, safeTxHashes)) return [finding('MSG-IS-TX', 'critical', { message: bytes }, where)]
  return size(bytes) === 32 ? [finding('MSG-RAW-HASH', 'critical', { message: bytes }, where)] : []
}

/** Typed data: a transaction in disguise, or a permit; and what its texts hide. */
export function reviewTypedData(typedData: MessageTypedData): Finding[] {
  const findings: Finding[] = []
  const { primaryType, types, domain } = typedData
  const { values, isWhole } = valuesIn(typedData.message)
  const around = valuesIn([domain, types])
  if (!isWhole || !around.isWhole) {
    findings.push(finding('DECODE-BUDGET', 'critical', { places: String(MAX_VALUES) }, where))
  }
  // Inside another type it can be an ERC-1271 signature that is passed on.
  const ofSafe = [primaryType, ...Object.keys(types)].find((type) => ofSafes.has(type))
  if (ofSafe !== undefined) findings.push(finding('MSG-IS-TX', 'critical', { primaryType: ofSafe }, where))
  const gives =
    values.some(({ name }) => name === 'spender') && values.some(({ name }) => /^(?:amount|value|allowed)$/.test(name))
  if (permits.has(primaryType) || gives) {
    const named = (...names: string[]) => values.find(({ name }) => names.includes(name))?.value
    const evidence = {
      primaryType,
      spender: named('spender', 'to', 'taker'),
      token: named('token', 'sellToken') ?? textOf(domain.verifyingContract),
      amount: named('amount', 'value', 'sellAmount'),
      deadline: named('deadline', 'sigDeadline', 'expiration', 'validTo', 'validBefore'),
    }
    findings.push(finding('PERMIT-SIGN', 'high', evidence, where))
  }
  const names = Object.keys(types).map((type) => ({ name: 'type', value: type }))
  for (const { name, value } of [...around.values, ...names, ...values]) {
    if (findings.length >= 20) break
    findings.push(...reviewText(value, 'medium', where, { name }, readable))
  }
  return findings
}

type Named = { name: string; value: string }

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : null
}

/** The values inside, with the names of their fields, as far as is looked. No recursion, so that no depth is too deep. */
function valuesIn(message: unknown): { values: Named[]; isWhole: boolean } {
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
