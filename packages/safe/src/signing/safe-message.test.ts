import { readFileSync } from 'node:fs'
import { type Address, type Hex, hashMessage, hashTypedData, recoverAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  encodeMessageContent,
  encodeSafeMessagePreimage,
  hashSafeMessage,
  type MessageContent,
  type MessageTypedData,
  parseMessageText,
  safeMessageTypedData,
} from './safe-message.ts'

type Vector = {
  chainId: number
  safe: Address
  version: string
  message: string | MessageTypedData
  encoding: string
  innerHash: Hex
  domainHash: Hex
  messageHash: Hex
  safeMessageHash: Hex
  confirmations?: { owner: Address; signature: Hex }[]
  lookupOnly?: boolean
}

const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../vectors/safe-message-hashes.json', import.meta.url), 'utf8'),
)

function contentOf({ message, lookupOnly, innerHash }: Vector): MessageContent {
  if (lookupOnly) return { encoding: 'RAW', bytes: innerHash }
  if (typeof message === 'string') return { encoding: 'EIP191_TEXT', text: message }
  return { encoding: 'EIP712', typedData: message }
}

function contextOf(vector: Vector) {
  return {
    chainId: vector.chainId,
    safeAddress: vector.safe,
    version: vector.version,
    content: contentOf(vector),
  }
}

const safe = { chainId: 1, safeAddress: '0x1c694Fc3006D81ff4a56F97E1b99529066a23725' as Address }
const typedData: MessageTypedData = {
  domain: { name: 'Test' },
  types: { Order: [{ name: 'amount', type: 'uint8' }] },
  primaryType: 'Order',
  message: { amount: 1 },
}

describe('hashSafeMessage', () => {
  test('default: has vectors', () => expect(vectors.length).toBe(7))

  test.each(vectors.map((vector, index) => ({ index, title: `${vector.encoding} ${vector.safeMessageHash}`, vector })))(
    'default: vector $index, $title',
    async ({ vector }) => {
      const { innerHash, domainHash, messageHash, safeMessageHash } = vector
      expect(hashSafeMessage(contextOf(vector))).toEqual({
        message: innerHash,
        domainHash,
        messageHash,
        safeMessageHash,
      })
      expect(hashTypedData(safeMessageTypedData(contextOf(vector)))).toBe(safeMessageHash)
      for (const { owner, signature } of vector.confirmations ?? []) {
        expect(await recoverAddress({ hash: safeMessageHash, signature })).toBe(owner)
      }
    },
  )

  test('behavior: the chain id counts from 1.3.0 on, the suffix never', () => {
    const content: MessageContent = { encoding: 'EIP191_TEXT', text: 'hello' }
    const hashOf = (version: string, chainId: number) =>
      hashSafeMessage({ ...safe, chainId, version, content }).safeMessageHash
    expect(hashOf('1.2.0', 1)).toBe(hashOf('1.2.0', 5))
    expect(hashOf('0.1.0', 1)).toBe(hashOf('1.2.0', 1))
    expect(hashOf('1.3.0', 1)).not.toBe(hashOf('1.3.0', 5))
    expect(hashOf('1.3.0+L2', 1)).toBe(hashOf('1.5.0', 1))
  })

  test('behavior: the preimage is the 66 bytes of the hash', () => {
    const content: MessageContent = { encoding: 'RAW', bytes: '0x' }
    const preimage = encodeSafeMessagePreimage({ ...safe, version: '1.4.1', content })
    expect(preimage).toMatch(/^0x1901[0-9a-f]{128}$/)
  })
})

describe('parseMessageText', () => {
  test('default: words have one meaning', () => {
    expect(parseMessageText('hello')).toEqual([{ encoding: 'EIP191_TEXT', text: 'hello' }])
  })

  test('behavior: what looks like hex has three, each with another hash', () => {
    const readings = parseMessageText('0xdeadbeef')
    const messages = readings.map((content) => encodeMessageContent(content))
    expect(messages).toEqual([hashMessage('0xdeadbeef'), hashMessage({ raw: '0xdeadbeef' }), '0xdeadbeef'])
    const hashes = readings.map((content) => hashSafeMessage({ ...safe, version: '1.4.1', content }).safeMessageHash)
    expect(new Set(hashes).size).toBe(3)
  })

  test.each(['0xabc', '0xzz', 'deadbeef', '0X12', ' 0x12'])('behavior: `%s` is only words', (text) => {
    expect(parseMessageText(text)).toHaveLength(1)
  })
})

describe('encodeMessageContent', () => {
  test.each<[string, unknown]>([
    ['half a character', { encoding: 'EIP191_TEXT', text: 'a\ud800b' }],
    ['no text', { encoding: 'EIP191_TEXT' }],
    ['half a byte', { encoding: 'EIP191_BYTES', bytes: '0x123' }],
    ['bytes that are none', { encoding: 'RAW', bytes: 'hello' }],
    ['an unknown encoding', { encoding: 'MORSE', text: '...' }],
    ['typed data of no shape', { encoding: 'EIP712', typedData: null }],
    ['a number over its type', { encoding: 'EIP712', typedData: { ...typedData, message: { amount: 256 } } }],
    ['a missing field', { encoding: 'EIP712', typedData: { ...typedData, message: {} } }],
    ['an unknown primary type', { encoding: 'EIP712', typedData: { ...typedData, primaryType: 'Other' } }],
    ['a type that names nothing', { encoding: 'EIP712', typedData: { ...typedData, types: { Order: null } } }],
  ])('error: FIELD_MALFORMED for %s', (_, content) => {
    expect(() => encodeMessageContent(content as MessageContent)).toThrow(
      expect.objectContaining({ name: 'CountersignError', code: 'FIELD_MALFORMED' }),
    )
  })
})
