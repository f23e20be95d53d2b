import { type Address, type Hex, isHash } from 'viem'
import { showValue } from '../abi/abi-word.ts'
import { CountersignError } from '../error.ts'
import { fail } from '../error-sentences.ts'
import { parseMessageContent } from '../signing/message-content.ts'
import { hashSafeMessage } from '../signing/safe-message.ts'
import {
  asObject,
  type ClaimedSignature,
  isNestedDeeper,
  type Lookout,
  originOf,
  parseServiceJson,
  signaturesOf,
  someOf,
} from './service-answers.ts'

/** Levels of a message: those of its typed data, which are bounded, and more than any application puts beside it. */
const MAX_DEPTH = 64

/** A message of another service whose content hashes to the hash that it names. Its signatures are claims. */
export type ServiceMessage = {
  /** JSON, as it is kept here. */
  content: string
  safeMessageHash: Hex
  origin: string | null
  signatures: ClaimedSignature[]
  unreadable: number
}

/** Messages that answers of another service name. */
export type ServiceMessages = {
  messages: ServiceMessage[]
  /** Those that cannot be taken over, by the hash that the service gives them. */
  unusable: ({ name: string } & (
    | { reason: 'unreadable'; error: CountersignError }
    | { reason: 'other-safe' }
    | { reason: 'other-hash'; computed: Hex }
  ))[]
  /** Behind the 500 that were looked at. */
  beyond: number
}

/**
 * Reads messages from answers of a Safe Transaction Service: one, a page (`results`), or a list of either. The hash of each is
 * computed anew from its content.
 *
 * @throws CountersignError `FIELD_MALFORMED` where the text is too long or no JSON
 * @example
 * const { messages } = parseServiceMessages(answer, { chainId: 1, safeAddress, version: '1.4.1' })
 */
export function parseServiceMessages(
  text: string,
  { chainId, safeAddress, version, ...lookout }: { chainId: number; safeAddress: Address; version: string } & Lookout,
): ServiceMessages {
  const { entries, beyond } = someOf(parseServiceJson(text), lookout)
  const found: ServiceMessages = { messages: [], unusable: [], beyond }
  const seen = new Set<Hex>()
  for (const entry of entries) {
    const read = asObject(entry)
    const name = showValue(read.messageHash, 80)
    if (typeof read.safe !== 'string' || read.safe.toLowerCase() !== safeAddress.toLowerCase()) {
      found.unusable.push({ name, reason: 'other-safe' })
      continue
    }
    try {
      if (isNestedDeeper(read.message, MAX_DEPTH))
        throw fail('FIELD_MALFORMED', { reason: 'content-depth', field: 'content', path: 'message', limit: MAX_DEPTH })
      const content = JSON.stringify(read.message) ?? 'null'
      const { safeMessageHash } = hashSafeMessage({
        chainId,
        safeAddress,
        version,
        content: parseMessageContent(content),
      })
      const named = read.messageHash
      if (typeof named !== 'string' || !isHash(named) || named.toLowerCase() !== safeMessageHash) {
        found.unusable.push({ name, reason: 'other-hash', computed: safeMessageHash })
        continue
      }
      if (seen.has(safeMessageHash)) continue
      seen.add(safeMessageHash)
      const origin = originOf(read.origin)
      found.messages.push({ content, safeMessageHash, origin, ...signaturesOf(read, read.proposedBy) })
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error
      found.unusable.push({ name, reason: 'unreadable', error })
    }
  }
  return found
}
