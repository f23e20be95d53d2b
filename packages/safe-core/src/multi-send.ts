import {
  type Address,
  concatHex,
  decodeFunctionData,
  encodeFunctionData,
  encodePacked,
  getAddress,
  type Hex,
  size,
  slice,
} from 'viem'
import { multiSendAbi } from './abi.ts'
import { CountersignError } from './error.ts'

/** One entry of a batch. `value` is in wei. */
export type BatchedCall = { to: Address; value: bigint; data: Hex; operation: 0 | 1 }

/** op(1) to(20) value(32) length(32) */
const HEAD_SIZE = 85
const HEAD_DIGITS = HEAD_SIZE * 2

/** The calldata of `multiSend(bytes)` for MultiSend or MultiSendCallOnly; `operation` is 0 where it is left out. */
export function encodeMultiSend(calls: readonly (Omit<BatchedCall, 'operation'> & { operation?: 0 | 1 })[]): Hex {
  const entries = calls.map(({ to, value, data, operation = 0 }) =>
    encodePacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [operation, to, value, BigInt(size(data)), data]),
  )
  return encodeFunctionData({ abi: multiSendAbi, functionName: 'multiSend', args: [concatHex(entries)] })
}

function malformed(reason: string, cause?: unknown): CountersignError {
  return new CountersignError('MULTISEND_MALFORMED', `The batch cannot be read exactly: ${reason}.`, {
    data: { reason },
    cause,
  })
}

/** The packed bytes inside the calldata; the encoding around them must be the canonical one. */
function unwrap(data: Hex): Hex {
  let packed: Hex
  try {
    packed = decodeFunctionData({ abi: multiSendAbi, data }).args[0]
  } catch (cause) {
    throw malformed('it is not calldata of `multiSend(bytes)`', cause)
  }
  const canonical = encodeFunctionData({ abi: multiSendAbi, functionName: 'multiSend', args: [packed] })
  if (canonical !== data.toLowerCase()) throw malformed('its ABI encoding is not the canonical one')
  return packed
}

/**
 * Takes the calldata of `multiSend(bytes)` apart. Strict, unlike the contract: every byte must belong to an entry.
 *
 * @throws CountersignError `MULTISEND_MALFORMED` on leftover bytes, lengths beyond the end, or an operation above 1.
 */
export function decodeMultiSend(data: Hex): BatchedCall[] {
  // Works on the text: slicing bytes anew for each entry would take quadratic time.
  const digits = unwrap(data).slice(2)
  const calls: BatchedCall[] = []
  let at = 0
  while (at < digits.length) {
    if (digits.length - at < HEAD_DIGITS) throw malformed(`${(digits.length - at) / 2} bytes are left over`)
    const operation = Number.parseInt(digits.slice(at, at + 2), 16)
    if (operation !== 0 && operation !== 1) throw malformed(`entry ${calls.length + 1} has operation ${operation}`)
    const length = BigInt(`0x${digits.slice(at + 106, at + HEAD_DIGITS)}`)
    const start = at + HEAD_DIGITS
    if (BigInt(start) + length * 2n > BigInt(digits.length)) {
      throw malformed(`entry ${calls.length + 1} is longer than the batch`)
    }
    const end = start + Number(length) * 2
    calls.push({
      operation,
      to: getAddress(`0x${digits.slice(at + 2, at + 42)}`),
      value: BigInt(`0x${digits.slice(at + 42, at + 106)}`),
      data: `0x${digits.slice(start, end)}`,
    })
    at = end
  }
  return calls
}

/** Whether calldata starts with the selector of `multiSend(bytes)`. */
export function isMultiSend(data: Hex): boolean {
  return size(data) >= 4 && slice(data, 0, 4).toLowerCase() === '0x8d80ff0a'
}
