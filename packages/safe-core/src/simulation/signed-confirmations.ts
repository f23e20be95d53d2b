import type { Address, Hex } from 'viem'
import { MAX_CONFIRMATIONS, recoverConfirmation } from '../confirmation.ts'
import { hashSafeTx } from '../safe-tx.ts'
import { isSameAddress } from '../same-address.ts'
import type { SafeTxRun } from './simulation-run.ts'

/**
 * Confirmations that a run puts to the Safe as they are: those that a key of the named owner made on this transaction. What
 * only the chain can vouch for, an approved hash or the signature of a contract, is left out, and the run assumes an approval.
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
      const isKey = signed?.signatureType === 'EOA' || signed?.signatureType === 'ETH_SIGN'
      return isKey && isSameAddress(signed.owner, owner) ? [{ owner, signature: signed.signature }] : []
    }),
  )
  return found.flat()
}
