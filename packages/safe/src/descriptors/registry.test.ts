import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { registrySha256, registryText } from './descriptors.data.ts'
import { namesAt } from './registry.ts'

test('the registry of the release is what was generated', () => {
  expect(createHash('sha256').update(registryText).digest('hex')).toBe(registrySha256)
})

test('a value has the names of its position, in every element of a list', () => {
  const named = [
    { path: [2], names: new Map([['2', 'variable']]) },
    { path: [0, null, 1], names: new Map([['0', 'sell']]) },
  ]
  expect(namesAt(named, [2])?.get('2')).toBe('variable')
  expect(namesAt(named, [0, 7, 1])?.get('0')).toBe('sell')
  expect([[1], [2, 0], [0, 7, 2]].map((path) => namesAt(named, path))).toEqual([null, null, null])
})
