import { describe, expect, it } from 'vitest'
import { cleanName, hasHiddenCharacters, showUntrusted, showValue } from './untrusted.ts'

describe('showValue', () => {
  it('behavior: spaces of French sentences and numbers stay, any other odd one is written out', () => {
    const french = 'Nœud\u00a0: «\u00a0Caisse\u00a0» 1\u202f250'
    expect(showValue(french)).toBe(french)
    expect(showValue('DAO\u00a0Timelock')).toBe('DAO[U+00A0]Timelock')
    expect(showValue('a\u2003b')).toBe('a[U+2003]b')
  })
})

describe('showUntrusted', () => {
  it('leaves plain text of any script alone', () => {
    for (const text of ['Weekly transfer to hot wallet', 'Gehälter für März', '給与', 'a b', '€ 5'])
      expect(showUntrusted(text)).toBe(text)
  })

  it('writes hidden characters as code points', () => {
    expect(showUntrusted('pay\u202Etxt')).toBe('pay[U+202E]txt')
    expect(showUntrusted('a\u200Bb\nc\u0000')).toBe('a[U+200B]b[U+000A]c[U+0000]')
    expect(showUntrusted('a\u00A0b')).toBe('a[U+00A0]b')
    expect(showUntrusted('\u{E0041}')).toBe('[U+E0041]')
    expect(showUntrusted('x\uD800y')).toBe('x[U+D800]y')
  })

  it('stops stacked marks', () => {
    expect(showUntrusted('e\u0301\u0301\u0301')).toBe('e\u0301\u0301[U+0301]')
  })

  it('caps the length', () => {
    expect(showUntrusted('a'.repeat(500), 20)).toBe(`${'a'.repeat(20)}…`)
    expect([...showUntrusted('😀'.repeat(30), 10)].length).toBe(11)
  })
})

it('tells hidden characters', () => {
  expect(hasHiddenCharacters('plain')).toBe(false)
  expect(hasHiddenCharacters('pl\u200Dain')).toBe(true)
})

it('cleans a name of what cannot be seen', () => {
  expect(cleanName('  Fox\u202E \n Wallet\u200B ')).toBe('Fox Wallet')
  expect(cleanName('\u0000\u200B')).toBe('')
  expect(cleanName('😀'.repeat(50), 10)).toBe(`${'😀'.repeat(10)}…`)
})
