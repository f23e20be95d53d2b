import { encodeMessageContent, isSameAddress } from '@countersign/safe'
import { type Call, flattenCalls, knownFunction } from '@countersign/safe/calls'
import { type Address, type Hex, isHex, keccak256, size } from 'viem'
import { argument } from './call-arguments.ts'
import type { Given } from './given.ts'
import { describeTransaction } from './targets.ts'

/** Safes through which an approval goes at most. */
export const MAX_APPROVAL_DEPTH = 4

/** Hashes of other Safes that are looked into in one subject. */
export const MAX_APPROVALS = 10

/** Something of another Safe that is approved by its hash alone. */
export type Approval = {
  /** The safeTxHash or the safeMessageHash. */
  hash: Hex
  /** The Safe whose it is; null where the bytes name none, as in a message. */
  safeAddress: Address | null
  /** Whose approval it is: the Safe itself, or another one that it acts for. */
  by: Address
  /** The call that approves; empty for a message. */
  path: readonly number[]
  /** The bytes that a call signs as a message on the chain; null for `approveHash`, and where the subject is a message. */
  message: Hex | null
}

/**
 * Computes the hash that these bytes stand for when an owner is asked about them: a hash itself, or that of the 66 bytes of
 * EIP-712. Null for bytes that are neither.
 *
 * @example
 * approvedHash(encodeSafeTxPreimage(context)) // the safeTxHash
 */
export function approvedHash(bytes: Hex): Hex | null {
  const lower = bytes.toLowerCase() as Hex
  if (size(lower) === 32) return lower
  return size(lower) === 66 && lower.startsWith('0x1901') ? keccak256(lower) : null
}

/** Reads what one call approves in another Safe: by `approveHash` there, or as a message that the Safe signs on the chain. */
export function approvalOf(call: Call): Approval | null {
  const at = { by: call.from, path: call.path }
  if (call.operation === 0 && call.name === 'approveHash(bytes32)') {
    const hash = argument(call, 'hashToApprove')
    return isHex(hash) ? { hash: hash.toLowerCase() as Hex, safeAddress: call.to, message: null, ...at } : null
  }
  if (call.operation === 0 && !signsByItself(call)) return null
  const message = knownFunction(call.data)?.family === 'sign-message' ? argument(call, 'data') : null
  const hash = isHex(message) ? approvedHash(message) : null
  return hash && isHex(message) ? { hash, safeAddress: null, message: message.toLowerCase() as Hex, ...at } : null
}

/**
 * Whether a Safe signs a message in a call to itself. Safes before 1.3.0 have a function for it; later ones take a library.
 *
 * @example
 * signsByItself(call) // true for `signMessage(bytes)` of a Safe on itself
 */
export function signsByItself({ from, to, family, operation }: Call): boolean {
  return operation === 0 && family === 'sign-message' && isSameAddress(from, to)
}

/**
 * Lists every hash of another Safe that a subject approves. Each needs what it stands for, with its own review; the bytes say
 * no more than the hash.
 *
 * @throws CountersignError `FIELD_MALFORMED` when the subject cannot be read
 * @example
 * approvalsOf(given) // [{ hash, safeAddress: parent, by: child, path: [] }] for `approveHash` of a parent Safe
 */
export function approvalsOf(given: Given): Approval[] {
  if (given.kind === 'creation') return []
  if (given.kind !== 'message')
    return flattenCalls(describeTransaction(given)).flatMap((inner) => approvalOf(inner) ?? [])
  // A contract is never asked about the hash of a `personal_sign`.
  if (given.content.encoding !== 'RAW' && given.content.encoding !== 'EIP712') return []
  const hash = approvedHash(encodeMessageContent(given.content))
  return hash === null ? [] : [{ hash, safeAddress: null, message: null, by: given.safeAddress, path: [] }]
}
