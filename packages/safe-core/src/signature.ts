import { type Address, concatHex, getAddress, type Hex, size, slice } from 'viem'
import { CountersignError } from './error.ts'

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

const SIGNATURE_SIZE = 65
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** `getAddress` is not used on bytes with a dirty upper half: such an owner would be read differently by two readers. */
function ownerInside(signature: Hex): Address {
  const word = slice(signature, 0, 32)
  if (BigInt(word) >> 160n !== 0n) {
    throw new CountersignError('SIGNATURE_MALFORMED', `The signature \`${signature}\` names no clean owner address.`, {
      data: { signature },
    })
  }
  return getAddress(slice(word, 12))
}

/**
 * Reads one signature of 65 bytes: `r ‖ s ‖ v`. A `v` of 0 or 1 from wallets that leave out the 27 cannot be told from
 * contract signatures and approved hashes; it is taken as ECDSA only by {@link normalizeSignature}.
 *
 * @throws CountersignError `SIGNATURE_MALFORMED` when length, `v`, `r` or `s` are impossible.
 * @throws CountersignError `SIGNATURE_KIND_NOT_SUPPORTED` for `v` = 2 (secp256r1).
 */
export function parseSignature(signature: Hex): ParsedSignature {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(signature)) {
    throw new CountersignError('SIGNATURE_MALFORMED', `The signature \`${signature}\` is not hex.`, {
      data: { signature },
    })
  }
  const bytes = size(signature)
  if (bytes < SIGNATURE_SIZE) {
    throw new CountersignError('SIGNATURE_MALFORMED', `The signature \`${signature}\` has ${bytes} bytes, not 65.`, {
      data: { bytes },
    })
  }
  const v = Number(slice(signature, 64, 65))
  if (v === 0) return { signatureType: 'CONTRACT_SIGNATURE', owner: ownerInside(signature), signature }
  if (bytes !== SIGNATURE_SIZE) {
    throw new CountersignError('SIGNATURE_MALFORMED', `The signature \`${signature}\` has ${bytes} bytes, not 65.`, {
      data: { bytes },
    })
  }
  if (v === 1) return { signatureType: 'APPROVED_HASH', owner: ownerInside(signature), signature }
  if (v === 2) {
    throw new CountersignError(
      'SIGNATURE_KIND_NOT_SUPPORTED',
      `The signature \`${signature}\` is of the kind secp256r1 (v = 2).`,
      { data: { v } },
    )
  }
  const isEthSign = v === 31 || v === 32
  if (!isEthSign && v !== 27 && v !== 28) {
    throw new CountersignError('SIGNATURE_MALFORMED', `The signature \`${signature}\` ends with v = ${v}.`, {
      data: { v },
    })
  }
  const r = slice(signature, 0, 32)
  const s = slice(signature, 32, 64)
  if (BigInt(r) === 0n || BigInt(r) >= ORDER || BigInt(s) === 0n || BigInt(s) >= ORDER) {
    throw new CountersignError(
      'SIGNATURE_MALFORMED',
      `The signature \`${signature}\` has an r or s that no key can produce.`,
      {
        data: { signature },
      },
    )
  }
  return { signatureType: isEthSign ? 'ETH_SIGN' : 'EOA', r, s, v, signature: signature.toLowerCase() as Hex }
}

/**
 * Brings what a wallet returned from `eth_signTypedData_v4` into the form that the Safe accepts: `v` 0 and 1 become 27
 * and 28, and a high `s` becomes the low one. Only for signatures that come straight from a wallet.
 *
 * @throws CountersignError `SIGNATURE_MALFORMED` when it is not an ECDSA signature of 65 bytes.
 */
export function normalizeSignature(signature: Hex): Hex {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return parseSignature(signature).signature
  const v = Number(slice(signature, 64, 65))
  const high = BigInt(slice(signature, 32, 64))
  const isHigh = high > HALF_ORDER && high < ORDER
  const parity = v === 0 || v === 1 ? v : v === 27 || v === 28 ? v - 27 : null
  if (parity === null) return parseSignature(signature).signature
  const s = isHigh ? ORDER - high : high
  const sHex: Hex = `0x${s.toString(16).padStart(64, '0')}`
  const vHex: Hex = (isHigh ? 1 - parity : parity) === 0 ? '0x1b' : '0x1c'
  return parseSignature(concatHex([slice(signature, 0, 32), sHex, vHex])).signature
}

/**
 * Joins confirmations into the `signatures` argument of `execTransaction`: strictly ascending by owner, as the Safe
 * demands (GS026). Contract signatures get their dynamic part appended.
 *
 * @throws CountersignError `SIGNATURE_MALFORMED` when two are from one owner, or one cannot be read.
 */
export function encodeSignatures(confirmations: readonly { owner: Address; signature: Hex }[]): Hex {
  const sorted = confirmations.toSorted((one, other) => (BigInt(one.owner) < BigInt(other.owner) ? -1 : 1))
  const heads: Hex[] = []
  const tails: Hex[] = []
  let offset = sorted.length * SIGNATURE_SIZE
  for (const [index, { owner, signature }] of sorted.entries()) {
    if (index > 0 && sorted[index - 1]?.owner.toLowerCase() === owner.toLowerCase()) {
      throw new CountersignError('SIGNATURE_MALFORMED', `The owner \`${owner}\` has two signatures.`, {
        data: { owner },
      })
    }
    const parsed = parseSignature(signature)
    if (parsed.signatureType !== 'CONTRACT_SIGNATURE') {
      heads.push(parsed.signature)
      continue
    }
    const tail = dynamicPart(parsed.signature)
    heads.push(concatHex([slice(parsed.signature, 0, 32), word(BigInt(offset)), '0x00']))
    tails.push(tail)
    offset += size(tail)
  }
  return concatHex([...heads, ...tails])
}

function word(value: bigint): Hex {
  return `0x${value.toString(16).padStart(64, '0')}`
}

/** Length word and bytes of a contract signature that stands alone: `r = owner, s = offset, v = 0, length, bytes`. */
function dynamicPart(signature: Hex): Hex {
  const offset = BigInt(slice(signature, 32, 64))
  const bytes = BigInt(size(signature))
  const malformed = new CountersignError(
    'SIGNATURE_MALFORMED',
    `The contract signature \`${signature}\` points outside of itself.`,
    { data: { signature } },
  )
  if (offset < BigInt(SIGNATURE_SIZE) || offset + 32n > bytes) throw malformed
  const start = Number(offset)
  const length = BigInt(slice(signature, start, start + 32))
  if (offset + 32n + length > bytes) throw malformed
  return slice(signature, start, start + 32 + Number(length))
}
