import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseSync } from '@swc/core'
import { root, runNode } from '../run.mjs'
import { createRandomInt } from './random-tests.mjs'

// Changes one operator of the code at a time and runs the tests that cover it: a change that no test notices, a survivor,
// stands for a mistake that none would notice either.

const packages = ['safe', 'review', 'server'].filter((name) => existsSync(join(root, 'packages', name, 'src')))
const DEFAULT_COUNT = 200
/** The test files closest to a change, by imports, run first. What those do not notice, others that reach it may. */
const CLOSEST_TEST_FILES = 6
const MAX_TEST_FILES = 40
const TEST_MS = 10 * 60_000

const operators = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
}

/** Something in front of a source: the parser counts from the first token, and over all that it has read. */
const MARK = '0;'

/**
 * Lists the changes that can be made to a source: where, and what stands there then.
 *
 * @param {string} source
 * @returns {{ start: number, end: number, text: string }[]} offsets in bytes
 */
export function mutationsOf(source) {
  const bytes = Buffer.from(source)
  const { body } = parseSync(MARK + source, { syntax: 'typescript', tsx: false, target: 'es2022' })
  const base = body[0].span.start + MARK.length
  const found = []
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return
    found.push(...mutationsAt(node, base, bytes))
    for (const child of Object.values(node)) visit(child)
  }
  visit(body.slice(1))
  return found
}

function mutationsAt(node, base, bytes) {
  const [start, end] = [node.span?.start - base, node.span?.end - base]
  if (node.type === 'BooleanLiteral') return [{ start, end, text: String(!node.value) }]
  if (node.type === 'UnaryExpression' && node.operator === '!') return [{ start, end: start + 1, text: '' }]
  if (node.type !== 'BinaryExpression' || !(node.operator in operators)) return []
  const [from, to] = [node.left.span.end - base, node.right.span.start - base]
  const at = bytes.subarray(from, to).indexOf(node.operator)
  // A bracket may hold the operator's place apart, a comment may contain it: `(a) /* < */ < b`.
  if (at < 0 || /\/[/*]/.test(bytes.subarray(from, to).toString())) return []
  const place = from + at
  return [{ start: place, end: place + node.operator.length, text: operators[node.operator] }]
}

function sourcesOf(name) {
  return readdirSync(join(root, 'packages', name, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.data.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}

const isTest = (path) => path.endsWith('.test.ts')
const isCovered = (path) => !isTest(path) && !/[\\/]test[\\/]/.test(path)

/** Lists the test files of a package from which a file is reached, the fewest imports away first. */
function testsOf(path, sources) {
  const importers = new Map()
  for (const from of sources)
    for (const [, to] of readFileSync(from, 'utf8').matchAll(/\b(?:from|import\()\s*'(\.[^']+\.ts)'/g)) {
      const target = join(dirname(from), to)
      importers.set(target, [...(importers.get(target) ?? []), from])
    }
  const reached = new Set([path])
  // A set gives what was added while it is walked, too: the closest first.
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer)
  return [...reached].filter(isTest).slice(0, MAX_TEST_FILES)
}

/** Whether the compiler or a test notices. */
async function isNoticed(name, path, sources, env) {
  const tests = testsOf(path, sources)
  for (const some of [tests.slice(0, CLOSEST_TEST_FILES), tests.slice(CLOSEST_TEST_FILES)]) {
    if (some.length === 0) continue
    const args = ['run', '--root', `packages/${name}`, '--bail', '1', '--reporter', 'dot', ...some]
    const { code } = await runNode(
      ['--import', './scripts/testing/map-group-by.mjs', 'node_modules/vitest/vitest.mjs', ...args],
      { isQuiet: true, within: TEST_MS, env: { ...env, CI: '1' } },
    )
    if (code !== 0) return true
  }
  const types = ['node_modules/typescript/bin/tsc', '--project', `packages/${name}`]
  return (await runNode(types, { isQuiet: true, within: TEST_MS, env })).code !== 0
}

/**
 * Makes so many changes, which the seed decides, one after the other; each file is as it was afterwards.
 *
 * @param {{ env: Record<string, string>, print: (text: string) => void }} place
 * @param {number} count
 */
export async function runMutations({ env, print }, count = DEFAULT_COUNT) {
  const randomInt = createRandomInt()
  // The tests that are run are those of every day.
  delete process.env.SOAK_SEED
  const all = packages.map((name) => ({ name, sources: sourcesOf(name) }))
  const files = all.flatMap(({ name, sources }) => sources.filter(isCovered).map((path) => ({ name, sources, path })))
  const survivors = []
  /** Files whose tests and types pass unchanged: else every change would count as noticed. */
  const sound = new Set()
  let made = 0
  while (made < count && process.exitCode !== 130) {
    const { name, sources, path } = files[randomInt(files.length)]
    const source = readFileSync(path)
    const mutations = mutationsOf(source.toString())
    if (mutations.length === 0) continue
    const { start, end, text } = mutations[randomInt(mutations.length)]
    if (!sound.has(path) && (await isNoticed(name, path, sources, env)))
      throw new Error(`The tests or the types of ${path} fail without a change.`)
    sound.add(path)
    made += 1
    const restore = () => writeFileSync(path, source)
    process.once('exit', restore)
    try {
      writeFileSync(path, Buffer.concat([source.subarray(0, start), Buffer.from(text), source.subarray(end)]))
      if (await isNoticed(name, path, sources, env)) continue
    } finally {
      restore()
      process.off('exit', restore)
    }
    const before = source.subarray(0, start).toString().split('\n')
    const line = source.toString().split('\n')[before.length - 1].trim()
    const where = `${relative(root, path)}:${before.length}:${before.at(-1).length + 1}`
    const fullName = `${where}  \`${source.subarray(start, end)}\` → \`${text}\``
    print(`${made} of ${count}: survived: ${fullName}`)
    survivors.push({ file: path, fullName, failureMessages: [line] })
  }
  return { passed: made - survivors.length, failed: survivors.length, failures: survivors }
}
