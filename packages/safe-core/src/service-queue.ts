import { type Address, getAddress, type Hex, isAddress, isHash } from 'viem'
import { isBytes, showValue } from './abi-word.ts'
import { CountersignError } from './error.ts'
import { fail } from './error-sentences.ts'
import { hashSafeTx, type SafeTx } from './safe-tx.ts'
import { readSafeTxFile } from './safe-tx-file.ts'

/** Characters of all answers together. */
const MAX_SERVICE_QUEUE = 20_000_000
/** Transactions that are looked at. */
const MAX_TRANSACTIONS = 500
/** Confirmations of one transaction: as many as the owners of the largest Safe that is known. */
const MAX_CONFIRMATIONS = 100
/** Characters of an origin, as the service itself bounds it. */
const MAX_ORIGIN = 200

/** A transaction of another service whose fields hash to the hash that it names. Its signatures are claims. */
export type ServiceProposal = {
  safeTx: SafeTx
  safeTxHash: Hex
  origin: string | null
  /** The one of the proposer first. */
  signatures: { owner: Address; signature: Hex }[]
  /** Confirmations that are no address with bytes. */
  unreadable: number
}

/** A transaction that cannot be taken over, by the hash that its file gives it. */
export type UnusableProposal = { name: string } & (
  | { reason: 'unreadable'; error: CountersignError }
  | { reason: 'other-safe'; safeAddress: Address }
  | { reason: 'other-hash'; computed: Hex }
)

/** Transactions that answers of another service name. */
export type ServiceQueue = {
  /** By nonce. */
  proposals: ServiceProposal[]
  unusable: UnusableProposal[]
  /** Already executed: the chain tells of them. */
  executed: number
  /** Behind the first 500, and not looked at. */
  beyond: number
}

/**
 * Reads transactions from answers of a Safe Transaction Service: one transaction, a page (`results`), or a list of either.
 * The hash of each is computed anew; what was executed is counted only, for the chain tells of it.
 *
 * @throws CountersignError `FIELD_MALFORMED` where the text is too long or no JSON
 * @example
 * const { proposals, unusable } = readServiceQueue(pasted, { chainId: 1, safeAddress, version: '1.4.1' })
 */
export function readServiceQueue(
  text: string,
  { chainId, safeAddress, version }: { chainId: number; safeAddress: Address; version: string },
): ServiceQueue {
  const entries = entriesOf(readJson(text))
  const beyond = Math.max(0, entries.length - MAX_TRANSACTIONS)
  const queue: ServiceQueue = { proposals: [], unusable: [], executed: 0, beyond }
  const seen = new Set<Hex>()
  for (const entry of entries.slice(0, MAX_TRANSACTIONS)) {
    const read = asObject(entry)
    if (read.isExecuted === true) {
      queue.executed += 1
      continue
    }
    const name = showValue(read.safeTxHash, 80)
    try {
      const { safeTx, ...file } = readSafeTxFile(JSON.stringify(fieldsOf(read)), chainId)
      if (file.safeAddress !== safeAddress) {
        queue.unusable.push({ name, reason: 'other-safe', safeAddress: file.safeAddress })
        continue
      }
      const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
      const named = read.safeTxHash
      if (typeof named !== 'string' || !isHash(named) || named.toLowerCase() !== safeTxHash) {
        queue.unusable.push({ name, reason: 'other-hash', computed: safeTxHash })
        continue
      }
      if (seen.has(safeTxHash)) continue
      seen.add(safeTxHash)
      queue.proposals.push({ safeTx, safeTxHash, origin: originOf(read.origin), ...signaturesOf(read) })
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      queue.unusable.push({ name, reason: 'unreadable', error })
    }
  }
  queue.proposals.sort((one, other) => (one.safeTx.nonce < other.safeTx.nonce ? -1 : 1))
  return queue
}

function readJson(text: string): unknown {
  if (text.length > MAX_SERVICE_QUEUE)
    throw fail('FIELD_MALFORMED', { reason: 'file-length', length: text.length, limit: MAX_SERVICE_QUEUE })
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null) return read
  } catch {
    // Said below.
  }
  throw fail('FIELD_MALFORMED', { reason: 'file-not-json', value: showValue(text, 80) })
}

/** Transactions of a page, of several pages, of a list, or the one that it is. */
function entriesOf(read: unknown): unknown[] {
  const parts: unknown[] = Array.isArray(read) ? read : [read]
  return parts.flatMap((part): unknown[] => {
    const { results } = asObject(part)
    return Array.isArray(results) ? results : [part]
  })
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** The fields that are hashed, and the Safe: nothing of what is around them, however long. The chain is the page's. */
function fieldsOf(read: Record<string, unknown>) {
  const { safe, to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = read
  return { safe, to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce }
}

function originOf(origin: unknown): string | null {
  return typeof origin === 'string' && origin !== '' && origin !== '{}' ? origin.slice(0, MAX_ORIGIN) : null
}

function signaturesOf(read: Record<string, unknown>): Pick<ServiceProposal, 'signatures' | 'unreadable'> {
  const given: unknown[] = Array.isArray(read.confirmations) ? read.confirmations : []
  const signatures = new Map<Address, Hex>()
  let unreadable = Math.max(0, given.length - MAX_CONFIRMATIONS)
  for (const entry of given.slice(0, MAX_CONFIRMATIONS)) {
    const { owner, signature } = asObject(entry)
    const isReadable =
      typeof owner === 'string' &&
      isAddress(owner, { strict: false }) &&
      typeof signature === 'string' &&
      isBytes(signature) &&
      signature !== '0x'
    if (!isReadable) unreadable += 1
    else if (!signatures.has(getAddress(owner))) signatures.set(getAddress(owner), signature.toLowerCase() as Hex)
  }
  const first = (owner: Address) => (owner === read.proposer ? 0 : 1)
  const sorted = [...signatures].toSorted(([one], [other]) => first(one) - first(other))
  return { signatures: sorted.map(([owner, signature]) => ({ owner, signature })), unreadable }
}
