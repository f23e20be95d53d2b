import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { compileMessage, pluralsOf, valuesOf } from '../../packages/web/compile-texts.mjs'
import { root } from '../run.mjs'
import '../testing/map-group-by.mjs'

/** Attributes whose value is read out or shown, in elements and in components of ours. */
const shownAttributes = new Set([
  'alt',
  'title',
  'placeholder',
  'label',
  'hint',
  'summary',
  'busy',
  'name',
  'sentence',
  'retryLabel',
  'aria-label',
  'aria-description',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
])
/** Not words of a language: notation, and units of the devnet. */
const notation = new Set(['0x', 'ETH', 'TUSD'])
/** A transaction's fields and hashes, as the contracts spell them in every language. As labels only. */
const fieldNames = new Set([
  'to',
  'value',
  'data',
  'operation',
  'safeTxGas',
  'baseGas',
  'gasPrice',
  'gasToken',
  'refundReceiver',
  'nonce',
  'domainHash',
  'messageHash',
  'safeTxHash',
  'safeMessageHash',
])

const parse = (source, isTsx) => parseSync(source, { syntax: 'typescript', tsx: isTsx, target: 'es2022' })

/** Calls `look` with every node and the nodes above it, nearest first. */
function walk(node, look, above = []) {
  if (Array.isArray(node)) for (const child of node) walk(child, look, above)
  else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') look(node, above)
    const next = typeof node.type === 'string' ? [node, ...above] : above
    for (const [key, value] of Object.entries(node)) if (key !== 'span') walk(value, look, next)
  }
}

const isCatalogue = (path) => /\/text\/[\w-]+\/[\w-]+\.json$/.test(path)
const languageOf = (path) => /\/text\/([\w-]+)\//.exec(path)?.[1]
const isWords = (text) => text.split(/\s+/).some((word) => /\p{L}/u.test(word) && !notation.has(word))

/** Terms by which owners decide: in English, and by what each language may say them. */
const strictTerms = Object.entries(
  JSON.parse(readFileSync(join(root, 'packages/web/src/text/terms.json'), 'utf8')),
).map(([term, languages]) => [
  new RegExp(`\\b${term}s?\\b`),
  term,
  Object.fromEntries(
    Object.entries(languages).map(([language, forms]) => [language, forms.map((form) => new RegExp(form))]),
  ),
])

