import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'
import { findingCatalogue } from './catalogue.ts'

type Planned = { id: string; fate: 'fires' }
/** A node of a syntax tree: its type, and whatever it holds. */
type Syntax = { type: string; [key: string]: unknown }

const here = new URL('.', import.meta.url)
const table = new URL('../vectors/verdicts/', here)
const planned: Planned[] = JSON.parse(readFileSync(new URL('catalogue.json', table), 'utf8'))

/** Tests of what a review says. */
const tests = ['.', '../../safe/src/descriptors/'].flatMap((folder) =>
  readdirSync(new URL(folder, here), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(`${folder}/${name}`, here), 'utf8')),
)

/** Each shape of the table is reviewed by `verdicts.test.ts`, which expects these to be found. */
const ofShapes = readdirSync(table)
  .filter((name) => /^(?:ordinary|attack)-/.test(name))
  .flatMap((name): { findings: string[] }[] => JSON.parse(readFileSync(new URL(name, table), 'utf8')))
  .flatMap(({ findings }) => findings)

const isSyntax = (value: unknown): value is Syntax => typeof value === 'object' && value !== null && 'type' in value

const parts = (node: Syntax): Syntax[] => Object.values(node).flat().filter(isSyntax)

/** Every text under a node, but for what `isLeftOut` says. */
function textsIn(node: Syntax, isLeftOut: (node: Syntax) => boolean): string[] {
  if (isLeftOut(node)) return []
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  return parts(node).flatMap((part) => textsIn(part, isLeftOut))
}

/** The names of a chain such as `expect(…).not.toContain(…)`, outermost first; null for any other call. */
function chainOf(node: Syntax, names: readonly string[] = []): readonly string[] | null {
  if (node.type === 'CallExpression' && isSyntax(node.callee)) {
    const { callee } = node
    return callee.type === 'Identifier' && callee.name === 'expect' ? names : chainOf(callee, names)
  }
  if (node.type !== 'MemberExpression' || !isSyntax(node.object) || !isSyntax(node.property)) return null
  return chainOf(node.object, [...names, String(node.property.name)])
}

const isNothing = (node: Syntax) =>
  (node.type === 'ArrayExpression' && parts(node).length === 0) ||
  (node.type === 'Literal' && (node.value === false || node.value === null || node.value === 0)) ||
  (node.type === 'Identifier' && node.name === 'undefined')

/** An expectation that something is not there. */
function isDenied(node: Syntax): boolean {
  const chain = node.type === 'CallExpression' ? chainOf(node) : null
  if (chain === null || chain.length === 0) return false
  if (chain.includes('not') || /^toBe(?:Undefined|Null|Falsy)$/.test(chain[0] ?? '')) return true
  return Object.values([node.arguments].flat()).some((given) => isSyntax(given) && isNothing(given))
}

/** Expectations, and tables of cases: what is expected there is found, and not only named. */
function expectedIn(source: string): string[] {
  const program = parseAst(source, { lang: 'ts' }) as unknown as Syntax
  const tables = new Set<unknown>()
  const expected: string[] = []
  const visit = (node: Syntax) => {
    const isEach = isSyntax(node.callee) && isSyntax(node.callee.property) && node.callee.property.name === 'each'
    if (isDenied(node)) return
    if (isEach || (node.type === 'CallExpression' && (chainOf(node)?.length ?? 0) > 0)) {
      if (isEach) for (const given of [node.arguments].flat()) if (isSyntax(given)) tables.add(given.name)
      expected.push(...textsIn(node, isDenied))
    }
    parts(node).forEach(visit)
  }
  visit(program)
  const visitTables = (node: Syntax) => {
    if (node.type === 'VariableDeclarator' && isSyntax(node.id) && isSyntax(node.init) && tables.has(node.id.name))
      expected.push(...textsIn(node.init, isDenied))
    parts(node).forEach(visitTables)
  }
  visitTables(program)
  // Some expect the severity with the id.
  return expected.flatMap((text) => text.split(' '))
}

describe('the findings that were planned', () => {
  it('are a hundred', () => {
    expect(new Set(planned.map(({ id }) => id)).size).toBe(100)
  })

  it('fire, each in a test', () => {
    for (const { id, fate } of planned) expect(id in findingCatalogue, id).toBe(fate === 'fires')
  })

  it('and every one besides them is expected by a test or by the table of verdicts', () => {
    const expected = new Set([...ofShapes, ...tests.flatMap(expectedIn)])
    expect(Object.keys(findingCatalogue).filter((id) => !expected.has(id))).toEqual([])
  })
})
