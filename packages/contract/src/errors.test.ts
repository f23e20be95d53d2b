import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { errorTable } from './errors.ts'

describe('errorTable', () => {
  test.each(Object.entries(errorTable))('%s', (code, { status, title, hint }) => {
    expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(title, 'a title is a heading').toMatch(/^\p{Lu}.*[^.!]$/u)
    expect(hint, 'a hint is a sentence that says what to do').toMatch(/^\p{Lu}.*\.$/u)
    expect(hint).not.toBe(title)
  })

  test('behavior: no two codes share a title, so that a person can tell them apart', () => {
    const titles = Object.values(errorTable).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })

  test('behavior: every code that is thrown or given as a reason by name is in it', () => {
    const thrown = sources().flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/(?:new CountersignError|refuse)\(\s*'(\w+)'/g)].map(([, code]) => ({
        code,
        path,
      })),
    )
    expect(thrown.length).toBeGreaterThan(0)
    expect(thrown.filter(({ code }) => code === undefined || !Object.hasOwn(errorTable, code))).toEqual([])
  })
})

/** The class takes any code, because safe-core lies below the table: so look at all packages. */
function sources(): string[] {
  const packages = fileURLToPath(new URL('../../', import.meta.url))
  return readdirSync(packages).flatMap((name) =>
    readdirSync(join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
      .map((path) => join(packages, name, 'src', path)),
  )
}
