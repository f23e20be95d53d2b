import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../../scripts/random-tests.mjs'
import { normalizeByRules } from './name-rules.ts'
import { normalizeName } from './normalize-name.ts'

const characters = fc.constantFrom(...'abz09--__..A$ \u0430\u2019\u200d\u{1f600}')
const names = fc.array(characters, { maxLength: 12 }).map((list) => list.join(''))

test('behavior: is what the rules say, of any name', async () => {
  await fc.assert(
    fc.asyncProperty(names, async (name) => {
      expect(await normalizeName(name)).toBe(normalizeByRules(name))
    }),
    runs(2_000),
  )
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
