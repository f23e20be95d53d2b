import { type Address, bytesToHex, concatHex, type Hex, hexToBytes, size, slice } from 'viem'
import { addressWord, isBytes, showValue, uintWord } from '../abi/abi-word.ts'
import { fail } from '../error-sentences.ts'
import {
  contractSignatureBytes,
  encodeContractSignature,
  isEcdsaRange,
  isHighS,
  type ParsedSignature,
  parseSignature,
  SIGNATURE_SIZE,
} from './signature.ts'

/** A fault in the bytes of `signatures`, whatever the contract makes of it. */
export type SignaturesProblemCode =
  /** There are fewer fixed parts than asked for. */
  | 'TOO_SHORT'
  /** `v` is none of the four kinds. */
  | 'UNKNOWN_KIND'
  /** `r` or `s` can come from no key. */
  | 'IMPOSSIBLE_ECDSA'
  /** `s` is in the upper half: the contract accepts it, and so it does the other form of the same signature. */
  | 'HIGH_S'
  /** There is something in front of the owner's address: the contract cuts it off. */
  | 'DIRTY_OWNER'
  /** A contract signature points into the fixed parts, */
  | 'POINTER_IN_FIXED_PART'
  /** or to where there is no length, */
  | 'POINTER_OUT_OF_BOUNDS'
  /** or its length goes beyond the end, */
  | 'LENGTH_OUT_OF_BOUNDS'
  /** or its bytes are also another one's. */
  | 'OVERLAP'
  /** Bytes that no signature refers to. */
  | 'UNUSED_BYTES'

/** Where something is wrong: bytes `start` to `end`, not included, of the signatures. */
export type SignaturesProblem = {
  code: SignaturesProblemCode
  /** Which signature, from 0; null when it is of none. */
  index: number | null
  start: number
  end: number
}

/** Content of the `signatures` argument of `execTransaction`, and its faults. */
export type DecodedSignatures = {
  /** One for each fixed part; null where it cannot be read. Contract signatures stand alone, with their own bytes. */
  signatures: (ParsedSignature | null)[]
  /** In order of their place. None: every byte belongs to one signature, and to one alone. */
  problems: SignaturesProblem[]
}

/**
 * Joins confirmations into the `signatures` argument of `execTransaction`: strictly ascending by owner, as the Safe
 * demands (GS026). Contract signatures get their bytes behind the fixed parts.
 *
 * @throws CountersignError `SIGNATURE_MALFORMED` when two are from one owner, one cannot be read, or one names another
 * owner than the given one; `FIELD_MALFORMED` when an owner is no address.
 * @example
 * encodeExecTransaction(safeTx, encodeSignatures(confirmations))
 */
export function encodeSignatures(confirmations: readonly { owner: Address; signature: Hex }[]): Hex {
  const sorted = confirmations
    .map(({ owner, signature }) => ({ owner, signature, order: BigInt(addressWord('owner', owner)) }))
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
  const heads: Hex[] = []
  const tails: Hex[] = []
  let offset = sorted.length * SIGNATURE_SIZE
  for (const [index, { owner, signature, order }] of sorted.entries()) {
    if (sorted[index - 1]?.order === order) throw fail('SIGNATURE_MALFORMED', { reason: 'two-of-owner', owner })
    const parsed = parseSignature(signature)
    if ('owner' in parsed && BigInt(parsed.owner) !== order) {
      throw fail('SIGNATURE_MALFORMED', { reason: 'other-owner', owner, named: parsed.owner })
    }
    if (parsed.signatureType !== 'CONTRACT_SIGNATURE') {
      heads.push(parsed.signature)
      continue
    }
    const bytes = contractSignatureBytes(parsed.signature)
    heads.push(concatHex([slice(parsed.signature, 0, 32), uintWord('offset', offset), '0x00']))
    tails.push(uintWord('length', size(bytes)), bytes)
    offset += 32 + size(bytes)
  }
  return concatHex([...heads, ...tails])
}

/** The `signatures` argument as bytes. */
export function signaturesBytes(signatures: Hex): Uint8Array {
  if (isBytes(signatures)) return hexToBytes(signatures)
  throw fail('SIGNATURE_MALFORMED', { reason: 'not-hex', signature: showValue(signatures) })
}

/** One word of the bytes as a number. */
export function wordAt(bytes: Uint8Array, start: number): bigint {
  return BigInt(bytesToHex(bytes.subarray(start, start + 32)))
}

type Dynamic = { index: number; start: number; end: number }

/**
 * Reads the `signatures` argument of `execTransaction` strictly, without asking whose they are: every byte is a part of
 * one signature, or named in `problems`. Contracts are not that strict; what one of them would do with these bytes says
 * {@link checkSignatures}.
 *
 * @param count - how many signatures there are to be: the threshold. Further ones are `UNUSED_BYTES`, as for the Safe.
 * @throws CountersignError `SIGNATURE_MALFORMED` when it is not hex at all, `FIELD_MALFORMED` when `count` is no count.
 * @example
 * decodeSignatures(decodeExecTransaction(data)?.signatures ?? '0x', threshold).problems // none in an honest execution
 */
