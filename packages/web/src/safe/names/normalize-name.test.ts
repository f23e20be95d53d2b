import { expect, test } from 'vitest'
import { createRandomInt, runs } from '../../../../../scripts/testing/random-tests.mjs'
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

test('behavior: has one way of writing a name, and none for what imitates another', async () => {
  expect(await normalizeName('SUPPLIER.eth')).toBe('supplier.eth')
  expect(await normalizeName('sup\u200bplier.eth')).toBe('supplier.eth')
  // A Cyrillic letter among Latin ones, a change of direction, a part that is empty.
  for (const name of ['suppl\u0456er.eth', 'sup\u202eplier.eth', 'a..eth']) expect(await normalizeName(name)).toBeNull()
})
