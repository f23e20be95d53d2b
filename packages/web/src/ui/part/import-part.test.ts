import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { explainMissingParts, importPart, partsAtRest } from './import-part.ts'
import { isMissingPart } from './missing-part.ts'

type Link = { href: string; settle: (outcome: 'load' | 'error' | 'gone') => Promise<void> }

/** Files that are being fetched. */
let links: Link[] = []
let count = 0
/** Addresses of its own for each test: what came once is not asked for again. */
const fresh = (name: string) => `assets/${name}-${++count}.js`
const settled = () => new Promise((resolve) => setImmediate(resolve))

beforeEach(() => {
  links = []
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', {
    querySelector: (selector: string) => (selector.includes('/assets/named-by-html.js') ? {} : null),
  })
  vi.stubGlobal('fetch', (href: string) => {
    return new Promise<Response>((resolve, reject) => {
      links.push({
        href,
        settle: async (outcome) => {
          if (outcome === 'error') reject(new TypeError('Failed to fetch'))
          else resolve(new Response('', { status: outcome === 'gone' ? 404 : 200 }))
          await settled()
        },
      })
    })
  })
})
afterEach(() => {
  explainMissingParts(async (error) => error)
  vi.unstubAllGlobals()
})

describe('importPart', () => {
  test('default: imports once all files are fetched, each requested once', async () => {
    const [part, needed] = [fresh('part'), fresh('needed')]
    const load = vi.fn(async () => 'module')
    const first = importPart(load, [part, needed])
    const second = importPart(load, [needed])
    expect(links.map(({ href }) => href)).toEqual([`/${part}`, `/${needed}`])
    await links[0]?.settle('load')
    expect(load).not.toHaveBeenCalled()
    await links[1]?.settle('load')
    expect(await Promise.all([first, second])).toEqual(['module', 'module'])
    await importPart(load, [part, needed])
    expect(links).toHaveLength(2)
  })

  test.each([
    [0, 'error'],
    [1, 'error'],
    [2, 'error'],
    [0, 'gone'],
    [2, 'gone'],
  ] as const)(
    'behavior: file %i does not come (%s): nothing is imported, so that no browser keeps the failure, and it is asked for anew',
    async (missing, outcome) => {
      const files = [fresh('part'), fresh('needed'), fresh('deep')]
      const load = vi.fn(async () => 'module')
      const first = importPart(load, files).catch((error: unknown) => error)
      for (const [at, link] of links.entries()) await link.settle(at === missing ? outcome : 'load')
      expect(isMissingPart(await first)).toBe(true)
      expect(load).not.toHaveBeenCalled()
      const again = importPart(load, files)
      for (const link of links.slice(files.length)) await link.settle('load')
      expect(await again).toBe('module')
      expect(load).toHaveBeenCalledOnce()
      // Under another address it would be a second instance of the module.
      expect(new Set(links.map(({ href }) => href))).toEqual(new Set(files.map((file) => `/${file}`)))
    },
  )

  test('behavior: another part that needs the failed file requests it again', async () => {
    const shared = fresh('shared')
    const failing = importPart(async () => 'one', [fresh('one'), shared]).catch(() => 'failed')
    await links[1]?.settle('error')
    expect(await failing).toBe('failed')
    const other = importPart(async () => 'two', [shared])
    await links.at(-1)?.settle('load')
    expect(await other).toBe('two')
  })

  test('behavior: does not request files of index.html again; imports a part without files at once', async () => {
    expect(await importPart(async () => 1, ['assets/named-by-html.js'])).toBe(1)
    expect(await importPart(async () => 2)).toBe(2)
    expect(links).toEqual([])
  })

  test.each([
    ['Chromium', 'Failed to fetch dynamically imported module: https://a/b.js'],
    ['Firefox', 'error loading dynamically imported module: https://a/b.js'],
    ['WebKit', 'Importing a module script failed.'],
  ])('behavior: code that did not come in the words of %s is told by its cause', async (_, message) => {
    explainMissingParts(async () => new Error('the network'))
    const failing = importPart(() => Promise.reject(new TypeError(message)), [])
    await expect(failing).rejects.toThrow('the network')
  })

  test('behavior: an error of the code itself is passed on unchanged', async () => {
    explainMissingParts(async () => new Error('the network'))
    for (const error of [new TypeError('x is not a function'), new Error('mine')])
      await expect(importPart(() => Promise.reject(error), [])).rejects.toBe(error)
  })
})

describe('partsAtRest', () => {
  test('default: resolves once nothing is loading, including parts that another part requested', async () => {
    vi.stubGlobal('window', { requestIdleCallback: true })
    vi.stubGlobal('requestIdleCallback', (act: () => void) => act())
    const [one, two] = [fresh('one'), fresh('two')]
    const order: string[] = []
    const begin = importPart(async () => {
      void importPart(async () => order.push('two'), [two]).catch(() => {})
    }, [one])
    const rest = partsAtRest().then(() => order.push('rest'))
    await links[0]?.settle('load')
    await begin
    await new Promise((resolve) => setTimeout(resolve))
    expect(order).toEqual([])
    await links[1]?.settle('load')
    await rest
    expect(order).toEqual(['two', 'rest'])
  })
})
