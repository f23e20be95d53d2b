import { type AbiType, CountersignError, isRecord } from '@countersign/safe'
import { type KnownFunction, parseGivenFunctions } from '@countersign/safe/calls'
import { encodeTypedCall, type TypedValue } from '@countersign/safe/compose'
import type { Hex } from 'viem'
import { errorSentenceText } from '../../text/errors.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import type { Typed } from './draft.ts'
import { text } from './text.ts'

type ReadAbi = { functions: KnownFunction[] } | { error: string }

/** The ABI that was read last: a long one is not read again with every key that is pressed. */
let last: { abi: string; read: ReadAbi } | null = null

/** Functions of the ABI that was pasted or chosen; or why it is none. */
export function functionsOf({ abi }: Pick<Typed, 'abi'>): ReadAbi {
  if (last?.abi !== abi) last = { abi, read: readAbi(abi) }
  return last.read
}

function readAbi(abi: string): ReadAbi {
  if (abi.trim() === '') return { error: text('compose.abi.empty') }
  try {
    const functions = parseGivenFunctions(abi)
    return functions.length > 0 ? { functions } : { error: text('compose.abi.none') }
  } catch (error) {
    if (error instanceof CountersignError) return { error: errorSentenceText(error) }
    throw error
  }
}

/** The function that was chosen; the only one where there is no choice. */
export function chosenFunction(typed: Pick<Typed, 'abi' | 'function'>): KnownFunction | undefined {
  const read = functionsOf(typed)
  if ('error' in read) return undefined
  return (
    read.functions.find(({ signature }) => signature === typed.function) ??
    (read.functions.length === 1 ? read.functions[0] : undefined)
  )
}

/** Whether the JSON of an ABI says that a function takes no coin. A signature alone says nothing of it. */
export function takesNoCoin({ abi }: Pick<Typed, 'abi'>, { name, inputs }: KnownFunction): boolean {
  try {
    const parsed: unknown = JSON.parse(abi)
    const entries: unknown[] = Array.isArray(parsed) ? parsed : [parsed]
    const isOf = (entry: unknown): entry is { stateMutability?: unknown; payable?: unknown } =>
      isRecord(entry) &&
      entry.name === name &&
      (entry.type === undefined || entry.type === 'function') &&
      Array.isArray(entry.inputs) &&
      entry.inputs.length === inputs.length
    const ofName = entries.filter(isOf)
    return (
      ofName.length > 0 &&
      ofName.every(
        ({ stateMutability, payable }) =>
          payable !== true && typeof stateMutability === 'string' && stateMutability !== 'payable',
      )
    )
  } catch {
    return false
  }
}

/** The values as the draft keeps them: JSON of texts, in lists. */
export function valuesOf({ args }: Pick<Typed, 'args'>): TypedValue[] {
  try {
    const kept: unknown = JSON.parse(args === '' ? '[]' : args)
    return Array.isArray(kept) ? kept.map(toValue) : []
  } catch {
    return []
  }
}

function toValue(value: unknown): TypedValue {
  return Array.isArray(value) ? value.map(toValue) : typeof value === 'string' ? value : ''
}

/** A value of nothing typed: every member of a tuple, and as many of a list as it must have. */
export function emptyValue(type: AbiType): TypedValue {
  if (type.kind === 'tuple') return type.members.map((member) => emptyValue(member.type))
  if (type.kind === 'list') return Array.from({ length: type.length ?? 0 }, () => emptyValue(type.element))
  return type.kind === 'bool' ? 'false' : ''
}

const MAX_FIELDS = 1_000

/** Whether a form can show the values of a function: lists in lists of a fixed length may need billions. */
export function hasRoom({ inputs }: KnownFunction): boolean {
  return inputs.reduce((sum, { type }) => sum + countFields(type), 0) <= MAX_FIELDS
}

function countFields(type: AbiType): number {
  if (type.kind === 'list') return (type.length ?? 1) * countFields(type.element)
  return type.kind === 'tuple' ? type.members.reduce((sum, member) => sum + countFields(member.type), 0) : 1
}

/** A value as its fields show it. A draft of the team may hold others, which would be encoded unseen. */
function asShown(type: AbiType, value: TypedValue): TypedValue {
  if (type.kind !== 'list' && type.kind !== 'tuple') {
    const isHidden = typeof value !== 'string' || (type.kind === 'bool' && value !== value.trim())
    return isHidden ? '' : value
  }
  const parts = typeof value === 'string' ? [] : value
  return parts.map((part, index) => {
    const inner = type.kind === 'list' ? type.element : type.members[index]?.type
    return inner === undefined ? part : asShown(inner, part)
  })
}

/** The calldata of what was chosen and typed, or the faults of the values by their path. */
export function encodeTyped(
  called: KnownFunction,
  typed: Typed,
): { data: Hex } | { faults: ReadonlyMap<string, string> } {
  const values = valuesOf(typed)
  const shown = called.inputs.map(({ type }, index) => asShown(type, values[index] ?? emptyValue(type)))
  const encoded = encodeTypedCall(called, shown)
  if (encoded.ok) return { data: encoded.data }
  return {
    faults: new Map(
      encoded.problems.map(({ path, reason, type, typed: shown }) => [
        path.join('.'),
        reason !== 'wrong-length' && shown.trim() === ''
          ? text('compose.value.empty', { type })
          : text(`compose.value.${reason}`, { type, typed: showUntrusted(shown, 60) }),
      ]),
    ),
  }
}
