import type { DecodedValue } from '../abi/abi-decode.ts'

/**
 * One argument. `value` is decimal, hex, true/false, text, or JSON for lists; `decoded` is the same with its type, its
 * members and the bytes of `data` it comes from.
 */
export type CallArgument = { name: string; type: string; value: string; decoded: DecodedValue }

/** A decoded value as an argument. */
export function describeArgument(decoded: DecodedValue): CallArgument {
  const plain = toPlain(decoded)
  const value = typeof plain === 'string' ? plain : JSON.stringify(plain)
  return { name: decoded.name, type: decoded.type, value, decoded }
}

/** The value as JSON can hold it: numbers in decimal, tuples by name where every member has one. */
function toPlain(decoded: DecodedValue): unknown {
  switch (decoded.kind) {
    case 'number':
    case 'bool':
      return String(decoded.value)
    case 'text':
      return decoded.value ?? decoded.raw
    case 'list':
      return decoded.value.map(toPlain)
    case 'tuple':
      return decoded.value.every(({ name }) => name !== '')
        ? Object.fromEntries(decoded.value.map((member) => [member.name, toPlain(member)]))
        : decoded.value.map(toPlain)
    default:
      return decoded.value
  }
}
