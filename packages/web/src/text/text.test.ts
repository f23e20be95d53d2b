import { describe, expect, test } from 'vitest'
import { en } from './en.ts'
import { fillText } from './text.ts'

const files: Record<string, string> = import.meta.glob('../**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const isCatalogue = (path: string) => /\/en[^/]*\.ts$/.test(path)
const sources = Object.entries(files)
  .filter(([path]) => !isCatalogue(path) && !path.includes('.test.'))
  .map(([, source]) => source)
  .join('\n')

/** `text(`live.${status}`)` uses every key that fits the pattern. */
const patterns = [...sources.matchAll(/`([a-z][\w-]*\.[^`\s]*\$\{[^`\s]*|\$?[\w-]+\.\$\{[^`\s]*)`/g)].map(
  ([, template = '']) =>
    new RegExp(
      `^${template
        .split(/\$\{[^}]*\}/)
        .map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
        .join('.+')}$`,
    ),
)

describe('catalogue', () => {
  test('every key is used and the sources were found', () => {
    const unused = Object.keys(en).filter(
      (key) => !sources.includes(`'${key}'`) && !patterns.some((pattern) => pattern.test(key)),
    )
    expect(sources).toContain('WalletProvider')
    expect(unused).toEqual([])
  })

  test('no text is empty or has a brace without its pair', () => {
    const broken = Object.entries(en).filter(
      ([, value]) => value.trim() === '' || /[{}]/.test(value.replace(/\{[^{}]*\}/g, '')),
    )
    expect(broken).toEqual([])
  })

  test('no key is said twice by two files', () => {
    const keys = Object.entries(files)
      .filter(([path]) => isCatalogue(path))
      .flatMap(([, source]) => [...source.matchAll(/^ {2}'([^']+)':/gm)].map(([, key]) => key))
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
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

  test('behavior: a value is never read as a pattern', () => {
    expect(fillText('{a}{b}', { a: '{b}', b: '$&' })).toBe('{b}$&')
  })
})
