import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { safeAbi } from '../abi/abi.ts'
import { assertBytes } from '../abi/abi-word.ts'
import { type SafeTx, safeTxWords } from '../signing/safe-tx.ts'

/**
 * The calldata of `execTransaction`, ready to send to the Safe; the same in every version.
 *
 * @param signatures - what `encodeSignatures` returns.
 * @throws CountersignError `FIELD_MALFORMED` for the first field that is impossible.
 * @example
 * encodeExecTransaction(safeTx, encodeSignatures(confirmations))
 */
export function encodeExecTransaction(safeTx: SafeTx, signatures: Hex): Hex {
  safeTxWords(safeTx)
  assertBytes('signatures', signatures)
  return encodeFunctionData({
    abi: safeAbi,
    functionName: 'execTransaction',
    args: [
      safeTx.to,
      safeTx.value,
      safeTx.data,
      safeTx.operation,
      safeTx.safeTxGas,
      safeTx.baseGas,
      safeTx.gasPrice,
      safeTx.gasToken,
      safeTx.refundReceiver,
      signatures,
    ],
  })
}

/**
 * Reads the calldata of `execTransaction`. The nonce is not part of it: it is the Safe's own at that moment.
 *
 * @returns null when the data is anything else.
 *
 * @example
 * decodeExecTransaction(transaction.input)?.safeTx.to
 */
export function decodeExecTransaction(data: Hex): { safeTx: Omit<SafeTx, 'nonce'>; signatures: Hex } | null {
  try {
    const decoded = decodeFunctionData({ abi: safeAbi, data })
    if (decoded.functionName !== 'execTransaction') return null
    const [to, value, inner, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, signatures] =
      decoded.args
    if (operation !== 0 && operation !== 1) return null
    return {
      safeTx: { to, value, data: inner, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver },
      signatures,
    }
  } catch {
    return null
  }
}
