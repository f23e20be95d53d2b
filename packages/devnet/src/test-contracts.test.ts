import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { calledContracts, compileCalled, compileContracts } from '../compile-contracts.mjs'
import compiled from './contracts/compiled.json' with { type: 'json' }

describe('compiled.json', () => {
  test('behavior: is what the sources compile to', () => {
    expect(compileContracts()).toEqual(compiled)
  })
})

describe('contracts that are sent with eth_call', () => {
  test.each(calledContracts)('behavior: $constant is what its source compiles to', (called) => {
    expect(readFileSync(called.module, 'utf8')).toBe(compileCalled(called))
  })
})