/** Keys of a catalogue file, those that are there twice too. */
const keysOf = (source) => [...source.matchAll(/^[\s{]*"([^"]+)":/gm)].map(([, key]) => key)

/** Forms that counts take which a page can show. Spanish and French have one more, for millions: `other` stands in. */
function pluralFormsOf(language) {
  const rules = new Intl.PluralRules(language)
  return [...new Set(Array.from({ length: 1000 }, (_, count) => rules.select(count)))]
}

/** Lists the faults of a file's texts. */
function faultsOfTexts(path, source) {
  const pluralCategories = pluralFormsOf(languageOf(path))
  return Object.entries(JSON.parse(source)).flatMap(([key, text]) => {
    try {
      const plurals = pluralsOf(compileMessage(text)).map((forms) => forms.filter((form) => !form.startsWith('=')))
      return plurals.some((forms) => forms.toSorted().join() !== pluralCategories.toSorted().join())
        ? [`${path}: a plural of '${key}' has not the forms ${pluralCategories.join(', ')}.`]
        : []
    } catch (error) {
      return [`${path}: '${key}' is no ICU message: ${error.message}`]
    }
  })
}

/** Where a language has other keys, or takes other values, than English. */
function faultsOfLanguages(files) {
  const read = files.map(([path, source]) => [path, JSON.parse(source)])
  return read
    .filter(([path]) => languageOf(path) !== 'en')
    .flatMap(([path, texts]) => {
      const english = read.find(([other]) => other === path.replace(/\/text\/[\w-]+\//, '/text/en/'))?.[1] ?? {}
      const values = (text) =>
        Object.keys(valuesOf(compileMessage(text)))
          .toSorted()
          .join()
      return [...new Set([...Object.keys(english), ...Object.keys(texts)])].flatMap((key) => {
        if (!Object.hasOwn(texts, key)) return [`${path}: the key '${key}' is missing.`]
        if (!Object.hasOwn(english, key)) return [`${path}: English has no key '${key}'.`]
        if (values(texts[key]) !== values(english[key]))
          return [`${path}: '${key}' takes other values than in English.`]
        return faultsOfWords(path, key, texts[key], english[key])
      })
    })
}

/** Words alone, of all forms: code and the names of values are the same in every language. */
function wordsOf(text) {
  const words = (part) =>
    typeof part === 'string'
      ? [part]
      : Array.isArray(part)
        ? Object.values(part[1] ?? {}).flatMap((form) => [form].flat().flatMap(words))
        : []
  const message = compileMessage(text)
  return [message]
    .flat()
    .flatMap(words)
    .join(' ')
    .replace(/`[^`]*`/g, '')
    .replaceAll('\u00a0', ' ')
}

/** A text left in English, and words that decide over money, said by another word or not at all. */
function faultsOfWords(path, key, text, english) {
  const language = languageOf(path)
  const words = wordsOf(text).toLowerCase()
  if (text === english && /[a-z]{3,} [a-z]{3,} [a-z]{3,}/.test(wordsOf(text)))
    return [`${path}: '${key}' is not translated.`]
  const lost = strictTerms.filter(
    ([pattern, , forms]) =>
      pattern.test(wordsOf(english).toLowerCase()) && !forms[language]?.some((form) => form.test(words)),
  )
  return lost.map(([, term]) => `${path}: '${key}' does not say “${term}” as terms.json has it.`)
}

/**
 * Reads a source file: the strings (templates as patterns) it uses, the keys it asks `text` for, and its own words on
 * the screen.
 */
function readSource(source, isTsx) {
  const strings = new Set()
  const patterns = []
  const asked = []
  const literals = []
  walk(parse(source, isTsx), (node, above) => {
    if (node.type === 'StringLiteral') strings.add(node.value)
    if (node.type === 'TemplateLiteral') {
      const words = node.quasis.map(({ cooked }) => cooked ?? '')
      if (words.some((part) => /[a-z]\.|\.[a-z]/i.test(part))) patterns.push(toPattern(words))
    }
    if (node.type === 'CallExpression' && node.callee.value === 'text') {
      const key = node.arguments[0]?.expression
      if (key?.type === 'StringLiteral') asked.push(key.value)
    }
    const shown = shownWords(node, above)
    if (shown) literals.push(shown)
  })
  return { strings, patterns, asked, literals }
}

/** Reads index.html, which names the keys of its texts. */
function readPage(source) {
  const asked = [...source.matchAll(/%text:([\w.]+)%/g)].map(([, key]) => key)
  const words = source.replaceAll(/<title>.*<\/title>|<[^>]*>|%text:[\w.]+%/g, ' ').trim()
  return { strings: new Set(asked), patterns: [], asked, literals: isWords(words) ? [words] : [] }
}

function toPattern(words) {
  return new RegExp(`^${words.map((part) => part.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')).join('.+')}$`)
}

/** Words that the node itself puts on the screen, or undefined. */
function shownWords(node, above) {
  if (node.type === 'JSXText') return isWords(node.value) ? node.value.trim() : undefined
  const words =
    node.type === 'StringLiteral'
      ? node.value
      : node.type === 'TemplateLiteral'
        ? node.quasis.map(({ cooked }) => cooked ?? '').join(' ')
        : ''
  return isWords(words) && isShown(node, above) ? words : undefined
}

/** Whether a string ends up on the screen: a child or a shown attribute, also through a choice of two. */
function isShown(node, above) {
  let child = node
  for (const parent of above) {
    if (parent.type === 'JSXAttribute')
      return (
        shownAttributes.has(attributeName(parent)) &&
        !(['label', 'name'].includes(attributeName(parent)) && fieldNames.has(node.value))
      )
    if (parent.type === 'JSXElement' || parent.type === 'JSXFragment') return child.type === 'JSXExpressionContainer'
    const isPassedOn =
      parent.type === 'JSXExpressionContainer' ||
      parent.type === 'ParenthesisExpression' ||
      (parent.type === 'ConditionalExpression' && child !== parent.test) ||
      (parent.type === 'BinaryExpression' && ['&&', '||', '??', '+'].includes(parent.operator))
    if (!isPassedOn) return false
    child = parent
  }
  return false
}

function attributeName({ name }) {
  return name.type === 'JSXNamespacedName' ? `${name.namespace.value}:${name.name.value}` : name.value
}

/** @param files path and source each. Every fault as a line. */
function faultsOf(files) {
  const texts = files.filter(([path]) => isCatalogue(path))
  const catalogue = texts.flatMap(([path, source]) => keysOf(source).map((key) => [key, path]))
  const keys = new Set(catalogue.map(([key]) => key))
  const read = files
    .filter(([path]) => !isCatalogue(path))
    .map(([path, source]) => [
      path,
      path.endsWith('.html') ? readPage(source) : readSource(source, path.endsWith('.tsx')),
    ])
  const faults = texts.flatMap(([path, source]) => faultsOfTexts(path, source))
  if (faults.length === 0) faults.push(...faultsOfLanguages(texts))
  const places = Map.groupBy(catalogue, ([key, path]) => `${languageOf(path)} ${key}`)
  for (const found of places.values()) {
    const [key, path] = found[0]
    if (found.length > 1) faults.push(...found.map(([, where]) => `${where}: the key '${key}' is there twice.`))
    // Other languages have the keys of English.
    if (languageOf(path) !== 'en') continue
    const isUsed = read.some(
      ([, { strings, patterns }]) => strings.has(key) || patterns.some((pattern) => pattern.test(key)),
    )
    if (!isUsed) faults.push(`${path}: nothing uses the key '${key}'.`)
  }
  for (const [path, { asked, literals }] of read) {
    for (const key of asked) if (!keys.has(key)) faults.push(`${path}: the catalogue has no key '${key}'.`)
    for (const words of literals) faults.push(`${path}: '${words}' is not from the catalogue.`)
  }
  return faults
}

function checkRepository() {
  const files = readdirSync(join(root, 'packages/web/src'), { recursive: true })
    .map((path) => `packages/web/src/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) || isCatalogue(path))
    .filter((path) => !path.includes('.test.') && !path.endsWith('/text/keys.gen.ts'))
    .concat('packages/web/index.html')
    .map((path) => [path, readFileSync(join(root, path), 'utf8')])
  // A check that found nothing to look at has not passed.
  if (files.length < 50 || !files.some(([path]) => isCatalogue(path))) return ['The sources were not found.']
  return faultsOf(files)
}

/** Planted faults that must be found, and clean code in which nothing must be. */
function testItself() {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are sources
  const clean = [
    [
      'web/text/en/a.json',
      '{\n  "a.used": "Used",\n  "b.one": "{n, plural, one {# one} other {# ones}}",\n  "b.two": "Do not sign for {it}"\n}',
    ],
    [
      'web/clean.tsx',
      "const x = <p className=\"red\" data-kind='kind' key=\"k\" title={text('a.used')}>{text(`b.${n}`)} · 0x{is('yes') ? a : b}{x === 'y' && <b />}</p>",
    ],
  ]
  const planted = [
    ["'c.unused'", 'web/text/en/more.json', '{ "c.unused": "Never" }'],
    ["'a.used' is there twice", 'web/text/en/more.json', '{ "a.used": "Again" }'],
    ["'a.used' is there twice", 'web/text/en/a.json', '{\n "a.used": "Used",\n "a.used": "Again" }'],
    ['is no ICU message', 'web/text/en/more.json', '{ "a.broken": "{count" }'],
    ['is no ICU message', 'web/text/en/more.json', '{ "a.broken": "On {when, date}" }'],
    ["'a.few' has not the forms", 'web/text/en/more.json', '{ "a.few": "{n, plural, few {#} other {#}}" }'],
    ["key 'b.two' is missing", 'web/text/de/a.json', '{ "a.used": "Benutzt", "b.one": "{n}" }'],
    ["'b.two' does not say “do not sign”", 'web/text/de/a.json', '{ "a.used": "B", "b.one": "{n}", "b.two": "{it}?" }'],
    [
      "'b.two' is not translated",
      'web/text/de/a.json',
      '{ "a.used": "B", "b.one": "{n}", "b.two": "Do not sign for {it}" }',
    ],
    ["no key 'a.more'", 'web/text/de/a.json', '{ "a.used": "A", "b.one": "{n}", "b.two": "{it}", "a.more": "C" }'],
    ["'a.used' takes other values", 'web/text/de/a.json', '{ "a.used": "{n}", "b.one": "{n}", "b.two": "{it}" }'],
    ["no key 'a.missing'", 'web/a.ts', "export const a = () => text('a.missing')"],
    ["'Hello'", 'web/a.tsx', 'export const a = <p>Hello</p>'],
    ["'Hola'", 'web/a.tsx', "export const a = <p>{'Hola'}</p>"],
    ["'Ja'", 'web/a.tsx', "export const a = <p>{is ? 'Ja' : null}</p>"],
    ["'Oui'", 'web/a.tsx', "export const a = <p>{is && ('Oui')}</p>"],
    ["'of '", 'web/a.tsx', 'export const a = <p>{`of ${n}`}</p>'],
    ["'Close'", 'web/a.tsx', 'export const a = <button aria-label="Close" />'],
    ["'Wait.' is not from", 'web/index.html', '<title>Countersign</title><p>Wait.</p>'],
    ["no key 'a.missing'", 'web/index.html', '<p>%text:a.missing%</p>'],
    ["'Name'", 'web/a.tsx', "export const a = <Fact label={is ? 'Name' : b} />"],
  ]
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are sources
  const found = faultsOf(clean)
  return [
    ...found.map((fault) => `Found in clean code: ${fault}`),
    ...planted
      .filter(
        ([what, path, source]) =>
          !faultsOf([...clean, [path, source]]).some((fault) => fault.includes(what.replace(/^'(.*) '$/, "'$1"))),
      )
      .map(([what, path]) => `The planted ${what} in ${path} was not found.`),
  ]
}

const problems = process.argv.includes('--self-test') ? testItself() : checkRepository()
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
