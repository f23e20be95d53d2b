import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findProblems,
  findUnknownLibraries,
  findUnnamedData,
  listParts,
  type Part,
} from '../../../scripts/notices/write-notices.mjs'
import { team } from '../src/people/team.ts'
import { type Scene, startScene } from '../src/product/scene.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const bundles = ['page', 'bytecode-worker', 'server', 'launch', 'devnet']

let scene: Scene
let notices: string
beforeAll(async () => {
  scene = await startScene()
  const answer = await fetch(`${scene.product.url}/THIRD-PARTY-NOTICES.txt`)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  notices = await answer.text()
})
afterAll(() => scene?.close())

/** Name and version of the packages that these files are in, read from their manifests. */
function packagesOf(files: readonly string[]): string[] {
  const directories = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/?]+/.exec(file)?.[0] ?? [])
  return [...new Set(directories)].map((directory) => {
    const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    return `${name} ${version}`
  })
}

function modulesOf(bundle: string): string[] {
  return JSON.parse(readFileSync(join(root, 'dist/modules', `${bundle}.json`), 'utf8'))
}

/** The entry of a part: from its heading to the next. */
function entryOf(part: string): string {
  return notices.split(/^={100}\n/m).find((entry) => entry.startsWith(`${part}\n`)) ?? ''
}

describe('third-party notices', () => {
  test('default: the foot of every page leads to them', async () => {
    const { page } = await scene.owner(team.anna.privateKey)
    await page.goto(scene.product.url)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Licences' }).click()
    await page.getByText('THIRD-PARTY NOTICES').waitFor()
    expect(new URL(page.url()).pathname).toBe('/THIRD-PARTY-NOTICES.txt')
  })

  test('behavior: each package in a bundle has an entry with version, licence, source and the text of the licence', () => {
    for (const bundle of bundles)
      for (const part of packagesOf(modulesOf(bundle))) {
        const entry = entryOf(part)
        expect(entry, `${part} of ${bundle}`).toMatch(/^Licence: \S+/m)
        expect(entry, part).toMatch(/^Source: https:\/\//m)
        expect(entry, part).toMatch(/copyright|licen[sc]e/i)
      }
    expect(packagesOf(modulesOf('page')).length).toBeGreaterThan(40)
  })

  test('behavior: the source maps name no package that the lists of modules do not name', () => {
    for (const bundle of ['server', 'launch', 'devnet']) {
      const { sources }: { sources: string[] } = JSON.parse(readFileSync(join(root, `dist/${bundle}.js.map`), 'utf8'))
      const listed = packagesOf(modulesOf(bundle))
      for (const part of packagesOf(sources.map((source) => join(root, 'dist', source))))
        expect(listed, bundle).toContain(part)
    }
  })

  test('behavior: PostgreSQL, its libraries, native modules, the local node and data have entries', () => {
    for (const name of [
      'PostgreSQL',
      'OpenSSL',
      'ICU',
      'libxml2',
      'zlib',
      'secp256k1',
      'pg',
      'pino',
      '@foundry-rs/anvil',
    ])
      expect(notices).toMatch(new RegExp(`^${name}( \\S+)?\nLicence: `, 'm'))
    expect(entryOf('secp256k1 5.0.2')).toContain('Pieter Wuille')
    expect(notices).toMatch(/^@safe-global\/safe-deployments .*\n(.*\n){2}Used in: .*deployments\.data\.ts/m)
    expect(notices).toMatch(/^clear-signing-erc7730-registry [0-9a-f]{40}\nLicence: CC0-1\.0\n/m)
    expect(findUnknownLibraries()).toEqual([])
    expect(findUnnamedData()).toEqual([])
  })

  test('behavior: every licence is one that may be shipped', () => {
    expect(findProblems(listParts())).toEqual([])
  })

  test('error: another licence, a missing text and an unknown source of MPL code are named', () => {
    const part: Part = {
      name: 'planted',
      version: '1.0.0',
      licence: 'MIT',
      source: 'https://example.org',
      text: 'Permission is hereby granted, free of charge',
      partOf: ['page'],
    }
    const problemsOf = (change: Partial<Part>) => findProblems([{ ...part, ...change }]).length
    expect(problemsOf({})).toBe(0)
    expect(problemsOf({ licence: 'MIT OR GPL-3.0' })).toBe(0)
    expect(problemsOf({ licence: '(Apache-2.0 AND MIT)' })).toBe(0)
    for (const licence of [
      'GPL-3.0',
      'AGPL-3.0-only',
      'MIT AND GPL-3.0',
      'FSL-1.1-MIT',
      'CC-BY-NC-4.0',
      'UNLICENSED',
      '',
    ])
      expect(problemsOf({ licence }), licence).toBe(1)
    expect(problemsOf({ text: '' })).toBe(1)
    expect(problemsOf({ licence: 'MPL-2.0' })).toBe(0)
    expect(problemsOf({ licence: 'MPL-2.0', source: '' })).toBe(1)
    const contracts = { name: '@safe-global/safe-contracts', licence: 'LGPL-3.0' }
    expect(problemsOf({ ...contracts, partOf: ['installed with the server'] })).toBe(0)
    expect(problemsOf({ ...contracts, partOf: ['installed with the server', 'devnet'] })).toBe(1)
  })
})
