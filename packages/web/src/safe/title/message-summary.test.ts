import { describe, expect, test } from 'vitest'
import { summarizeMessage } from './message-summary.ts'

const safeTx = `{"domain":{},"types":{"EIP712Domain":[],"SafeTx":[{"name":"nonce","type":"uint256"}]},"primaryType":"SafeTx","message":{"nonce":1}}`

describe('summarizeMessage', () => {
  test.each([
    ['"Hello\\nworld"', 'text', 'Hello'],
    ['"pay\\u202eroll"', 'text', 'pay[U+202E]roll'],
    [safeTx, 'typed', 'SafeTx'],
  ])('default: %s', (json, kind, words) => expect(summarizeMessage(json)).toEqual({ kind, words }))

  test('behavior: what is empty or cannot be read has words too', () => {
    expect(summarizeMessage('""').kind).toBe('text')
    expect(summarizeMessage('{').kind).toBe('unreadable')
    for (const json of ['""', '{']) expect(summarizeMessage(json).words).not.toBe('')
  })
})
