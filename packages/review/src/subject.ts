import {
  addressWord,
  assertBytes,
  domainVersion,
  hashSafeMessage,
  hashSafeTx,
  type SafeMessageContext,
  type SafeState,
  type SafeTxContext,
  safeMessageTypedData,
  safeTxTypedData,
  uintWord,
} from '@countersign/safe'
import { concatHex, type Hex, keccak256 } from 'viem'
import type { CreationSubject, MessageSubject, SignedSubject, TransactionSubject } from './given.ts'

type Version = Pick<SafeState, 'version' | 'reportedVersion'>

/** The hashes of what is signed. Devices show `domainHash` and `messageHash`. */
export type SubjectHashes = {
  /** That owners sign: the safeTxHash, or the safeMessageHash. */
  hash: Hex
  domainHash: Hex
  messageHash: Hex
}

export function transactionContext({ chainId, safeAddress, safeTx }: TransactionSubject, safe: Version): SafeTxContext {
  return { chainId, safeAddress, safeTx, version: domainVersion(safe) }
}

export function messageContext({ chainId, safeAddress, content }: MessageSubject, safe: Version): SafeMessageContext {
  return { chainId, safeAddress, content, version: domainVersion(safe) }
}

/**
 * Computes what owners sign, by the rules of the Safe's version.
 *
 * @throws CountersignError `FIELD_MALFORMED` when a field cannot be hashed
 * @example
 * hashSubject({ kind: 'transaction', chainId, safeAddress, safeTx }, state).hash // the safeTxHash
 */
export function hashSubject(subject: SignedSubject, safe: Version): SubjectHashes {
  if (subject.kind === 'transaction') {
    const { safeTxHash, domainHash, messageHash } = hashSafeTx(transactionContext(subject, safe))
    return { hash: safeTxHash, domainHash, messageHash }
  }
  const { safeMessageHash, domainHash, messageHash } = hashSafeMessage(messageContext(subject, safe))
  return { hash: safeMessageHash, domainHash, messageHash }
}

/**
 * The typed data that a wallet is asked to sign.
 *
 * @throws CountersignError `FIELD_MALFORMED` when a field cannot be hashed
 * @example
 * const signature = await wallet.signTypedData(subjectTypedData(subject, state))
 */
export function subjectTypedData(subject: SignedSubject, safe: Version) {
  return subject.kind === 'transaction'
    ? safeTxTypedData(transactionContext(subject, safe))
    : safeMessageTypedData(messageContext(subject, safe))
}

/**
 * Lists the hashes that owners sign by mistake when a tool does not know of Safes: those of the message itself.
 *
 * @example
 * wrongHashesOf(subject, state) // for a pasted signature that is nobody's: was it made over one of these?
 */
export function wrongHashesOf(subject: SignedSubject, safe: Version): Hex[] {
  if (subject.kind === 'transaction') return []
  const { message } = hashSafeMessage(messageContext(subject, safe))
  return message.length === 66 ? [message] : []
}

/**
 * Names one creation: chain, factory and call data. Answers to its review hold for these alone.
 *
 * @throws CountersignError `FIELD_MALFORMED` when a field is no number, address or bytes
 * @example
 * hashCreation({ kind: 'creation', chainId, safeAddress, factory, data })
 */
export function hashCreation({ chainId, factory, data }: CreationSubject): Hex {
  assertBytes('data', data)
  return keccak256(concatHex([uintWord('chainId', chainId), addressWord('factory', factory), data]))
}
