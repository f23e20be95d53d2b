import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as safe from '@countersign/safe'
import * as calls from '@countersign/safe/calls'
import * as compose from '@countersign/safe/compose'
import * as service from '@countersign/safe/service'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writePackage } from '../../../scripts/write-package.mjs'
import * as review from './index.ts'

// The packages as a stranger gets them: built, packed, unpacked beside viem, and used by plain Node.

const packages = ['safe', 'review'] as const
const entries = {
  '@countersign/safe': safe,
  '@countersign/safe/calls': calls,
  '@countersign/safe/compose': compose,
  '@countersign/safe/service': service,
  '@countersign/review': review,
}
const require = createRequire(import.meta.url)

let folder: string

/** The folder of an installed package, whatever it exports. */
function folderOf(name: string): string {
  const [found] =
    require.resolve.paths(name)?.flatMap((path) => {
      try {
        return [dirname(require.resolve(join(path, name, 'package.json')))]
      } catch {
        return []
      }
    }) ?? []
  if (found === undefined) throw new Error(`${name} is not installed.`)
  return found
}

function run(code: string): string {
  const file = join(folder, 'example.mjs')
  writeFileSync(file, code)
  return execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })
}

/** Lists the compiler's errors about programs that use the packages, in strict mode. */
function typeErrors(programs: Record<string, string>): string {
  for (const [name, code] of Object.entries(programs)) writeFileSync(join(folder, name), code)
  const tsc = join(folderOf('typescript'), 'bin', 'tsc')
  const options = '--noEmit --strict --skipLibCheck --target es2023 --module nodenext --types'.split(' ')
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, '', ...Object.keys(programs)], {
    encoding: 'utf8',
    cwd: folder,
  })
  return stdout
}

function examplesOf(name: string): { title: string; code: string }[] {
  const readme = readFileSync(fileURLToPath(new URL(`../../${name}/README.md`, import.meta.url)), 'utf8')
  return [...readme.matchAll(/^### (.+)\n[\s\S]*?^```ts\n([\s\S]*?)^```$/gm)].map(([, title, code]) => ({
    title: `${name}: ${title}`,
    code: code ?? '',
  }))
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'published-'))
  const modules = join(folder, 'node_modules')
  for (const name of packages) {
    mkdirSync(join(modules, '@countersign', name), { recursive: true })
    writePackage(name, join(folder, 'built', name))
    execFileSync('npm', ['pack', join(folder, 'built', name), '--pack-destination', folder, '--silent'], {
      shell: process.platform === 'win32',
      cwd: folder,
      stdio: 'ignore',
    })
    const tarball = join(folder, `countersign-${name}-0.1.0.tgz`)
    execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, '@countersign', name)])
  }
  symlinkSync(folderOf('viem'), join(modules, 'viem'), 'dir')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the published packages', () => {
  it.each(Object.entries(entries))('%s has all that it exports, and nothing else', (entry, sources) => {
    const names = run(`import * as all from '${entry}'; console.log(Object.keys(all).sort().join())`)
    expect(names.trim().split(',')).toEqual(Object.keys(sources).sort())
  })

  it.each(packages)('%s can be published as it stands', (name) => {
    const installed = join(folder, 'node_modules/@countersign', name)
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: `@countersign/${name}`, license: 'MIT', type: 'module' })
    expect(manifest.private).toBeUndefined()
    expect(manifest.dependencies).toEqual({
      viem: expect.stringMatching(/^\^2\./),
      ...(name === 'review' ? { '@countersign/safe': '^0.1.0' } : {}),
    })
    expect(manifest).toMatchObject({ sideEffects: false, types: './index.d.ts', engines: { node: '>=20.19' } })
    expect(manifest.devDependencies ?? manifest.scripts).toBeUndefined()
    expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toContain('MIT License')
  })

  it('have types that a strict program compiles against', () => {
    const code = `import type { Review } from '@countersign/review'
import { canExecute, type SafeState, type Permission } from '@countersign/safe'
export function may(safe: SafeState): Permission {
  return canExecute({ safe, transaction: { nonce: 1n, isExecuted: false, confirmations: [] }, account: null })
}
// @ts-expect-error A nonce is a bigint.
canExecute({ safe: {} as SafeState, transaction: { nonce: 1, isExecuted: false, confirmations: [] }, account: null })
// @ts-expect-error There is no such verdict.
export const verdict: Review['verdict'] = 'fine'
`
    expect(typeErrors({ 'consumer.mts': code })).toBe('')
  })
})

describe('README.md', () => {
  const examples = packages.flatMap(examplesOf)

  it('has worked examples', () => {
    expect(examplesOf('safe').length).toBeGreaterThanOrEqual(5)
    expect(examplesOf('review').length).toBeGreaterThanOrEqual(1)
  })

  it('has examples that compile', () => {
    expect(typeErrors(Object.fromEntries(examples.map(({ code }, at) => [`example-${at}.mts`, code])))).toBe('')
  })

  it.each(examples)('$title', ({ code }) => {
    const promised = [...code.matchAll(/console\.log\(.*\) \/\/ (.+)$/gm)].map(([, line]) => line)
    expect(promised.length).toBeGreaterThan(0)
    expect(run(code).trimEnd().split('\n')).toEqual(promised)
  })
})
