import { parse, TYPE } from '@formatjs/icu-messageformat-parser'

/**
 * Texts are ICU messages. They are parsed when the page is built, so that no parser is in the page: a text without values
 * stays a string, any other becomes a list of words, `[name]`, `[name, forms]` of a plural, `[name, forms, 'ordinal']`,
 * `[name, forms, 'select']`, and 0 where a plural writes its number (`#`).
 */

/** @throws when the text is no ICU message, or has a part that the page does not write. */
export function compileMessage(text) {
  const parts = parse(text, { ignoreTag: true, requiresOtherClause: true }).map(compilePart)
  if (parts.length === 0) throw new Error('The text is empty.')
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts
}

function compilePart(part) {
  switch (part.type) {
    case TYPE.literal:
      return part.value
    case TYPE.argument:
      return [part.value]
    case TYPE.pound:
      return 0
    case TYPE.select:
      return [part.value, formsOf(part), 'select']
    case TYPE.plural:
      if (part.offset !== 0) throw new Error('A plural with an offset is not written.')
      return part.pluralType === 'ordinal' ? [part.value, formsOf(part), 'ordinal'] : [part.value, formsOf(part)]
    default:
      // Numbers, dates and lists come formatted by the customs of the reader, from `locale.ts`.
      throw new Error('Only {name}, plural, selectordinal and select are written.')
  }
}

function formsOf({ options }) {
  return Object.fromEntries(
    Object.entries(options).map(([form, { value }]) => {
      const parts = value.map(compilePart)
      return [form, parts.every((part) => typeof part === 'string') ? parts.join('') : parts]
    }),
  )
}

/** The values that a compiled text takes, by name: a count chooses the form of a plural, anything else is shown. */
export function valuesOf(message) {
  if (typeof message === 'string') return {}
  const found = {}
  for (const part of message) {
    if (!Array.isArray(part)) continue
    const [name, forms, kind] = part
    found[name] = forms && kind !== 'select' ? 'count' : (found[name] ?? 'value')
    for (const form of Object.values(forms ?? {}))
      for (const [inner, what] of Object.entries(valuesOf(form)))
        found[inner] = found[inner] === 'count' ? 'count' : what
  }
  return found
}

/** The plural forms of a compiled text, one list for each plural in it. */
export function pluralsOf(message) {
  if (typeof message === 'string') return []
  return message.flatMap((part) => {
    if (!Array.isArray(part) || !part[1]) return []
    const inner = Object.values(part[1]).flatMap(pluralsOf)
    return part[2] === undefined ? [Object.keys(part[1]), ...inner] : inner
  })
}

/** A file of texts as a module of compiled ones. */
export function compileCatalogue(json, { isPseudo = false } = {}) {
  const texts = Object.entries(JSON.parse(json)).map(([key, text]) => {
    try {
      const message = compileMessage(text)
      return [key, isPseudo ? toPseudo(message) : message]
    } catch (cause) {
      throw new Error(`${key}: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
  })
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(texts)))})`
}

const accented = new Map(
  [
    ...'aáeéiíoóuúcçnñsšzžyýAÁEÉIÍOÓUÚCÇNÑSŠZŽYÝbɓdđfƒgğhĥjĵkķlłmɱpþqʠrřtŧvṽwŵxẋBƁDĐFƑGĞHĤJĴKĶLŁMṀPÞQɊRŘTŦVṼWŴXẊ',
  ].flatMap((letter, at, all) => (at % 2 === 0 ? [[letter, all[at + 1]]] : [])),
)
const RIGHT_TO_LEFT_MARK = '\u200f'

/**
 * Writes the text in a language that nobody speaks: accented, longer by a third, between brackets and marks of
 * right-to-left script. English on a screen of it is not from a catalogue; an overflow there has no room for other
 * languages.
 */
function toPseudo(message) {
  const parts = typeof message === 'string' ? [message] : message
  const length = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 5), 0)
  // In words of at most eight: longer ones would break no line, as in no language.
  const longer = ' ~~~~~~~'.repeat(Math.ceil(length / 24)).slice(0, Math.ceil(length / 3))
  const pseudo = ['⟦', ...parts.map(toPseudoPart), `${longer}⟧${RIGHT_TO_LEFT_MARK}`]
  return typeof message === 'string' ? pseudo.join('') : pseudo
}

function toPseudoPart(part) {
  if (typeof part === 'string') return [...part].map((letter) => accented.get(letter) ?? letter).join('')
  if (!Array.isArray(part) || !part[1]) return part
  const forms = Object.entries(part[1]).map(([form, inner]) => [
    form,
    typeof inner === 'string' ? toPseudoPart(inner) : inner.map(toPseudoPart),
  ])
  return [part[0], Object.fromEntries(forms), ...part.slice(2)]
}

/** Compiles each file of texts, `src/text/LANGUAGE/AREA.json`. With COUNTERSIGN_PSEUDO set, to the pseudo-language. */
export function compileTexts() {
  const isPseudo = process.env.COUNTERSIGN_PSEUDO !== undefined
  return {
    name: 'compile-texts',
    enforce: 'pre',
    transform: {
      filter: { id: /[\\/]src[\\/]text[\\/][\w-]+[\\/][\w-]+\.json$/ },
      handler: (json) => ({ code: compileCatalogue(json, { isPseudo }), map: null, moduleType: 'js' }),
    },
  }
}
