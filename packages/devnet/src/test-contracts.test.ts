import { describe, expect, test } from 'vitest'
import { compileContracts } from '../compile-contracts.mjs'
import compiled from './contracts/compiled.json' with { type: 'json' }

describe('compiled.json', () => {
  test('behavior: is what the sources compile to', () => {
    expect(compileContracts()).toEqual(compiled)
  })
})
