/**
 * Characters that a reader cannot see or that reorder what is seen: control, bidi, zero-width, tag, private and
 * unassigned ones, line separators, combining marks without an end. A plain space stays.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\ufe00-\ufe0f]/gu
const ODD_SPACE = /(?! )\p{Zs}/gu
const MARKS = /(\p{M}{2})(\p{M}+)/gu

/** Whether a text holds characters that must not be shown as they are. */
export function hasHiddenCharacters(text: string): boolean {
  return text !== escapeHidden(text)
}

/**
 * Makes a text from the server, a proposer or a token safe to show: what cannot be seen is written as its code point,
 * and the length is capped, so that it can neither hide, reorder nor push away what stands beside it.
 */
export function showUntrusted(text: string, maxLength = 200): string {
  const characters = [...text.slice(0, maxLength * 2)]
  const cut = characters.length > maxLength || text.length > maxLength * 2
  return escapeHidden(characters.slice(0, maxLength).join('')) + (cut ? '…' : '')
}

function escapeHidden(text: string): string {
  return text
    .replace(INVISIBLE, codePoint)
    .replace(ODD_SPACE, codePoint)
    .replace(MARKS, (_, kept: string, more: string) => kept + [...more].map(codePoint).join(''))
}

function codePoint(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
}
