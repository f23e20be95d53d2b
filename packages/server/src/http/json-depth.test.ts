import { describe, expect, test } from 'vitest'
import { isDeeperThan } from './json-depth.ts'

describe('isDeeperThan', () => {
  test('default: counts lists and objects, and nothing inside of texts', () => {
    expect(isDeeperThan('[[{"a":[1]}]]', 4)).toBe(false)
    expect(isDeeperThan('[[{"a":[1]}]]', 3)).toBe(true)
    expect(isDeeperThan('["[[[[[[[[", {"{{{{{{{{": "\\"[[[[[[[["}]', 2)).toBe(false)
    expect(isDeeperThan('[[],[],[],[]]', 2)).toBe(false)
    expect(isDeeperThan('['.repeat(1_000_000), 64)).toBe(true)
  })
})
