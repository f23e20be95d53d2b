import { type Address, concatHex, getAddress, type Hex, size, slice, toHex } from 'viem'
import { addressWord, assertBytes, isBytes, showValue, uintWord } from '../abi/abi-word.ts'
import { fail } from '../error-sentences.ts'

/** How an owner's signature is to be read, by its last byte `v` (Safe.sol `checkNSignatures`). */
export type SignatureType = 'EOA' | 'ETH_SIGN' | 'APPROVED_HASH' | 'CONTRACT_SIGNATURE'

/** A signature taken apart. `owner` stands in the signature itself for all but the ECDSA kinds. */
export type ParsedSignature =
  | {
      signatureType: 'EOA' | 'ETH_SIGN'
      r: Hex
      s: Hex
      v: number /** 65 bytes, v written as the Safe expects it */
      signature: Hex
    }
  | { signatureType: 'APPROVED_HASH' | 'CONTRACT_SIGNATURE'; owner: Address; signature: Hex }

/** Bytes of the fixed part of a signature */
export const SIGNATURE_SIZE = 65
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

function malformed(signature: Hex, reason: 'not-hex' | 'owner' | 'range' | 'not-of-contract' | 'not-alone') {
  return fail('SIGNATURE_MALFORMED', { reason, signature: showValue(signature, 132) })
}

/** `getAddress` is not used on bytes with a dirty upper half: such an owner would be read differently by two readers. */
function ownerInside(signature: Hex): Address {
  const word = slice(signature, 0, 32)
  if (BigInt(word) >> 160n !== 0n) throw malformed(signature, 'owner')
  return getAddress(slice(word, 12))
}

/** For a `v` that no released Safe knows: says what it most likely is. */
function unknownKind(signature: Hex, v: number) {
  if (v === 2) return fail('SIGNATURE_KIND_NOT_SUPPORTED', { reason: 'secp256r1', signature, v })
  return fail('SIGNATURE_MALFORMED', { reason: v >= 35 ? 'chain-id' : 'kind', signature, v })
}

/** Whether `r` and `s` can come from a key: both from 1 to the order of the curve less 1. */
export function isEcdsaRange(r: Hex, s: Hex): boolean {
  return [r, s].every((word) => BigInt(word) !== 0n && BigInt(word) < ORDER)
}

/** Whether `s` is in the upper half: for the Safe it is the same signature, in other bytes (malleability). */
export function isHighS(s: Hex): boolean {
  return BigInt(s) > HALF_ORDER
}

/**
 * Reads one signature: `r ‖ s ‖ v`, 65 bytes; a contract signature has its bytes behind that. Released Safes accept four
 * kinds; every other `v` is refused by its name. A `v` of 0 or 1 from wallets that leave out the 27 cannot be told from
 * contract signatures and approved hashes; it is taken as ECDSA only by {@link normalizeSignature}.
 *
 * @throws CountersignError `SIGNATURE_MALFORMED` when length, owner, `r` or `s` are impossible, or `v` is of no kind.
 * @throws CountersignError `SIGNATURE_KIND_NOT_SUPPORTED` for `v` = 2 (secp256r1).
 * @example
 * parseSignature(signature).signatureType // EOA
 */
export function parseSignature(signature: Hex): ParsedSignature {
  if (!isBytes(signature)) throw malformed(signature, 'not-hex')
  const bytes = size(signature)
  const wrongSize = () => fail('SIGNATURE_MALFORMED', { reason: 'size', signature: showValue(signature, 132), bytes })
  if (bytes < SIGNATURE_SIZE) throw wrongSize()
  const v = Number(slice(signature, 64, 65))
  if (v === 0) return { signatureType: 'CONTRACT_SIGNATURE', owner: ownerInside(signature), signature }
  if (bytes !== SIGNATURE_SIZE) throw wrongSize()
  if (v === 1) return { signatureType: 'APPROVED_HASH', owner: ownerInside(signature), signature }
  const isEthSign = v === 31 || v === 32
  if (!isEthSign && v !== 27 && v !== 28) throw unknownKind(signature, v)
  const r = slice(signature, 0, 32)
  const s = slice(signature, 32, 64)
  if (!isEcdsaRange(r, s)) {
    throw malformed(signature, 'range')
  }
  return { signatureType: isEthSign ? 'ETH_SIGN' : 'EOA', r, s, v, signature: signature.toLowerCase() as Hex }
}

/**
 * The kind of a signature; null when it cannot be read.
 *
 * @example
 * signatureTypeOf(confirmation.signature) // 'EOA'
 */
export function signatureTypeOf(signature: Hex): SignatureType | null {
  try {
    return parseSignature(signature).signatureType
  } catch {
    return null
  }
}

/**
 * Expands a compact signature (EIP-2098, 64 bytes, `v` in the highest bit of `s`) to the 65 bytes that the Safe expects. Returns
 * null for any other length. A contract signature can also have 64 bytes, so compare the recovered account.
 *
 * @example
 * expandCompactSignature(serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))) // signature
 */
