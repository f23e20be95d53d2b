import { describe, expect, it } from 'vitest'
import { hashSafeMessage } from '../signing/safe-message.ts'
import { parseServiceMessages } from './service-messages.ts'

const place = { chainId: 10, safeAddress: '0x2222222222222222222222222222222222222222', version: '1.4.1' } as const
const owners = ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'] as const
const signature = `0x${'ab'.repeat(64)}1b`

/** A message as the service answers it. */
function answered(text: string, fields: object = {}) {
  const { safeMessageHash } = hashSafeMessage({ ...place, content: { encoding: 'EIP191_TEXT', text } })
  return {
    safe: place.safeAddress,
    messageHash: safeMessageHash,
    message: text,
    proposedBy: owners[1],
    origin: '{}',
    confirmations: owners.map((owner) => ({ owner, signature, signatureType: 'EOA' })),
    ...fields,
  }
}

const read = (value: unknown) => parseServiceMessages(JSON.stringify(value), place)

describe('parseServiceMessages', () => {
  it('reads pages of messages, each once, the signature of who proposed it first', () => {
    const page = { count: 2, next: 'http://elsewhere/loop', results: [answered('hello'), answered('again')] }
    const { messages, ...rest } = read([page, page])
    expect(rest).toEqual({ unusable: [], beyond: 0 })
    expect(messages.map(({ content, origin }) => [content, origin])).toEqual([
      ['"hello"', null],
      ['"again"', null],
    ])
    expect(messages[0]?.signatures.map(({ owner }) => owner)).toEqual([owners[1], owners[0]])
  })

  it('leaves out what has another hash, is for another Safe or no message', () => {
    const other = answered('hello', { messageHash: answered('another').messageHash })
    const { messages, unusable } = read([
      other,
      answered('hello', { safe: owners[0] }),
      answered('hello', { message: 7 }),
    ])
    expect(messages).toEqual([])
    expect(unusable.map(({ reason }) => reason)).toEqual(['other-hash', 'other-safe', 'unreadable'])
  })

  it('leaves out what is nested a hundred thousand deep, and reads the others', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const { safe } = answered('hello')
    const entries = [`{"safe":"${safe}","message":${deep}}`, `{"safe":${deep}}`, JSON.stringify(answered('hello'))]
    const { messages, unusable } = parseServiceMessages(`[${entries.join()}]`, place)
    expect(messages.map(({ content }) => content)).toEqual(['"hello"'])
    expect(unusable).toMatchObject([
      { reason: 'unreadable', error: { data: { reason: 'content-depth', limit: 64 } } },
      { reason: 'other-safe' },
    ])
  })

  it('looks at 500 of 100,000, and at none of what is no JSON', () => {
    const one = answered('hello')
    const { messages, beyond } = read(
      Array.from({ length: 100_000 }, () => ({ safe: one.safe, message: 'x', messageHash: '0x' })),
    )
    expect([messages.length, beyond]).toEqual([0, 99_500])
    expect(() => parseServiceMessages('<html>', place)).toThrow()
  })
})
