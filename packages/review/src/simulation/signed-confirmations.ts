import {
  type Confirmation,
  contractSignatureBytes,
  hashSafeTx,
  isSameAddress,
  MAX_CONFIRMATIONS,
  recoverConfirmation,
  signatureTypeOf,
} from '@countersign/safe'
import type { Address, Hex } from 'viem'
import type { SafeTxRun } from './simulation-run.ts'

/**
 * Confirmations that a run puts to the Safe as they are: those that a key of the named owner made on this transaction, and those
 * by which the Safe asks a contract that is an owner. An approved hash is left out, and the run assumes it.
 *
 * @throws CountersignError `FIELD_MALFORMED` when the transaction cannot be hashed
 * @example
 * const run = { ...need.run, confirmations: await signedConfirmations(need.run, need.chainId) }
 */
export async function signedConfirmations(
  {
    safeAddress,
    version,
    safeTx,
    confirmations,
  }: Pick<SafeTxRun, 'safeAddress' | 'version' | 'safeTx' | 'confirmations'>,
  chainId: number,
): Promise<{ owner: Address; signature: Hex }[]> {
  if (confirmations.length === 0) return []
  const { safeTxHash } = hashSafeTx({ chainId, safeAddress, version, safeTx })
  const found = await Promise.all(
    confirmations.slice(0, MAX_CONFIRMATIONS).map(async ({ owner, signature }) => {
      const signed = await recoverConfirmation(safeTxHash, signature).catch(() => null)
      const isPut = signed !== null && signed.signatureType !== 'APPROVED_HASH' && isSameAddress(signed.owner, owner)
      return isPut && isReadable(signed) ? [{ owner, signature: signed.signature }] : []
    }),
  )
  return found.flat()
}

function isReadable({ signatureType, signature }: Confirmation): boolean {
  if (signatureType !== 'CONTRACT_SIGNATURE') return true
  try {
    contractSignatureBytes(signature)
    return true
  } catch {
    return false
  }
}

/**
 * A run that puts no signature of a contract to the Safe, and assumes its approval; null where there is none. A contract that
 * refuses its signature, or does not come to an end, is as one that has not signed.
 *
 * @example
 * const again = withoutContracts(run)
 */
export function withoutContracts(run: SafeTxRun): SafeTxRun | null {
  const confirmations = run.confirmations.filter(({ signature }) => signatureTypeOf(signature) !== 'CONTRACT_SIGNATURE')
  return confirmations.length === run.confirmations.length ? null : { ...run, confirmations }
}
