import { expect, test } from 'vitest'
import { newToken } from './random-token.ts'

test('newToken: 256 bits each, none handed out twice', () => {
  const tokens = Array.from({ length: 1_000 }, newToken)
  expect(tokens.filter((token) => Buffer.from(token, 'base64url').length !== 32)).toEqual([])
  // Not even a part of one: 8 bytes of another would be as many random bits less.
  const parts = tokens.flatMap((token) => token.slice(0, 40).match(/.{8}/g) ?? [])
  expect(new Set(parts).size).toBe(5_000)
})
