import { describe, expect, test } from 'vitest'
import { en } from './en.ts'
import { enBalances } from './en-balances.ts'
import { enChains } from './en-chains.ts'
import { enTeam } from './en-team.ts'
import { enTokens } from './en-tokens.ts'
import { enTransactions } from './en-transactions.ts'
import { pluralCategories } from './locale.ts'
import { fillText, isTextKey, text, textPieces } from './text.ts'

const whole = { ...en, ...enBalances, ...enChains, ...enTeam, ...enTokens, ...enTransactions }

describe('catalogue', () => {
  test('no text is empty or has a brace without its pair', () => {
    const broken = Object.entries(whole).filter(
      ([, value]) => value.trim() === '' || /[{}]/.test(value.replace(/\{[^{}]*\}/g, '')),
    )
    expect(broken).toEqual([])
  })

  test('every plural has the forms of its language', () => {
    const wrong = Object.entries<string>(whole).filter(([, value]) =>
      [...value.matchAll(/\{\w+\|([^}]*)\}/g)].some(
        ([, forms = '']) => forms.split('|').length !== pluralCategories('en').length,
      ),
    )
    expect(wrong).toEqual([])
  })

  test('keys and values are typed', () => {
    // @ts-expect-error no such key
    expect(text('no.such.key')).toBe('no.such.key')
    // @ts-expect-error the value is missing
    expect(text('wallet.notInstalled')).toBe('{wallet} is not installed')
    // @ts-expect-error another value
    expect(text('wallet.notInstalled', { walet: 'X' })).toBe('{wallet} is not installed')
    // @ts-expect-error a count is a number
    expect(text('safes.waiting', { count: '1' })).toBe('1 transaction to review')
    // @ts-expect-error it takes none
    expect(text('app.name', { name: 'X' })).toBe('Countersign')
  })
})

describe('fillText', () => {
  test('values', () => {
    expect(fillText('{wallet} is not installed', { wallet: 'Demo' })).toBe('Demo is not installed')
    expect(fillText('{a} {a} {b}', { a: 1, b: 2n })).toBe('1 1 2')
  })

  test('behavior: plural', () => {
    const pattern = '{count|# owner|# owners} of {total}'
    expect(fillText(pattern, { count: 1, total: 3 })).toBe('1 owner of 3')
    expect(fillText(pattern, { count: 0, total: 3 })).toBe('0 owners of 3')
  })

  test('behavior: a quoted value cannot end its quotation', () => {
    const pattern = '“{name}” (named by {author}, not an owner)'
    const said = (name: string) => fillText(pattern, { name, author: '0x12…34' })
    for (const mark of ['”', '“', '"', '„', '»', '＂', '″', '〞', '״', '❞', "''", '’’', '‘’', '′′', '``'])
      expect(said(`Timelock${mark} (named by owner 1)`)).toBe(
        '“Timelock’ (named by owner 1)” (named by 0x12…34, not an owner)',
      )
    expect(said("Bob's ‘fund’")).toContain("“Bob's ‘fund’”")
    expect(fillText('{name} and “{name}”', { name: '"x"' })).toBe('"x" and “’x’”')
  })

  test('behavior: a value is never read as a pattern', () => {
    expect(fillText('{a}{b}', { a: '{b}', b: '$&' })).toBe('{b}$&')
  })

  test('behavior: the count of a plural is grouped, a plain number is not', () => {
    expect(fillText('{count|# byte|# bytes} on {chainId}', { count: 12_345n, chainId: 31337 })).toBe(
      '12,345 bytes on 31337',
    )
  })

  test('behavior: a foreign value can neither hide nor reorder what stands beside it', () => {
    expect(fillText('{wallet} is not installed', { wallet: 'Meta\u202eksaM\u200b' })).toBe(
      'Meta[U+202E]ksaM[U+200B] is not installed',
    )
    const hebrew = '\u05d0\u05e8\u05e0\u05e7'
    const once = fillText('Opening {wallet}', { wallet: hebrew })
    expect(once).toBe(`Opening \u2068${hebrew}\u2069`)
    expect(fillText('{stage}: done', { stage: once })).toBe(`${once}: done`)
    const breaksOut = `\u2069${hebrew}\u2068`
    expect(fillText('{wallet}', { wallet: breaksOut })).toBe(`\u2068[U+2069]${hebrew}[U+2068]\u2069`)
    expect(fillText('{wallet}', { wallet: `\u2068x\u2069${hebrew}` })).toContain('[U+2068]')
  })
})

describe('textPieces', () => {
  test('default', () => {
    expect(textPieces('wallet.notInstalled')).toEqual([
      { kind: 'value', name: 'wallet' },
      { kind: 'words', words: ' is not installed' },
    ])
    expect(textPieces('no.such.key')).toBeNull()
    expect(isTextKey('app.name')).toBe(true)
    expect(isTextKey('wallet.notInstalled')).toBe(false)
    expect(isTextKey('toString')).toBe(false)
  })
})