export function decodeSignatures(signatures: Hex, count: number): DecodedSignatures {
  uintWord('count', count)
  const bytes = signaturesBytes(signatures)
  const fixedEnd = count * SIGNATURE_SIZE
  const found: (ParsedSignature | null)[] = []
  const problems: SignaturesProblem[] = []
  const dynamics: Dynamic[] = []
  const note = (code: SignaturesProblemCode, index: number | null, start: number, end: number) => {
    problems.push({ code, index, start, end })
  }

  const whole = Math.min(count, Math.floor(bytes.length / SIGNATURE_SIZE))
  for (let index = 0; index < whole; index += 1) {
    const start = index * SIGNATURE_SIZE
    const head = bytes.subarray(start, start + SIGNATURE_SIZE)
    const problem = faultOfHead(bytes, head, fixedEnd)
    if (problem === null || problem === 'HIGH_S') found.push(parseSignature(bytesToHex(head)))
    else found.push(null)
    if (problem !== null) note(problem, index, start, start + SIGNATURE_SIZE)
    if (problem === null && head[64] === 0) {
      const place = Number(wordAt(head, 32))
      dynamics.push({ index, start: place, end: place + 32 + Number(wordAt(bytes, place)) })
    }
  }
  if (bytes.length < fixedEnd) note('TOO_SHORT', null, bytes.length, fixedEnd)

  let used = Math.min(fixedEnd, whole * SIGNATURE_SIZE)
  for (const { index, start, end } of dynamics.toSorted((one, other) => one.start - other.start)) {
    const parsed = found[index]
    if (start < used) {
      // Taking the same bytes many times over would let a short text grow without bound.
      found[index] = null
      note('OVERLAP', index, start, Math.min(used, end))
    } else {
      if (start > used) note('UNUSED_BYTES', null, used, start)
      if (parsed?.signatureType === 'CONTRACT_SIGNATURE') {
        const inner = bytesToHex(bytes.subarray(start + 32, end))
        found[index] = { ...parsed, signature: encodeContractSignature(parsed.owner, inner) }
      }
    }
    used = Math.max(used, end)
  }
  if (used < bytes.length) note('UNUSED_BYTES', null, used, bytes.length)
  return { signatures: found, problems: problems.toSorted((one, other) => one.start - other.start) }
}

/** Finds the fault of one fixed part and of the place it points to. */
function faultOfHead(bytes: Uint8Array, head: Uint8Array, fixedEnd: number): SignaturesProblemCode | null {
  const v = head[64] ?? 0
  const [r, s] = [bytesToHex(head.subarray(0, 32)), bytesToHex(head.subarray(32, 64))]
  if (v === 0 || v === 1) {
    if (BigInt(r) >> 160n !== 0n) return 'DIRTY_OWNER'
    return v === 1 ? null : checkPointer(bytes, BigInt(s), fixedEnd)
  }
  if (![27, 28, 31, 32].includes(v)) return 'UNKNOWN_KIND'
  if (!isEcdsaRange(r, s)) return 'IMPOSSIBLE_ECDSA'
  return isHighS(s) ? 'HIGH_S' : null
}

/** Reasons why a contract signature cannot be at the offset in its fixed part. */
export type PointerProblem = 'POINTER_IN_FIXED_PART' | 'POINTER_OUT_OF_BOUNDS' | 'LENGTH_OUT_OF_BOUNDS'

/** Finds the fault of a contract signature's place, in the order in which a Safe looks (GS021 to GS023). */
export function checkPointer(bytes: Uint8Array, offset: bigint, fixedEnd: number): PointerProblem | null {
  if (offset < BigInt(fixedEnd)) return 'POINTER_IN_FIXED_PART'
  if (offset + 32n > BigInt(bytes.length)) return 'POINTER_OUT_OF_BOUNDS'
  if (offset + 32n + wordAt(bytes, Number(offset)) > BigInt(bytes.length)) return 'LENGTH_OUT_OF_BOUNDS'
  return null
}

/**
 * How many signatures these bytes hold when the threshold of their time is not known: fixed parts go on until the first
 * place that one of them points to, or to the end. A reading, not a proof: for {@link decodeSignatures} of an old execution.
 *
 * @throws CountersignError `SIGNATURE_MALFORMED` when it is not hex at all.
 * @example
 * decodeSignatures(signatures, countSignatures(signatures))
 */
export function countSignatures(signatures: Hex): number {
  const bytes = signaturesBytes(signatures)
  let end = bytes.length
  let count = 0
  while ((count + 1) * SIGNATURE_SIZE <= end) {
    const start = count * SIGNATURE_SIZE
    count += 1
    if (bytes[start + 64] !== 0) continue
    const place = wordAt(bytes, start + 32)
    if (place >= BigInt(count * SIGNATURE_SIZE)) end = Math.min(end, Number(place))
  }
  return count
}

/**
 * Takes apart what somebody sends who confirms: one signature or several, in any order, contract signatures with their
 * bytes behind the fixed parts. Fewer than 65 bytes behind the last one are padding, and left out; whatever else is of no
 * signature is refused.
 *
 * @returns at least one; contract signatures stand alone, with their own bytes.
 * @throws CountersignError `SIGNATURE_MALFORMED`, `SIGNATURE_KIND_NOT_SUPPORTED` for `v` = 2.
 * @example
 * splitSignatures(encodeSignatures(confirmations)).length // as many as there were
 */
export function splitSignatures(signatures: Hex): ParsedSignature[] {
  const count = countSignatures(signatures)
  const { signatures: found, problems } = decodeSignatures(signatures, count)
  if (count === 0) throw fail('SIGNATURE_MALFORMED', { reason: 'short', signature: showValue(signatures, 132) })
  for (const { code, index, start, end } of problems) {
    const isPadding = code === 'UNUSED_BYTES' && end === size(signatures) && end - start < SIGNATURE_SIZE
    if (isPadding || code === 'HIGH_S') continue
    // It says what is wrong with one that stands alone.
    if (index !== null) parseSignature(slice(signatures, index * SIGNATURE_SIZE, (index + 1) * SIGNATURE_SIZE))
    throw fail('SIGNATURE_MALFORMED', { reason: 'leftover', problem: code, index, start, end })
  }
  return found.filter((part) => part !== null)
}
