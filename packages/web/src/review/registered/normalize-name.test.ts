import { expect, test } from 'vitest'
import { createRandomInt, runs } from '../../../../../scripts/random-tests.mjs'
import { normalizeByRules } from './name-rules.ts'
import { normalizeName } from './normalize-name.ts'

const characters = [...'abz09--__..A$ \u0430\u2019\u200d\u{1f600}']

test('behavior: is what the rules say, of any name', async () => {
  const randomInt = createRandomInt()
  const { numRuns } = runs(2_000)
  for (let run = 0; run < numRuns; run += 1) {
    const name = Array.from({ length: randomInt(12) }, () => characters[randomInt(characters.length)]).join('')
    expect(await normalizeName(name), JSON.stringify(name)).toBe(normalizeByRules(name))
  }
})

test.each([
  'vitalik.eth',
  'a-b.eth',
  '__sub.a1.eth',
  'ab--c.eth',
  'xn--a.eth',
  '_a_b.eth',
  'a_.eth',
  '-.eth',
  'abc--d.eth',
  '.eth',
  'eth',
  '',
])('behavior: %o', async (name) => {
  expect(await normalizeName(name)).toBe(normalizeByRules(name))
})
