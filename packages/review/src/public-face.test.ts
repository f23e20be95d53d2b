import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

// Checks the documentation that an editor shows: every export explains itself, and every example is real code.

const packages = {
  safe: ['index.ts', 'calls/index.ts', 'compose/index.ts', 'service/index.ts'],
  review: ['index.ts'],
}

type Exported = { name: string; isType: boolean; kind: string; file: string; doc: string; body: string }

/** `export { type A, b } from './file.ts'`, each with what stands in front of its declaration. */
function readExports(index: string): Exported[] {
  const lists = [...readFileSync(index, 'utf8').matchAll(/export (type )?\{([^}]*)\} from '(\.\.?\/[^']+)'/g)]
  return lists.flatMap(([, allTypes, names = '', file = '']) => {
    const source = readFileSync(join(dirname(index), file), 'utf8')
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((written) => {
        const name = written.replace(/^type /, '')
        const declaration = new RegExp(
          `(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?(?:// biome-ignore.*\\n)?export (?:async )?(function|const|type|class)\\*? ${name}\\b`,
        )
        const found = declaration.exec(source)
        if (found === null) throw new Error(`${name} is not declared in ${file}.`)
        const rest = source.slice(found.index + found[0].length)
        return {
          name,
          file,
          isType: allTypes !== undefined || written !== name,
          kind: found[2] ?? '',
          doc: found[1] ?? '',
          body: rest.slice(0, rest.indexOf('\n}\n')),
        }
      })
  })
}

/** The lines of a tag, up to the next one. */
function tagOf(doc: string, tag: string): string {
  const text = doc.replace(/^\/\*\*|\*\/\s*$/g, '').replace(/^ *\* ?/gm, '')
  const [, after = ''] = text.split(`@${tag}`)
  return after.split(/^@/m)[0]?.trim() ?? ''
}

/** Lists the type checker's errors about a program. */
function typeErrors(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'doc-examples-'))
  try {
    const file = join(folder, 'examples.ts')
    writeFileSync(file, code)
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
    const options =
      '--noEmit --strict --skipLibCheck --target es2023 --lib es2023 --module preserve --allowImportingTsExtensions'
    execFileSync(process.execPath, [tsc, ...options.split(' '), '--types', '', file], { encoding: 'utf8' })
    return ''
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
    // A value declared as `any` gives no type to the arguments of a function passed to it.
    return output.replace(/^.*error TS70(?:06|31):.*\n/gm, '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.each(Object.entries(packages))('the public face of %s', (name, indexes) => {
  const root = fileURLToPath(new URL(`../../${name}`, import.meta.url))
  const paths = indexes.map((index) => join(root, 'src', index))
  const exported = paths.flatMap(readExports)
  const functions = exported.filter(({ kind }) => kind === 'function')

  it('has every function, and more than functions', () => {
    expect(functions.length).toBeGreaterThan(50)
    expect(exported.length).toBeGreaterThan(functions.length)
  })

  it('explains every export', () => {
    expect(exported.filter(({ doc }) => doc === '').map(({ name, file }) => `${name} in ${file}`)).toEqual([])
  })

  it('shows how every function is called', () => {
    const silent = functions.filter(({ doc, name }) => !tagOf(doc, 'example').includes(name))
    expect(silent.map(({ name, file }) => `${name} in ${file}`)).toEqual([])
  })

  it('says which error a function throws itself', () => {
    const throwing = functions.filter(({ body }) =>
      /\bthrow |\b(?:assert\w+|addressWord|uintWord|hashBytes)\(/.test(body),
    )
    expect(throwing.length).toBeGreaterThan(3)
    const silent = throwing.filter(
      ({ doc }) => !/@throws (?:CountersignError|whatever)|@throws CountersignError as/.test(doc),
    )
    expect(silent.map(({ name, file }) => `${name} in ${file}`)).toEqual([])
  })

  it('lists every error in the README', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(root, 'src', path), 'utf8'))
    const made = sources.flatMap((source) =>
      [...source.matchAll(/\bfail\(\s*(.{0,80}?)(?:,|\n)/g)].flatMap(
        ([, code = '']) => code.match(/[A-Z]+(?:_[A-Z]+)+/g) ?? [],
      ),
    )
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const listed = readme
      .slice(readme.indexOf('## Errors'))
      .split('\n## ')[0]
      ?.match(/[A-Z]+(?:_[A-Z]+)+/g)
    expect([...new Set(listed)].toSorted()).toEqual([...new Set(made)].toSorted())
  })

  it('has examples that compile, whatever the names in them stand for', () => {
    const values = paths.map((path) => [path, readExports(path).filter(({ isType }) => !isType)] as const)
    const body = functions.map(({ name, doc }) => {
      // Three dots stand for the rest of an argument.
      const code = tagOf(doc, 'example').replaceAll('…', '...rest')
      return `export async function ${name}Example() {\n${code}\n}`
    })
    const names = new Set<string>()
    const program = () =>
      [
        ...values.map(
          ([path, all]) => `import { ${all.map(({ name }) => name).join(', ')} } from ${JSON.stringify(path)}`,
        ),
        ...[...names].map((name) => `declare const ${name}: any`),
        ...body,
      ].join('\n')
    const unknown = typeErrors(program()).matchAll(
      /Cannot find name '(\w+)'|in scope for the shorthand property '(\w+)'/g,
    )
    for (const [, name, shorthand] of unknown) names.add(name ?? shorthand ?? '')
    expect(typeErrors(program())).toBe('')
  })
})
