import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { isBytes, showValue, uintWord } from '../abi/abi-word.ts'
import { fail } from '../error-sentences.ts'
import type { SafeTx } from './safe-tx.ts'

/** Characters of a file: the data of the longest transaction that is taken here, and its other fields. */
export const MAX_SAFE_TX_FILE = 300_000

/** A transaction as it stands in a file: nothing in it is believed before its hash is computed. */
export type SafeTxFile = { chainId: number; safeAddress: Address; safeTx: SafeTx }

const amounts = ['value', 'safeTxGas', 'baseGas', 'gasPrice', 'nonce'] as const

/**
 * Writes a transaction as JSON with the field names of the Safe Transaction Service, and the chain.
 *
 * @param version of the Safe, where it is known: without it nobody can tell the hash for sure
 * @example
 * copy(writeSafeTxFile({ chainId, safeAddress, safeTx }))
 */
export function writeSafeTxFile({
  chainId,
  safeAddress,
  version,
  safeTx,
}: SafeTxFile & { version?: string | undefined }): string {
  const { to, value, data, operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = safeTx
  const numbers = { safeTxGas: String(safeTxGas), baseGas: String(baseGas), gasPrice: String(gasPrice) }
  const call = { to, value: String(value), data, operation }
  const end = { gasToken, refundReceiver, nonce: String(nonce) }
  const file = { chainId, safe: safeAddress, version, ...call, ...numbers, ...end }
  return `${JSON.stringify(file, null, 2)}\n`
}

/**
 * Reads the ten fields of a transaction, its Safe and its chain from JSON: what `writeSafeTxFile` writes, and what the Safe
 * Transaction Service answers. Further fields are ignored.
 *
 * @param chainId of the page, where the file names none
 * @throws CountersignError `FIELD_MALFORMED`, naming the first field that is missing or cannot be read
 * @example
 * const { safeAddress, safeTx } = parseSafeTxFile(pasted, 1)
 */
export function parseSafeTxFile(text: string, chainId: number): SafeTxFile {
  if (text.length > MAX_SAFE_TX_FILE)
    throw fail('FIELD_MALFORMED', { reason: 'file-length', length: text.length, limit: MAX_SAFE_TX_FILE })
  const read = readObject(text)
  const uint = (field: string, value: unknown) => {
    // JSON has lost the last digits of a larger number.
    const written = Number.isSafeInteger(value) ? String(value) : value
    if (typeof written !== 'string' || !/^(?:0|[1-9][0-9]{0,77})$/.test(written))
      throw fail('FIELD_MALFORMED', { reason: 'number', field, value: showValue(value, 80), bits: 256 })
    uintWord(field, BigInt(written))
    return BigInt(written)
  }
  const address = (field: string, value: unknown): Address => {
    if (typeof value !== 'string' || !isAddress(value, { strict: value !== value.toLowerCase() }))
      throw fail('FIELD_MALFORMED', { reason: 'address', field, value: showValue(value, 80) })
    return getAddress(value)
  }
  const data = read.data ?? '0x'
  if (typeof data !== 'string' || !isBytes(data))
    throw fail('FIELD_MALFORMED', { reason: 'bytes', field: 'data', value: showValue(data, 80) })
  const operation = Number(uint('operation', read.operation))
  if (operation !== 0 && operation !== 1)
    throw fail('FIELD_MALFORMED', { reason: 'number', field: 'operation', value: String(operation), bits: 1 })
  const [value, safeTxGas, baseGas, gasPrice, nonce] = amounts.map((field) => uint(field, read[field]))
  return {
    chainId: read.chainId === undefined ? chainId : Number(uint('chainId', read.chainId)),
    safeAddress: address('safe', read.safe ?? read.safeAddress),
    safeTx: {
      to: address('to', read.to),
      value: value ?? 0n,
      data: data.toLowerCase() as Hex,
      operation,
      safeTxGas: safeTxGas ?? 0n,
      baseGas: baseGas ?? 0n,
      gasPrice: gasPrice ?? 0n,
      gasToken: address('gasToken', read.gasToken),
      refundReceiver: address('refundReceiver', read.refundReceiver),
      nonce: nonce ?? 0n,
    },
  }
}

function readObject(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return { ...read }
  } catch {
    // Said below.
  }
  throw fail('FIELD_MALFORMED', { reason: 'file-not-json', value: showValue(text, 80) })
}
