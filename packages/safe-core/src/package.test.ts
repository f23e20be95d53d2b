import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// The package as a stranger gets it: built, packed, unpacked beside viem, and used by plain Node.

const root = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const examples = [...readme.matchAll(/^### (.+)\n[\s\S]*?^```ts\n([\s\S]*?)^```$/gm)].map(([, title, code]) => ({
  title: title ?? '',
  code: code ?? '',
}))

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

/** Lists the compiler's errors about programs that use the package, in strict mode. */
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

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'safe-core-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@countersign', 'safe-core'), { recursive: true })
  execFileSync(process.execPath, [join(root, 'build.mjs'), join(folder, 'built')], { stdio: 'inherit' })
  execFileSync('npm', ['pack', join(folder, 'built'), '--pack-destination', folder, '--silent'], {
    shell: process.platform === 'win32',
    cwd: folder,
    stdio: 'ignore',
  })
  const tarball = join(folder, 'countersign-safe-core-0.1.0.tgz')
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, '@countersign', 'safe-core')])
  symlinkSync(folderOf('viem'), join(modules, 'viem'), 'dir')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the published package', () => {
  it('has all that it exports, and nothing else', async () => {
    const names = run("import * as core from '@countersign/safe-core'; console.log(Object.keys(core).sort().join())")
    const sources = await import('./index.ts')
    expect(names.trim().split(',')).toEqual(Object.keys(sources).sort())
  })

  it('can be published as it stands', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/@countersign/safe-core/package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: '@countersign/safe-core', license: 'MIT', type: 'module' })
    expect(manifest.private).toBeUndefined()
    expect(manifest.dependencies).toEqual({ viem: expect.stringMatching(/^\^2\./) })
    expect(manifest).toMatchObject({ sideEffects: false, types: './index.d.ts', engines: { node: '>=20.19' } })
    expect(manifest.devDependencies ?? manifest.scripts).toBeUndefined()
    expect(readFileSync(join(folder, 'node_modules/@countersign/safe-core/LICENSE'), 'utf8')).toContain('MIT License')
  })

  it('has types that a strict program compiles against', () => {
    const code = `import { canExecute, type SafeState, type Permission } from '@countersign/safe-core'
export function may(safe: SafeState): Permission {
  return canExecute({ safe, transaction: { nonce: 1n, isExecuted: false, confirmations: [] }, account: null })
}
// @ts-expect-error A nonce is a bigint.
canExecute({ safe: {} as SafeState, transaction: { nonce: 1, isExecuted: false, confirmations: [] }, account: null })
`
    expect(typeErrors({ 'consumer.mts': code })).toBe('')
  })
})

describe('README.md', () => {
  it('has five worked examples or more', () => {
    expect(examples.length).toBeGreaterThanOrEqual(5)
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
