import { type Address, type Hex, isHash } from 'viem'
import { showValue } from '../abi/abi-word.ts'
import { CountersignError } from '../error.ts'
import { hashSafeTx, type SafeTx } from '../signing/safe-tx.ts'
import { parseSafeTxFile } from '../signing/safe-tx-file.ts'
import {
  asObject,
  type ClaimedSignature,
  type Lookout,
  originOf,
  parseServiceJson,
  signaturesOf,
  someOf,
} from './service-answers.ts'

/** A transaction of another service whose fields hash to the hash that it names. Its signatures are claims. */
export type ServiceProposal = {
  safeTx: SafeTx
  safeTxHash: Hex
  origin: string | null
  /** The one of the proposer first. */
  signatures: ClaimedSignature[]
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
  /** Behind the 500 that were looked at. */
  beyond: number
}

/**
 * Reads transactions from answers of a Safe Transaction Service: one transaction, a page (`results`), or a list of either.
 * The hash of each is computed anew; what was executed is counted only, for the chain tells of it.
 *
 * @throws CountersignError `FIELD_MALFORMED` where the text is too long or no JSON
 * @example
 * const { proposals, unusable } = parseServiceQueue(pasted, { chainId: 1, safeAddress, version: '1.4.1' })
 */
export function parseServiceQueue(
  text: string,
  { chainId, safeAddress, version, ...lookout }: { chainId: number; safeAddress: Address; version: string } & Lookout,
): ServiceQueue {
  const { entries, beyond } = someOf(parseServiceJson(text), lookout)
  const queue: ServiceQueue = { proposals: [], unusable: [], executed: 0, beyond }
  const seen = new Set<Hex>()
  for (const entry of entries) {
    const read = asObject(entry)
    if (read.isExecuted === true) {
      queue.executed += 1
      continue
    }
    const name = showValue(read.safeTxHash, 80)
    try {
      const { safeTx, ...file } = parseSafeTxFile(JSON.stringify(fieldsOf(read)), chainId)
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
      queue.proposals.push({ safeTx, safeTxHash, origin: originOf(read.origin), ...signaturesOf(read, read.proposer) })
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      queue.unusable.push({ name, reason: 'unreadable', error })
    }
  }
  queue.proposals.sort((one, other) => (one.safeTx.nonce < other.safeTx.nonce ? -1 : 1))
  return queue
}

const hashed = [
  'safe',
  'to',
  'value',
  'data',
  'operation',
  'safeTxGas',
  'baseGas',
  'gasPrice',
  'gasToken',
  'refundReceiver',
  'nonce',
]

/**
 * The fields that are hashed, and the Safe: nothing of what is around them, however long, nor of what is nested in them, however
 * deep. The chain is the page's.
 */
function fieldsOf(read: Record<string, unknown>) {
  return Object.fromEntries(
    hashed.map((field) => {
      const value = read[field]
      return [field, typeof value === 'object' && value !== null ? showValue(value) : value]
    }),
  )
}
