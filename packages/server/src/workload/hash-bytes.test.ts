import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { hashInSteps, hashWork } from './hash-bytes.ts'

describe('hashInSteps', () => {
  test.each([0, 1, 135, 136, 137, 4_351, 4_352, 4_353, 100_000])('default: %s bytes', (length) => {
    const bytes = new Uint8Array(length).map((_, at) => at % 251)
    const steps = hashInSteps(bytes)
    let [cost, longest] = [0, 0]
    for (;;) {
      const { done, value } = steps.next()
      if (done) {
        expect(value).toBe(keccak256(bytes))
        break
      }
      cost += value
      longest = Math.max(longest, value)
    }
    expect(cost).toBeLessThanOrEqual(hashWork(length))
    expect(longest).toBeLessThanOrEqual(32)
  })
})
