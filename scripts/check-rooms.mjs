import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { root } from './run.mjs'

const MAX_FOLDER_FILES = 25
const MAX_FUNCTION_LINES = 120
const MAX_SPINE_FILES = 10
const MAX_SPINE_LINES = 1_000

/** Folders that stay small, with all below them. */
const smallFolders = [
  'packages/safe-core/src',
  ...['features', 'ui'].map((name) => `packages/web/src/${name}`),
  ...['features', 'http', 'indexer', 'live', 'outbox', 'rpc', 'safes', 'signatures'].map(
    (name) => `packages/server/src/${name}`,
  ),
]

/** Lists folders with more source files than one look takes in; tests and style sheets do not count. */
function fullFolders(folder, max) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  const count = entries.filter(({ name }) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)).length
  return [
    ...(count > max ? [`${folder} holds ${count} source files: at most ${max}, then folders by what they are.`] : []),
    ...entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) => fullFolders(`${folder}/${name}`, max)),
  ]
}

/**
 * Lists functions that are too long, as they stand on the page: the linter counts neither the lines of JSX nor those of
 * templates. What e2e is made of are tests.
 */
function longFunctions(folder, max) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return ['node_modules', 'dist', 'e2e'].includes(entry.name) ? [] : longFunctions(path, max)
    if (!/\.(?:tsx?|mjs)$/.test(path) || /\.(?:test|d)\.m?tsx?$/.test(path)) return []
    const source = readFileSync(join(root, path), 'utf8')
    // Nothing in it can be too long.
    if (source.split('\n').length <= max) return []
    const lang = path.endsWith('.tsx') ? 'tsx' : 'ts'
    return functionsIn(parseAst(source, { lang, astType: 'ts' })).flatMap(({ start, end }) => {
      const lines = source.slice(start, end).split('\n').length
      const line = source.slice(0, start).split('\n').length
      return lines > max ? [`${path}:${line} is a function of ${lines} lines: at most ${max}.`] : []
    })
  })
}

function functionsIn(node) {
  if (typeof node !== 'object' || node === null) return []
  const isFunction = /^(?:ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type)
  return [...(isFunction ? [node] : []), ...Object.values(node).flatMap(functionsIn)]
}

/** Says when the way of a confirmation is too long to be read in one sitting; its table's first paths are its files. */
function spineProblems(maxLines) {
  const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [, section = ''] = document.split('## Confirm a transaction, end to end')
  const files = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| \d+ \| `([^`]+)`/gm)].map(([, file]) => file)
  if (files.length === 0) return ['ARCHITECTURE.md names no file on the way of a confirmation.']
  const lines = files
    .filter((file) => existsSync(join(root, file)))
    .reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0)
  if (files.length <= MAX_SPINE_FILES && lines <= maxLines) return []
  const most = `at most ${MAX_SPINE_FILES} and ${maxLines}`
  return [`The way of a confirmation in ARCHITECTURE.md is ${files.length} files and ${lines} lines: ${most}.`]
}

function problemsBy({ maxFiles, maxFunctionLines, maxLines }) {
  return [
    ...smallFolders.flatMap((folder) => fullFolders(folder, maxFiles)),
    ...['packages', 'scripts', 'second-look'].flatMap((folder) => longFunctions(folder, maxFunctionLines)),
    ...spineProblems(maxLines),
  ]
}

function selfTest() {
  const found = problemsBy({ maxFiles: 3, maxFunctionLines: 100, maxLines: 100 })
  const expected = [
    ...[
      'packages/safe-core/src/review/findings holds',
      'packages/web/src/ui holds',
      'packages/server/src/rpc holds',
      'The way of a confirmation',
    ],
    // Most of it is JSX.
    'packages/web/src/features/compose/propose-page.tsx:',
  ]
  return expected
    .filter((opening) => !found.some((problem) => problem.startsWith(opening)))
    .map((opening) => `Not found with lower bounds: ${opening}`)
}

const isSelfTest = process.argv.includes('--self-test')
const problems = isSelfTest
  ? selfTest()
  : problemsBy({ maxFiles: MAX_FOLDER_FILES, maxFunctionLines: MAX_FUNCTION_LINES, maxLines: MAX_SPINE_LINES })
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
