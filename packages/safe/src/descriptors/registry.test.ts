import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { registrySha256, registryText } from './descriptors.data.ts'

test('the registry of the release is what was generated', () => {
  expect(createHash('sha256').update(registryText).digest('hex')).toBe(registrySha256)
})
