import { afterEach, describe, expect, test, vi } from 'vitest'
import { compileCatalogue, compileMessage, pluralsOf, valuesOf } from '../../compile-texts.mjs'
import { startLocale } from './locale.ts'
import { fillMessage, isTextKey, loadTexts, needTexts, text, textPieces, withTexts } from './text.ts'

const fillText = (message: string, values: Parameters<typeof fillMessage>[1]) =>
  fillMessage(compileMessage(message), values)

describe('text', () => {
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

describe('compileMessage', () => {
  test('default: a text without values stays one, quotations are resolved', () => {
    expect(compileMessage("It's {count} '{as it is}'")).toEqual(["It's ", ['count'], ' {as it is}'])
    expect(compileMessage("It's done")).toBe("It's done")
    expect(compileMessage('{n, plural, one {# owner of {name}} other {no #}}')).toEqual([
      ['n', { one: [0, ' owner of ', ['name']], other: ['no ', 0] }],
    ])
  })

  test.each(['{count, plural, one {#}}', '{a', '{when, date}', '{n, number}', '{n, plural, offset:1 other {#}}', ''])(
    'error: %s',
    (message) => {
      expect(() => compileMessage(message)).toThrow()
    },
  )

  test('behavior: values and plural forms are told, also those inside of others', () => {
    const message = compileMessage(
      '{who} {n, plural, one {# of {total}} other {{m, plural, =1 {x} other {y}}}} {kind, select, a {{z}} other {}}',
    )
    expect(valuesOf(message)).toEqual({
      who: 'value',
      n: 'count',
      total: 'value',
      m: 'count',
      kind: 'value',
      z: 'value',
    })
    expect(pluralsOf(message)).toEqual([
      ['one', 'other'],
      ['=1', 'other'],
    ])
  })

  test('behavior: nothing of the pseudo-language is plain English, and values stay', () => {
    const module = compileCatalogue('{"a": "Sign {count, plural, one {# thing} other {# things}} of {name}"}', {
      isPseudo: true,
    })
    const { a } = new Function(module.replace('export default', 'return'))()
    const shown = fillMessage(a, { count: 2, name: 'Anna' })
    expect(shown).toContain('Anna')
    expect(shown.replace('Anna', '')).not.toMatch(/[A-Za-z]/)
    expect(shown).toMatch(/^⟦.*~⟧\u200f$/)
  })
})

describe('fillMessage', () => {
  test('values', () => {
    expect(fillText('{wallet} is not installed', { wallet: 'Demo' })).toBe('Demo is not installed')
    expect(fillText('{a} {a} {b}', { a: 1, b: 2n })).toBe('1 1 2')
  })

  test('behavior: plural', () => {
    const pattern = '{count, plural, one {# owner} other {# owners}} of {total}'
    expect(fillText(pattern, { count: 1, total: 3 })).toBe('1 owner of 3')
    expect(fillText(pattern, { count: 0, total: 3 })).toBe('0 owners of 3')
  })

  test('behavior: exact counts, ordinals and choices', () => {
    const rank = '{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}'
    expect([1, 2, 3, 4].map((n) => fillText(rank, { n }))).toEqual(['1st', '2nd', '3rd', '4th'])
    const left =
      '{n, plural, =0 {none left} one {# left} other {# left}} {who, select, you {for you} other {for {who}}}'
    expect(fillText(left, { n: 0, who: 'you' })).toBe('none left for you')
    expect(fillText(left, { n: 7, who: 'Anna' })).toBe('7 left for Anna')
  })

  test.each(['„{name}“ (benannt)', '«\u00a0{name}\u00a0» (nommé)'])('behavior: nor that of %s', (pattern) => {
    const filled = fillText(pattern, { name: 'Kasse“ » „« ”' })
    expect(filled.match(/[“”„«»]/g)).toHaveLength(2)
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
    expect(
      fillText('{count, plural, one {# byte} other {# bytes}} on {chainId}', { count: 12_345n, chainId: 31337 }),
    ).toBe('12,345 bytes on 31337')
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

describe('loadTexts', () => {
  const choose = (language: string) => startLocale({ getItem: () => language, setItem: () => {} }, [])
  const areas = ['app', 'first-errors', 'safes', 'wallet', 'landing'] as const
  afterEach(async () => {
    choose('en')
    needTexts(...areas)
    await loadTexts()
  })

  test('default: the texts of the language, those that a part asks for among them', async () => {
    choose('de')
    expect(text('landing.wallet')).toBe('The wallet shows')
    const part = await withTexts(async () => {
      needTexts('landing')
      return 'the part'
    }, 'wallet')
    expect(part).toBe('the part')
    expect(text('wallet.button.connect')).toBe('Wallet verbinden')
    expect(text('landing.wallet')).not.toBe('The wallet shows')
  })

  test('behavior: without a network a part is asked for once the server answers', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    let isCarrying = false
    const ask = vi.fn(async () => {
      if (!isCarrying) throw new TypeError('Failed to fetch')
      return new Response()
    })
    vi.stubGlobal('fetch', ask)
    let asked = 0
    const part = withTexts(async () => {
      asked += 1
      return 'the part'
    })
    await Promise.resolve()
    expect(asked).toBe(0)
    // A network that has just come back may not carry anything yet.
    await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2))
    expect(asked).toBe(0)
    isCarrying = true
    expect(await part).toBe('the part')
    vi.unstubAllGlobals()
  })

  test('behavior: without a network a part comes from a server that answers all the same', async () => {
    vi.stubGlobal('navigator', { onLine: false })
    vi.stubGlobal('fetch', async () => new Response())
    expect(await withTexts(async () => 'the part')).toBe('the part')
    vi.unstubAllGlobals()
  })
})
