import { MAX_ITEM_URI_BYTES } from '@countersign/safe'
import { describe, expect, test } from 'vitest'
import { readItemContent } from './item-content.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>100 %, #1</text></svg>'
const drawn = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
const png = 'iVBORw0KGgo='
const read = (uri: string) => readItemContent(uri, 255n)
const json = (fields: object) => `data:application/json,${encodeURIComponent(JSON.stringify(fields))}`
const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
const pictureOf = (image: unknown) => {
  const content = read(json({ image }))
  return content.kind === 'described' ? content.picture : content
}

describe('readItemContent', () => {
  const fields = { name: 'Größe 5', description: 'One of six', image: drawn }
  const whole = { kind: 'described', ...fields, image: undefined, picture: { kind: 'data', uri: drawn } }
  test.each([
    ['percent-encoded', json(fields)],
    ['in base64', `data:application/json;base64,${base64(JSON.stringify(fields))}`],
    ['with a character set', `data:application/json;charset=utf-8;base64,${base64(JSON.stringify(fields))}`],
    ['in big letters', `DATA:Application/JSON;BASE64,${base64(JSON.stringify(fields))}`],
    ['without a type', `data:,${encodeURIComponent(JSON.stringify(fields))}`],
    [
      'in the letters of addresses',
      `data:application/json;base64,${base64(JSON.stringify(fields)).replaceAll('+', '-').replaceAll('/', '_')}`,
    ],
  ])('default: JSON %s', (_, uri) => {
    const { image: _image, ...expected } = whole
    expect(read(uri)).toEqual(expected)
  })

  test('behavior: JSON that a contract wrote as it is, with a percent sign in it', () => {
    expect(read('data:application/json;utf8,{"name":"100 % #7"}')).toMatchObject({ name: '100 % #7', picture: null })
  })

  test('behavior: a picture of bytes, and a drawing as text, in base64 or as it is', () => {
    expect(pictureOf(`data:image/png;base64,${png}`)).toEqual({ kind: 'data', uri: `data:image/png;base64,${png}` })
    const drawings = [drawn, svg, `data:image/svg+xml;base64,${base64(svg)}`, `data:image/svg+xml;utf8,${svg}`]
    for (const drawing of drawings) expect(pictureOf(drawing)).toEqual({ kind: 'data', uri: drawn })
    expect(read(json({ image_data: svg }))).toMatchObject({ picture: { uri: drawn } })
    expect(read(drawn)).toMatchObject({ kind: 'described', name: null, picture: { uri: drawn } })
  })

  test('behavior: what is elsewhere is named, with the id where ERC-1155 puts it', () => {
    expect(read('ipfs://art/{id}.json')).toEqual({ kind: 'elsewhere', uri: `ipfs://art/${'0'.repeat(62)}ff.json` })
    expect(pictureOf('https://example.org/1.png')).toEqual({ kind: 'elsewhere', uri: 'https://example.org/1.png' })
  })

  test.each([
    ['a page', 'data:text/html,<script>alert(1)</script>'],
    ['no JSON', 'data:application/json,{'],
    ['a list', 'data:application/json,[1]'],
    ['broken base64', 'data:application/json;base64,***'],
    ['no comma', 'data:application/json'],
    ['words', 'hello'],
    ['ten thousand brackets', `data:application/json,${'['.repeat(10_000)}`],
    ['too much', json({ name: 'a'.repeat(MAX_ITEM_URI_BYTES) })],
  ])('error: %s', (_, uri) => {
    expect(read(uri)).toEqual({ kind: 'unreadable' })
  })

  test('error: pictures that are none', () => {
    const none = [
      'data:text/html,<b>',
      'data:image/png,raw',
      `data:image/x-unknown;base64,${png}`,
      'hello',
      'data:image/svg+xml,',
    ]
    for (const image of none) expect(pictureOf(image)).toEqual({ kind: 'unreadable' })
    // Nothing that could end the attribute, or the data, comes along.
    expect(pictureOf(`data:image/png;base64,${png}" onerror="alert(1)`)).toEqual({ kind: 'unreadable' })
    for (const image of [7, null, {}, ' ']) expect(pictureOf(image)).toBeNull()
  })

  test('behavior: half a character is replaced', () => {
    expect(pictureOf(`<svg>\ud800</svg>`)).toEqual({
      kind: 'data',
      uri: 'data:image/svg+xml;charset=utf-8,%3Csvg%3E%EF%BF%BD%3C%2Fsvg%3E',
    })
  })
})
