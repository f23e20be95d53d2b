import { type Address, type Hex, hashMessage, recoverAddress, slice } from 'viem'
import { CountersignError } from './error.ts'
import { parseSignature, type SignatureType } from './signature.ts'

/** An owner's signature on a safeTxHash. */
export type Confirmation = { owner: Address; signature: Hex; signatureType: SignatureType }

/**
 * Finds whose confirmation a signature is. ECDSA signatures are recovered; approved hashes and contract signatures only
 * *name* their owner and prove nothing without the chain: see `signatureType`.
 *
 * @param safeTxHash - the hash of the transaction under review, computed here, not received.
 * @returns the signer and the signature with `v` as the Safe expects it (27/28, or 31/32 for `eth_sign`).
 * @throws CountersignError `SIGNATURE_MALFORMED`, `SIGNATURE_KIND_NOT_SUPPORTED`, `SIGNATURE_INVALID`.
 */
export async function recoverConfirmation(safeTxHash: Hex, signature: Hex): Promise<Confirmation> {
  const parsed = parseSignature(signature)
  if ('owner' in parsed) {
    return { owner: parsed.owner, signatureType: parsed.signatureType, signature: parsed.signature }
  }
  const isEthSign = parsed.signatureType === 'ETH_SIGN'
  const hash = isEthSign ? hashMessage({ raw: safeTxHash }) : safeTxHash
  const v = isEthSign ? parsed.v - 4 : parsed.v
  try {
    const owner = await recoverAddress({ hash, signature: `${slice(parsed.signature, 0, 64)}${v.toString(16)}` })
    return { owner, signatureType: parsed.signatureType, signature: parsed.signature }
  } catch (cause) {
    throw new CountersignError('SIGNATURE_INVALID', `The signature \`${signature}\` belongs to no key.`, {
      data: { signature, safeTxHash },
      cause,
    })
  }
}

/** The answer to "may I?": yes, or the reason code and a sentence why not. */
export type Permission = { ok: true } | { ok: false; code: string; message: string }

type SafeFacts = { owners: readonly Address[]; threshold: number; nonce: bigint }
type TransactionFacts = { nonce: bigint; isExecuted: boolean; confirmations: readonly { owner: Address }[] }

function isAmong(addresses: readonly Address[], address: Address): boolean {
  return addresses.some((one) => one.toLowerCase() === address.toLowerCase())
}

function refuse(code: string, message: string): Permission {
  return { ok: false, code, message }
}

/** Whether the transaction still waits for anything at all. */
function isOpen(safe: SafeFacts, transaction: TransactionFacts): Permission {
  if (transaction.isExecuted) return refuse('TRANSACTION_ALREADY_EXECUTED', 'This transaction is already executed.')
  if (transaction.nonce < safe.nonce) {
    return refuse('NONCE_ALREADY_EXECUTED', `Another transaction was executed with nonce \`${transaction.nonce}\`.`)
  }
  return { ok: true }
}

/**
 * Whether this account may confirm this transaction. The answer is about the state of things, not about the review.
 *
 * Reasons: `TRANSACTION_ALREADY_EXECUTED`, `NONCE_ALREADY_EXECUTED`, `NOT_SIGNED_IN`, `NOT_AN_OWNER`,
 * `ALREADY_CONFIRMED`.
 */
export function canConfirm(facts: {
  safe: SafeFacts
  transaction: TransactionFacts
  account: Address | null
}): Permission {
  const open = isOpen(facts.safe, facts.transaction)
  if (!open.ok) return open
  if (facts.account === null) return refuse('NOT_SIGNED_IN', 'Connect your wallet and verify your account.')
  if (!isAmong(facts.safe.owners, facts.account)) {
    return refuse('NOT_AN_OWNER', `The account \`${facts.account}\` is not an owner of this Safe.`)
  }
  if (facts.transaction.confirmations.some(({ owner }) => isAmong([owner], facts.account ?? owner))) {
    return refuse('ALREADY_CONFIRMED', 'You have confirmed this transaction.')
  }
  return { ok: true }
}

/**
 * Whether this transaction can be executed now, by this account. Any account may execute; only confirmations of current
 * owners count.
 *
 * Reasons: `TRANSACTION_ALREADY_EXECUTED`, `NONCE_ALREADY_EXECUTED`, `NOT_SIGNED_IN`, `THRESHOLD_NOT_REACHED`,
 * `NONCE_OUT_OF_ORDER`.
 */
export function canExecute(facts: {
  safe: SafeFacts
  transaction: TransactionFacts
  account: Address | null
}): Permission {
  const { safe, transaction } = facts
  const open = isOpen(safe, transaction)
  if (!open.ok) return open
  if (facts.account === null) return refuse('NOT_SIGNED_IN', 'Connect your wallet and verify your account.')
  const confirmed = safe.owners.filter((owner) =>
    isAmong(
      transaction.confirmations.map((one) => one.owner),
      owner,
    ),
  ).length
  if (confirmed < safe.threshold) {
    return refuse('THRESHOLD_NOT_REACHED', `\`${confirmed}\` of \`${safe.threshold}\` confirmations are here.`)
  }
  if (transaction.nonce > safe.nonce) {
    return refuse('NONCE_OUT_OF_ORDER', `The transaction with nonce \`${safe.nonce}\` has to be executed first.`)
  }
  return { ok: true }
}
