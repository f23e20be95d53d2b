import type { SafeTx } from '@countersign/safe'

type SafeTxRow = { [field in keyof SafeTx]: SafeTx[field] | null }

/** The ten fields; null where they could not be recovered. */
export function toSafeTx(row: SafeTxRow): SafeTx | null {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = row
  if (to === null || value === null || data === null || operation === null || nonce === null) return null
  if (safeTxGas === null || baseGas === null || gasPrice === null || gasToken === null || refundReceiver === null)
    return null
  return { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce }
}
