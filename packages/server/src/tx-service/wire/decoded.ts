import {
  CountersignError,
  type DecodedValue,
  decodeParameters,
  deploymentAt,
  parseAbiSignature,
} from '@countersign/safe'
import { type Call as DescribedCall, describeCall } from '@countersign/safe/calls'
import type { Address, Hex } from 'viem'
import { orNull, toData } from './values.ts'

export type Decoded = { method: string; parameters: Parameter[] }
type Value = string | readonly Value[]
type Parameter = { name: string; type: string; value: Value; valueDecoded?: unknown }

/** In lists; one transaction alone is decoded whatever its length. Decoding a page of long ones would hold up all others. */
export const MAX_BYTES_IN_LISTS = 8_192

/**
 * The call of a transaction by its own bytes. Null where nothing is known that reads them, and where they run as the Safe
 * in code that is no release of the Safe project: what that code makes of a familiar selector nobody knows.
 */
export function decodeCall(call: {
  to: Address | null
  value: bigint | null
  data: Hex | null
  operation: 0 | 1 | null
  safeAddress: Address
}): Decoded | null {
  const { to, data, operation, safeAddress } = call
  if (to === null || data === null || data === '0x') return null
  if (operation === 1 && deploymentAt(to) === null) return null
  // Neither throws for any bytes. If one did, its row alone would be without a decoded call, and not the whole list.
  return orNull(() =>
    toDecoded(describeCall({ to, data, value: call.value ?? 0n, operation: operation ?? 0, safeAddress })),
  )
}

const erc20 = new Set([
  'transfer(address,uint256)',
  'approve(address,uint256)',
  'transferFrom(address,address,uint256)',
])

export function toDecoded(call: DescribedCall): Decoded | null {
  if (call.name === null) return null
  const method = call.name.split('(')[0] ?? ''
  if (call.kind === 'multi-send') {
    const parameter = batchParameter(call)
    return parameter && { method, parameters: [parameter] }
  }
  const parameters = call.args.map(
    ({ name, type, decoded }): Parameter => ({ name: nameOf(call.name, name), type, value: toValue(decoded) }),
  )
  const [inner] = call.calls ?? []
  // The third of another Safe's `execTransaction` is what that one then calls.
  if (call.name.startsWith('execTransaction(') && inner && parameters[2]?.name === 'data')
    parameters[2].valueDecoded = decodedInside(inner)
  return { method, parameters }
}

/** As the Safe contracts themselves name it, and the service those of ERC-20: clients look it up by that. */
function nameOf(method: string | null, parameter: string): string {
  if (method !== null && erc20.has(method)) return parameter === 'amount' ? 'value' : parameter
  const isSafes = /^(?:setup|addOwnerWithThreshold|removeOwner|changeThreshold)\(/.test(method ?? '')
  return isSafes && (parameter === 'owners' || parameter === 'threshold') ? `_${parameter}` : parameter
}

const { inputs: batchInputs } = parseAbiSignature('multiSend(bytes transactions)')

/** Returns the bytes of a batch, by the decoder that found its entries. Null when the calldata has none. */
function batchBytes(data: Hex): Hex | null {
  try {
    const [transactions] = decodeParameters(batchInputs, data, 4).values
    return transactions?.kind === 'bytes' ? transactions.value : null
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'CALLDATA_MALFORMED') return null
    throw error
  }
}

function batchParameter(call: DescribedCall): Parameter | null {
  const value = batchBytes(call.data)
  if (value === null) return null
  const plain = { name: 'transactions', type: 'bytes', value }
  // A batch that is not decoded to its end is not shown in part.
  if (call.problem !== null || call.undecodedBytes > 0) return { ...plain, valueDecoded: null }
  return {
    ...plain,
    valueDecoded: (call.calls ?? []).map((inner) => ({
      operation: inner.operation,
      to: inner.to,
      value: inner.value.toString(),
      data: toData(inner.data),
      dataDecoded: decodedInside(inner),
    })),
  }
}

function decodedInside(inner: DescribedCall): Decoded | null {
  return inner.operation === 1 && deploymentAt(inner.to) === null ? null : toDecoded(inner)
}

/** Numbers in decimal; the words of this wire for booleans begin with a capital. */
function toValue(decoded: DecodedValue): Value {
  switch (decoded.kind) {
    case 'number':
      return decoded.value.toString()
    case 'bool':
      return decoded.value ? 'True' : 'False'
    case 'text':
      return decoded.value ?? decoded.raw
    case 'list':
    case 'tuple':
      return decoded.value.map(toValue)
    default:
      return decoded.value
  }
}
