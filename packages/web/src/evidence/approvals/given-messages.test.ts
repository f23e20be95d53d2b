import { encodeMessageContent, parseMessageContent } from '@countersign/safe'
import { hashMessage } from 'viem'
import { describe, expect, it } from 'vitest'
import { parseGivenMessage } from './given-messages.ts'

const typed = JSON.stringify({
  domain: { name: 'Shop', chainId: 1 },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Order: [{ name: 'amount', type: 'uint256' }],
  },
  primaryType: 'Order',
  message: { amount: '5' },
})

describe('parseGivenMessage', () => {
  it.each([
    ['bare words', 'Member since 2026'],
    ['words in quotation marks', '"Member since 2026"'],
    ['words with blanks around them', '  Member since 2026\n'],
  ])('takes %s', (_how, pasted) => {
    expect(parseGivenMessage(pasted, hashMessage('Member since 2026'))?.content).toMatchObject({
      text: 'Member since 2026',
    })
  })

  it('takes typed data, and words that are numbers or have blanks of their own', () => {
    expect(parseGivenMessage(typed, encodeMessageContent(parseMessageContent(typed)))?.json).toBe(typed)
    expect(parseGivenMessage('42', hashMessage('42'))?.content).toMatchObject({ text: '42' })
    expect(parseGivenMessage('one \n', hashMessage('one \n'))?.content).toMatchObject({ text: 'one \n' })
  })

  it('takes nothing that has another hash, and not the hash itself', () => {
    const hash = hashMessage('Member since 2026')
    for (const pasted of ['', 'Member since 2027', hash, `"${hash}"`, typed, '{', 'x'.repeat(2_000_000)])
      expect(parseGivenMessage(pasted, hash)).toBeNull()
  })
})
