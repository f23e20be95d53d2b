import {
  deploymentAt,
  hashSafeTx,
  isSameAddress,
  recoverConfirmation,
  type SafeTx,
  splitSignatures,
} from '@countersign/safe'
import type { Call } from '@countersign/safe/calls'
import type { Address, Hex } from 'viem'
import { describeTransaction } from './targets.ts'
import { tokenMovesOf } from './tokens/token-moves.ts'

/** One version for each form of the transaction hash: with the chain ID, without it, and with the older field names. */
const VERSIONS = ['1.4.1', '1.1.1', '0.1.0'] as const
/** Limit of signatures, above any real threshold. Each one costs a recovery. */
const MAX_SIGNATURES = 50

/** A claimed execution of a Safe transaction, with the signatures it used. */
export type ClaimedExecution = { safeTxHash: Hex; safeTx: SafeTx; signatures: Hex }

/** Payees of a transaction and its signers. `approvers` are named in the signatures, without a signature of their key. */
export type SignedPayment = {
  nonce: bigint
  payees: readonly Address[]
  signers: readonly Address[]
  approvers: readonly Address[]
}

/**
 * Lists the accounts that a Safe transaction pays with its own calls, in native coin, tokens or NFTs. Transfers inside other
 * contracts, payments of zero and logs do not count.
 *
 * @returns each account once, in the order of the calls
 * @throws CountersignError `FIELD_MALFORMED` if an address or the data is malformed
 * @example
 * payeesOf({ safeAddress, safeTx }) // ['0x…']
 */
export function payeesOf(given: { safeAddress: Address; safeTx: SafeTx }): Address[] {
  const { safeAddress } = given
  const found = ownCalls(describeTransaction(given))
    .flatMap((call) => [...(call.value > 0n ? [call.to] : []), ...payeesByToken(call, safeAddress)])
    .filter((payee) => BigInt(payee) !== 0n && !isSameAddress(payee, safeAddress))
  return [...new Map(found.map((payee) => [payee.toLowerCase(), payee])).values()]
}

/** Lists the calls that the Safe itself makes. A delegatecall to unknown code may make none of the calls in its data. */
function ownCalls(call: Call): Call[] {
  if (call.operation === 0) return [call]
  const kind = deploymentAt(call.to)?.kind
  return kind === 'multi-send' || kind === 'multi-send-call-only' ? (call.calls ?? []).flatMap(ownCalls) : []
}

function payeesByToken(call: Call, safeAddress: Address): Address[] {
  const moved = (tokenMovesOf(call) ?? []).flatMap(({ from, to, amount }) =>
    to !== null && amount !== '0' && isSameAddress(from, safeAddress) ? [to] : [],
  )
  if (!/^erc(?:20|721|1155)-transfer$/.test(call.kind)) return moved
  const find = (name: string) => call.args.find((argument) => argument.name === name)
  const [from, to] = [find('from')?.decoded, find('to')?.decoded]
  const isOfSafe = from === undefined || (from.kind === 'address' && isSameAddress(from.value, safeAddress))
  const isNothing = find('amount')?.value === '0'
  return isOfSafe && !isNothing && to?.kind === 'address' ? [...moved, to.value] : moved
}

/**
 * Reads the payees and signers of a claimed execution. It computes the hash from the fields and recovers the signatures.
 *
 * @returns null if the hash, the fields or the signatures are not valid
 * @example
 * const payment = await readSignedPayment({ chainId: 1, safeAddress }, claimed)
 */
export async function readSignedPayment(
  { chainId, safeAddress }: { chainId: number; safeAddress: Address },
  { safeTxHash, safeTx, signatures }: ClaimedExecution,
): Promise<SignedPayment | null> {
  try {
    const isOfSafe = VERSIONS.some(
      (version) => hashSafeTx({ chainId, safeAddress, version, safeTx }).safeTxHash === safeTxHash,
    )
    if (!isOfSafe) return null
    const parts = splitSignatures(signatures)
    if (parts.length > MAX_SIGNATURES) return null
    const signers: Address[] = []
    const approvers: Address[] = []
    for (const part of parts) {
      if (part.signatureType === 'EOA' || part.signatureType === 'ETH_SIGN')
        signers.push((await recoverConfirmation(safeTxHash, part.signature)).owner)
      else if (part.signatureType === 'APPROVED_HASH') approvers.push(part.owner)
    }
    return { nonce: safeTx.nonce, payees: payeesOf({ safeAddress, safeTx }), signers, approvers }
  } catch {
    return null
  }
}

/**
 * Whether a payment is proved: its nonce is used, and signatures of distinct current owners reach the threshold. An approver
 * counts if {@link readExecution} proved that it sent the execution.
 *
 * @example
 * isProvedPayment(payment, state, sender)
 */
export function isProvedPayment(
  { nonce, signers, approvers }: SignedPayment,
  { owners, threshold, nonce: next }: { owners: readonly Address[]; threshold: number; nonce: bigint },
  sender: Address | null = null,
): boolean {
  if (nonce >= next || threshold < 1) return false
  const known = new Set(owners.map((owner) => owner.toLowerCase()))
  const isOwner = (account: Address) => known.has(account.toLowerCase())
  const consenting = approvers.filter((approver) => sender !== null && isSameAddress(approver, sender))
  const signed = new Set([...signers, ...consenting].filter(isOwner).map((signer) => signer.toLowerCase()))
  return signed.size >= threshold
}