export function expandCompactSignature(signature: Hex): Hex | null {
  if (!isBytes(signature) || size(signature) !== SIGNATURE_SIZE - 1) return null
  const word = BigInt(slice(signature, 32))
  const s = toHex(word & ((1n << 255n) - 1n), { size: 32 })
  return concatHex([slice(signature, 0, 32), s, word >> 255n === 1n ? '0x1c' : '0x1b'])
}

/** Normalises `v` to 27 or 28 and `s` to the lower half. Returns null if this is not a plain ECDSA signature. */
function lowForm(given: Hex): { head: Hex; v: number } | null {
  const signature = expandCompactSignature(given) ?? given
  if (!isBytes(signature) || size(signature) !== SIGNATURE_SIZE) return null
  const v = Number(slice(signature, 64, 65))
  if (![0, 1, 27, 28].includes(v)) return null
  const parity = v % 27
  const s = slice(signature, 32, 64)
  const isReflected = isHighS(s) && BigInt(s) < ORDER
  const low = isReflected ? uintWord('s', ORDER - BigInt(s)) : s
  return { head: concatHex([slice(signature, 0, 32), low]), v: 27 + (isReflected ? 1 - parity : parity) }
}

/**
 * Brings what a wallet returned from `eth_signTypedData_v4` into the form that the Safe accepts: `v` 0 and 1 become 27
 * and 28, a compact one of 64 bytes gets its `v`, and a high `s` becomes the low one: the Safe takes both, so that two texts
 * would be one signature. Only for signatures that come straight from a wallet.
 *
 * @throws CountersignError as {@link parseSignature}.
 * @example
 * normalizeSignature(await wallet.signTypedData(safeTxTypedData(context)))
 */
export function normalizeSignature(signature: Hex): Hex {
  const low = lowForm(signature)
  return parseSignature(low === null ? signature : concatHex([low.head, toHex(low.v)])).signature
}

/**
 * Normalizes the result of `personal_sign` or `eth_sign` over the 32 bytes of the hash: `v` becomes 31 or 32, by
 * which Safes from 1.1.0 on know that the hash was signed as a message. Older ones refuse it.
 *
 * @throws CountersignError as {@link parseSignature}.
 * @example
 * normalizeEthSignature(await wallet.signMessage({ message: { raw: safeTxHash } }))
 */
export function normalizeEthSignature(signature: Hex): Hex {
  const low = lowForm(signature)
  return parseSignature(low === null ? signature : concatHex([low.head, toHex(low.v + 4)])).signature
}

/**
 * The signature that stands for an approval on the chain (`approveHash`), or for the executor's own consent: `v` = 1.
 *
 * @throws CountersignError `FIELD_MALFORMED` when the owner is no address.
 * @example
 * encodeSignatures([...confirmations, { owner: executor, signature: encodeApprovedHash(executor) }])
 */
export function encodeApprovedHash(owner: Address): Hex {
  return concatHex([addressWord('owner', owner), uintWord('s', 0), '0x01'])
}

/**
 * The signature of an owner that is a contract: `owner ‖ 65 ‖ 0 ‖ length ‖ bytes`, `v` = 0. For an owner that is a Safe
 * the bytes are the joined signatures of its own owners.
 *
 * @throws CountersignError `FIELD_MALFORMED` when the owner is no address, or the bytes are none.
 * @example
 * encodeContractSignature(nestedSafe, encodeSignatures(confirmationsOfItsOwners))
 */
export function encodeContractSignature(owner: Address, bytes: Hex): Hex {
  assertBytes('bytes', bytes)
  const head = [addressWord('owner', owner), uintWord('s', SIGNATURE_SIZE), '0x00'] as const
  return concatHex([...head, uintWord('length', size(bytes)), bytes])
}

/**
 * The bytes that an owner that is a contract is asked about, out of its signature that stands alone. They follow the
 * fixed part at once and end with the signature: nothing hides before, between or behind.
 *
 * @throws CountersignError `SIGNATURE_MALFORMED` when it is another kind, or points anywhere else.
 * @example
 * contractSignatureBytes(encodeContractSignature(owner, '0x1234')) // 0x1234
 */
export function contractSignatureBytes(signature: Hex): Hex {
  const parsed = parseSignature(signature)
  if (parsed.signatureType !== 'CONTRACT_SIGNATURE') {
    throw malformed(signature, 'not-of-contract')
  }
  const isWhole =
    size(signature) >= SIGNATURE_SIZE + 32 &&
    BigInt(slice(signature, 32, 64)) === BigInt(SIGNATURE_SIZE) &&
    BigInt(slice(signature, SIGNATURE_SIZE, SIGNATURE_SIZE + 32)) === BigInt(size(signature) - SIGNATURE_SIZE - 32)
  if (!isWhole) {
    throw malformed(signature, 'not-alone')
  }
  return size(signature) === SIGNATURE_SIZE + 32 ? '0x' : slice(signature, SIGNATURE_SIZE + 32)
}
