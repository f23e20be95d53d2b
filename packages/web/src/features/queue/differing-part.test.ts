import { describe, expect, test } from 'vitest'
import { differingPart } from './differing-part.ts'

describe('differingPart', () => {
  test('default: what all begin and end with stands apart', () => {
    const titles = ['Send 12,000 TUSD to Kestrel', 'Send 12,600 TUSD to Kestrel']
    expect(differingPart(titles, 0)).toEqual(['Send ', '12,000', ' TUSD to Kestrel'])
    expect(differingPart(titles, 1)).toEqual(['Send ', '12,600', ' TUSD to Kestrel'])
  })

  test('behavior: nothing in common is marked whole, equal ones not at all, and no word counts twice', () => {
    expect(differingPart(['Cancel nonce 4', 'Send 1 ETH'], 1)).toEqual(['', 'Send 1 ETH', ''])
    expect(differingPart(['Send 1 ETH', 'Send 1 ETH'], 0)).toEqual(['Send 1 ETH', '', ''])
    expect(differingPart(['a a', 'a a a'], 1).join('')).toBe('a a a')
  })

  test('behavior: of any sentences the three parts are the sentence', () => {
    const titles = ['x', '', 'x y', '  x']
    for (const [index, title] of titles.entries()) expect(differingPart(titles, index).join('')).toBe(title)
  })
})
