import { type Address, concatHex, type Hex, hashMessage, keccak256 } from 'viem'
import { assertBytes, hashBytes, hashWords, isBytes, uintWord } from '../abi/abi-word.ts'
import { fail } from '../error-sentences.ts'
import { isVersionBefore } from '../safe/safe-version.ts'
import { hashSafeDomain } from './safe-tx.ts'
import { hashTypedDataInSteps, runSteps, type Steps } from './typed-data-hash.ts'

/**
 * EIP-712 typed data as an application hands it over, numbers as numbers, strings or bigints. A field of `message` that
 * no type declares is not signed: it must not be shown as if it were.
 */
export type MessageTypedData = {
  domain: Record<string, unknown>
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

/**
 * A message that a Safe is asked to sign, and its encoding. The encoding is never guessed: `0xdeadbeef` is a text of
 * ten characters and four bytes, and each gives another hash.
 */
export type MessageContent =
  /** EIP-191 over the UTF-8 bytes of a text: `personal_sign` of words. */
  | { encoding: 'EIP191_TEXT'; text: string }
  /** EIP-191 over bytes: `personal_sign` of hex. */
  | { encoding: 'EIP191_BYTES'; bytes: Hex }
  /** `eth_signTypedData` */
  | { encoding: 'EIP712'; typedData: MessageTypedData }
  /** Bytes of any length, hashed by nobody before: `signMessage(bytes)`, nested owners, a hash from elsewhere. */
  | { encoding: 'RAW'; bytes: Hex }

/** Which Safe, in which version, is to sign a message. */
export type SafeMessageContext = {
  chainId: number
  safeAddress: Address
  /** `1.4.1`, or `1.4.1+L2`: the suffix makes no difference. */
  version: string
  content: MessageContent
}

/** The hashes of a SafeMessage. Hardware wallets show `domainHash` and `messageHash`. */
export type SafeMessageHashes = {
  /** The bytes inside the SafeMessage: the 32-byte hash of text and typed data; raw bytes as they are. */
  message: Hex
  domainHash: Hex
  /** keccak256(SAFE_MSG_TYPEHASH ‖ keccak256(message)) */
  messageHash: Hex
  /** Hash that owners sign: keccak256(0x1901 ‖ domainHash ‖ messageHash). */
  safeMessageHash: Hex
}

/** keccak256 of `SafeMessage(bytes message)` */
const SAFE_MESSAGE_TYPE_HASH = '0x60b3cbf8b4a223d68d641b3b6ddf9a298e7f33710cf3d3a9d1146b5a6150fbca'

function hashText(text: string): Hex {
  // A lone surrogate has no UTF-8 bytes: different texts would get the same hash.
  if (typeof text !== 'string' || /\p{Surrogate}/u.test(text)) {
    throw fail('FIELD_MALFORMED', { reason: 'surrogate', field: 'text' })
  }
  return hashMessage(text)
}

function* hashTyped(typedData: MessageTypedData): Steps<Hex> {
  try {
    return yield* hashTypedDataInSteps(typedData)
  } catch (cause) {
    const [answer = ''] = cause instanceof Error ? cause.message.replace(/\.$/, '').split('\n') : []
    throw fail('FIELD_MALFORMED', { reason: 'not-hashable', field: 'typedData', answer }, cause)
  }
}

/**
 * The bytes that stand in a SafeMessage for what is to be signed: the EIP-191 or EIP-712 hash; raw bytes unchanged.
 *
 * @throws CountersignError `FIELD_MALFORMED` when it cannot be hashed in this encoding.
 * @example
 * encodeMessageContent({ encoding: 'EIP191_TEXT', text: 'hello world' })
 */
export function encodeMessageContent(content: MessageContent): Hex {
  return encoded.get(content) ?? runSteps(encode(content))
}

/** Hashes of contents that were parsed here and do not change, so that each is hashed once. */
const encoded = new WeakMap<MessageContent, Hex>()

/** Hashes a content that no longer changes, and caches its hash. @throws as {@link encodeMessageContent} */
export function* encodeOnce(content: MessageContent): Steps<void> {
  encoded.set(content, yield* encode(content))
}

function* encode(content: MessageContent): Steps<Hex> {
  switch (content.encoding) {
    case 'EIP191_TEXT':
      return hashText(content.text)
    case 'EIP191_BYTES':
      assertBytes('bytes', content.bytes)
      return hashMessage({ raw: content.bytes })
    case 'EIP712':
      return yield* hashTyped(content.typedData)
    case 'RAW':
      assertBytes('bytes', content.bytes)
      return content.bytes
    default:
      throw fail('FIELD_MALFORMED', { reason: 'encoding', field: 'encoding' })
  }
}

/**
 * The EIP-712 typed data that an owner's wallet is asked to sign for a message of the Safe
 * (CompatibilityFallbackHandler.sol `SAFE_MSG_TYPEHASH`; GnosisSafe.sol before 1.3.0).
 *
 * @throws CountersignError `FIELD_MALFORMED` when the content cannot be hashed in its encoding, or the chain id is impossible.
 * @example
 * const signature = await wallet.signTypedData(safeMessageTypedData({ chainId: 1, safeAddress, version: '1.4.1', content }))
 */
export function safeMessageTypedData({ chainId, safeAddress, version, content }: SafeMessageContext) {
  return {
    domain: isVersionBefore(version, 1, 3)
      ? { verifyingContract: safeAddress }
      : { chainId: BigInt(uintWord('chainId', chainId)), verifyingContract: safeAddress },
    types: { SafeMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'SafeMessage' as const,
    message: { message: encodeMessageContent(content) },
  }
}

/**
 * Computes the hashes of a message of a Safe, as `getMessageHash` does: of the contract before 1.3.0, of the
 * CompatibilityFallbackHandler since.
 *
 * @throws CountersignError `FIELD_MALFORMED` when a field is impossible.
 * @example
 * const content = { encoding: 'EIP191_TEXT', text: 'hello world' } as const
 * hashSafeMessage({ chainId: 1, safeAddress, version: '1.4.1', content }).safeMessageHash
 */
export function hashSafeMessage(context: SafeMessageContext): SafeMessageHashes {
  const message = encodeMessageContent(context.content)
  const domainHash = hashSafeDomain(context)
  const messageHash = hashWords([SAFE_MESSAGE_TYPE_HASH, hashBytes('message', message)])
  return {
    message,
    domainHash,
    messageHash,
    safeMessageHash: keccak256(concatHex(['0x1901', domainHash, messageHash])),
  }
}

/**
 * The 66 bytes whose hash is the safeMessageHash: `encodeMessageDataForSafe` of the handlers since 1.4.0.
 *
 * @throws CountersignError `FIELD_MALFORMED` when a field is impossible.
 * @example
 * keccak256(encodeSafeMessagePreimage(context)) === hashSafeMessage(context).safeMessageHash
 */
export function encodeSafeMessagePreimage(context: SafeMessageContext): Hex {
  const { domainHash, messageHash } = hashSafeMessage(context)
  return concatHex(['0x1901', domainHash, messageHash])
}

/**
 * Every way in which a string can be meant. One for words; three for a string that looks like hex: the text of its
 * characters (what wallets sign for a string), its bytes by EIP-191 (what `personal_sign` makes of hex), and the bare
 * bytes (what some tools look a message up by). Show which one is signed.
 *
 * @example
 * parseMessageText('0xdeadbeef').map(({ encoding }) => encoding) // EIP191_TEXT, EIP191_BYTES, RAW
 */
export function parseMessageText(text: string): MessageContent[] {
  const words: MessageContent = { encoding: 'EIP191_TEXT', text }
  if (!isBytes(text)) return [words]
  return [words, { encoding: 'EIP191_BYTES', bytes: text }, { encoding: 'RAW', bytes: text }]
}
