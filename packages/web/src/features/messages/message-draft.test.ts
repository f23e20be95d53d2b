import { describe, expect, test } from 'vitest'
import { asTyped, emptyMessageDraft, looksTyped, parseMessageDraft } from './message-draft.ts'

const typedData = `{"domain":{"name":"Shop"},"types":{"EIP712Domain":[{"name":"name","type":"string"}],"Order":[{"name":"item","type":"string"}]},
  "primaryType":"Order","message":{"item":"pen"}}`

describe('parseMessageDraft', () => {
  test('default: a text is signed to the letter', () => {
    expect(parseMessageDraft({ ...emptyMessageDraft, text: ' a\n"b" ' })).toEqual({
      ok: true,
      content: '" a\\n\\"b\\" "',
      origin: null,
    })
  })

  test('default: typed data stays as it was pasted', () => {
    const draft = { ...emptyMessageDraft, kind: 'typed', typed: `\n${typedData} `, origin: ' https://a.b ' } as const
    expect(parseMessageDraft(draft)).toEqual({ ok: true, content: typedData, origin: 'https://a.b' })
  })

  test('behavior: nothing, and what is no typed data, is not taken', () => {
    expect(parseMessageDraft(emptyMessageDraft)).toEqual({ ok: false, reason: null })
    for (const typed of ['', '"text"']) {
      expect(parseMessageDraft({ ...emptyMessageDraft, kind: 'typed', typed })).toEqual({ ok: false, reason: null })
    }
    const wrong = parseMessageDraft({ ...emptyMessageDraft, kind: 'typed', typed: '{"domain":{}}' })
    expect(wrong).toMatchObject({ ok: false, reason: expect.stringContaining('primaryType') })
  })
})

test('looksTyped: typed data in the place of a text', () => {
  expect(looksTyped({ ...emptyMessageDraft, text: typedData })).toBe(true)
  expect(looksTyped({ ...emptyMessageDraft, text: '{"a":1}' })).toBe(false)
  expect(looksTyped({ ...emptyMessageDraft, text: 'Hello' })).toBe(false)
})

test('asTyped: reviews pasted text as typed data, and keeps the text', () => {
  for (const text of [typedData, ` ${typedData}\n`, typedData.replace(/"EIP712Domain":\[[^\]]*\],/, '')]) {
    const draft = { ...emptyMessageDraft, text, origin: 'https://a.b' }
    expect(looksTyped(draft)).toBe(true)
    const moved = asTyped(draft) ?? emptyMessageDraft
    expect(parseMessageDraft(moved)).toMatchObject({ ok: true, content: text.trim(), origin: 'https://a.b' })
    expect(asTyped({ ...moved, kind: 'text' })).toEqual(moved)
    expect(asTyped(draft)).toMatchObject({ kind: 'typed', text })
  }
  expect(asTyped({ ...emptyMessageDraft, text: typedData.replace('"Order",', '"EIP712Domain",') })).toBeNull()
})

test('asTyped: typed data that was written before is not overwritten', () => {
  const written = typedData.replace('pen', 'book')
  expect(asTyped({ ...emptyMessageDraft, text: typedData, typed: written })).toBeNull()
})
