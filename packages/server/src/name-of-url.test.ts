import { expect, test } from 'vitest'
import { nameOfUrl } from './name-of-url.ts'

test.each([
  ['https://lists.example/list.json', 'lists.example/list.json'],
  ['https://lists.example/v1/0123456789abcdef/all.json?key=secret', 'lists.example/…/all.json'],
  ['https://user:secret@prices.example:8443/0123456789abcdef', 'prices.example:8443'],
])('behavior: %s is named without what may be a key', (url, name) => {
  expect(nameOfUrl(new URL(url))).toBe(name)
})
