import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compileContracts, compileSignatureCheck, signatureCheckModule } from '../compile-contracts.mjs'
import compiled from './contracts/compiled.json' with { type: 'json' }

describe('compiled.json', () => {
  test('behavior: is what the sources compile to', () => {
    expect(compileContracts()).toEqual(compiled)
  })
})

describe('signature-check.data.ts', () => {
  test('behavior: is what the source compiles to', () => {
    expect(readFileSync(signatureCheckModule, 'utf8')).toBe(compileSignatureCheck())
  })
})
