/**
 * Characters that a reader cannot see or that reorder what is seen: control, bidi, zero-width, tag, private and
 * unassigned ones, line separators, combining marks without an end. A plain space stays.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\ufe00-\ufe0f]/gu
/** Not the spaces that French sets around its marks, and inside of numbers: sentences of ours are values of others. */
const ODD_SPACE = /(?! |(?<=\d)[\u00a0\u202f](?=\d)|[\u00a0\u202f](?=[:;?!»%])|(?<=«)\u00a0)\p{Zs}/gu
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
  return showValue(characters.slice(0, maxLength).join('')) + (cut ? '…' : '')
}

const ISOLATE = '\u2068'
const END_OF_ISOLATE = '\u2069'
const RIGHT_TO_LEFT =
  /[\p{Script=Arab}\p{Script=Hebr}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}\p{Script=Adlm}\p{Script=Rohg}]/u

/**
 * A value inside a sentence. What cannot be seen is written out; what runs from right to left is isolated, so that it
 * cannot pull the words or digits beside it into its own order. Doing it twice changes nothing.
 */
export function showValue(text: string): string {
  if (isIsolated(text)) return text
  const shown = escapeHidden(text)
  return RIGHT_TO_LEFT.test(shown) ? `${ISOLATE}${shown}${END_OF_ISOLATE}` : shown
}

/** A sentence or value of ours: its isolates are whole, and nothing outside them runs the other way. */
function isIsolated(text: string): boolean {
  if (!text.includes(ISOLATE)) return false
  let depth = 0
  for (const character of text) {
    if (character === ISOLATE) depth += 1
    if (character === END_OF_ISOLATE) depth -= 1
    if (depth < 0 || (depth === 0 && RIGHT_TO_LEFT.test(character))) return false
  }
  return depth === 0 && !hasHiddenCharacters(text.replace(/[\u2068\u2069]/g, ''))
}

/** Marks that look like the end of a quotation, one by one or two together. */
const DOUBLE_QUOTES = /(?!['‘’‚‛‹›])[\p{Quotation_Mark}″‴‶‷ʺˮ״❝❞❠]|['‘’‚‛`´ʹʼʻˈ′‵＇]{2,}/gu

/** Replaces quotation marks by single ones, so that the text cannot end the quotation that it is shown in. */
export function withoutQuotes(text: string): string {
  return text.replace(DOUBLE_QUOTES, '’')
}

/**
 * A short name from a stranger, such as a wallet's own: what cannot be seen is left out, and the length is capped.
 * Empty when nothing is left.
 */
export function cleanName(name: string, maxLength = 40): string {
  const seen = name
    .slice(0, maxLength * 8)
    .replace(/\s+/g, ' ')
    .replace(INVISIBLE, '')
    .replace(ODD_SPACE, ' ')
    .replace(MARKS, '$1')
  const characters = [...seen.trim()]
  return characters.slice(0, maxLength).join('').trim() + (characters.length > maxLength ? '…' : '')
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
