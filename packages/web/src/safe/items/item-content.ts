import { MAX_ITEM_URI_BYTES } from '@countersign/safe'

/** A picture: data of one of the kinds that an `<img>` draws, or where the contract says that it is. */
export type ItemPicture = { kind: 'data'; uri: string } | { kind: 'elsewhere'; uri: string } | { kind: 'unreadable' }

/** Words and picture that a contract gives an item, as it gives them: a claim, which must be made safe to show. */
export type ItemContent =
  | { kind: 'described'; name: string | null; description: string | null; picture: ItemPicture | null }
  /** Stored at an address, which is not asked. */
  | { kind: 'elsewhere'; uri: string }
  | { kind: 'unreadable' }

/** Drawn by an `<img>`, in which no script runs and from which nothing is fetched, a drawing's own parts neither. */
const PICTURES = new Set(['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'image/avif', 'image/svg+xml'])
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

/**
 * Reads the URI of an item: the JSON that it holds, by the standards' `name`, `description` and `image` (or `image_data`), or a
 * picture that it is itself. `tokenId` stands in the place of `{id}`, as ERC-1155 wants it.
 */
export function readItemContent(uri: string, tokenId: bigint): ItemContent {
  const written = uri.trim().replaceAll('{id}', tokenId.toString(16).padStart(64, '0'))
  if (!isData(written)) return SCHEME.test(written) ? { kind: 'elsewhere', uri: written } : { kind: 'unreadable' }
  const data = written.length > MAX_ITEM_URI_BYTES ? null : readData(written)
  if (!data) return { kind: 'unreadable' }
  if (data.type.startsWith('image/')) {
    return { kind: 'described', name: null, description: null, picture: pictureOf(written) }
  }
  if (data.type !== 'application/json' && data.type !== 'text/plain' && data.type !== '') return { kind: 'unreadable' }
  const fields = parseObject(data.texts)
  if (!fields) return { kind: 'unreadable' }
  const image = textOf(fields.image) ?? textOf(fields.image_data) ?? textOf(fields.image_url)
  return {
    kind: 'described',
    name: textOf(fields.name),
    description: textOf(fields.description),
    picture: image === null ? null : pictureOf(image.trim()),
  }
}

function pictureOf(image: string): ItemPicture {
  if (image.startsWith('<svg')) return { kind: 'data', uri: drawing(image) }
  if (!isData(image)) return SCHEME.test(image) ? { kind: 'elsewhere', uri: image } : { kind: 'unreadable' }
  const data = readData(image)
  if (!data || !PICTURES.has(data.type)) return { kind: 'unreadable' }
  const [text] = data.texts
  if (data.type === 'image/svg+xml') return text ? { kind: 'data', uri: drawing(text) } : { kind: 'unreadable' }
  // Written anew, so that nothing but the picture's bytes is in it.
  return data.base64 ? { kind: 'data', uri: `data:${data.type};base64,${data.base64}` } : { kind: 'unreadable' }
}

function drawing(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(wellFormed(svg))}`
}

/** Halves of characters cannot be written in a URI. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd')
}

type Data = {
  /** In small letters, without parameters. */
  type: string
  /** The text that it holds, and what it may be instead: contracts often write what ought to be encoded as it is. */
  texts: string[]
  base64: string | null
}

function isData(uri: string): boolean {
  return /^data:/i.test(uri)
}

function readData(uri: string): Data | null {
  const comma = uri.indexOf(',')
  if (comma === -1) return null
  const [type = '', ...parameters] = uri.slice('data:'.length, comma).toLowerCase().split(';')
  const body = uri.slice(comma + 1)
  if (!parameters.some((parameter) => parameter.trim() === 'base64'))
    return { type: type.trim(), texts: [decodePercent(body), body], base64: null }
  const base64 = decodePercent(body).replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/')
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return { type: type.trim(), texts: [new TextDecoder().decode(bytes)], base64 }
  } catch {
    return null
  }
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function parseObject(texts: readonly string[]): Record<string, unknown> | null {
  for (const text of texts) {
    try {
      const parsed: unknown = JSON.parse(text)
      if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed }
    } catch {
      // Not written this way.
    }
  }
  return null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}
