import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { root, run } from '../run.mjs'

/** The areas that the table has a row for. */
const areas = ['safe', 'review', 'contract', 'simulation', 'server', 'web', 'devnet'].map((name) => ({
  name,
  folder: `packages/${name}/src`,
}))

const functionTypes = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'])
const branchTypes = new Set([
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'CatchClause',
])

/**
 * A function; `reason` is the line `// Complexity: …` of the comment above it, null if it has none.
 *
 * @typedef {{ path: string, line: number, name: string, lines: number, complexity: number, reason: string | null }} Measured
 */

/**
 * Measures one source file.
 *
 * @param {string} path relative to the root
 * @param {string} source
 */
export function measureFile(path, source) {
  const lang = path.endsWith('.tsx') ? 'tsx' : 'ts'
  const program = parseAst(source, { lang, astType: 'ts' })
  const lines = source.split('\n')
  const lineAt = lineIndex(source)
  const found = {
    path,
    lines: lines.length - 1,
    comments: lines.filter(isComment).length,
    /** @type {Measured[]} */
    functions: [],
    /** @type {{ line: number, text: string }[]} */
    spreads: [],
    /** @type {string[]} */
    imports: [],
    exports: 0,
    documentedExports: 0,
    any: 0,
    as: 0,
    nonNull: 0,
  }
  for (const statement of program.body) {
    if (statement.source?.value) found.imports.push(statement.source.value)
    if (statement.type !== 'ExportNamedDeclaration') continue
    const names = statement.declaration
      ? (statement.declaration.declarations?.length ?? 1)
      : statement.specifiers.length
    found.exports += names
    const above = source.slice(0, statement.start)
    if (statement.declaration && /\*\/\s*(?:\/\/ Complexity: .*\s*)?$/.test(above)) found.documentedExports += names
    if (!statement.declaration) found.documentedExports += names
  }
  /** Counts what steps around the types. */
  const countEscapes = ({ type, typeAnnotation }) => {
    if (type === 'TSAnyKeyword') found.any += 1
    if (type === 'TSNonNullExpression') found.nonNull += 1
    if (type === 'TSAsExpression' && source.slice(typeAnnotation.start, typeAnnotation.end) !== 'const') found.as += 1
  }
  /** @returns {Measured} */
  const startFunction = (node, name) => {
    const line = lineAt(node.start)
    return {
      path,
      line,
      name: node.id?.name ?? name ?? '(anonymous)',
      lines: lineAt(node.end) - line + 1,
      complexity: 1,
      reason: reasonAbove(lines, line),
    }
  }
  const visit = (node, owner, name) => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) {
      for (const child of node) visit(child, owner, name)
      return
    }
    countEscapes(node)
    if (isSpreadOfLiteral(node))
      found.spreads.push({ line: lineAt(node.start), text: lines[lineAt(node.start) - 1]?.trim() ?? '' })
    let inner = owner
    if (functionTypes.has(node.type) && node.body) {
      inner = startFunction(node, name)
      found.functions.push(inner)
    } else if (owner && isBranch(node)) owner.complexity += 1
    const called = nameOf(node) ?? name
    for (const key in node) visit(node[key], inner, called)
  }
  visit(program.body, null, undefined)
  return found
}

function nameOf({ id, key }) {
  return id?.name ?? key?.name
}

/** Returns the reason after `// Complexity:` in the comment above a line. Null if there is none. */
function reasonAbove(lines, line) {
  for (let at = line - 2; isComment(lines[at]); at--) {
    const [, reason] = /^\s*\/\/ Complexity: (.+)$/.exec(lines[at]) ?? []
    if (reason) return reason
  }
  return null
}

function isComment(line) {
  return /^\s*(?:\/\/|\/\*|\*)/.test(line ?? '')
}

function isBranch({ type, test }) {
  return branchTypes.has(type) || (type === 'SwitchCase' && test !== null)
}

/** A spread whose operand is written out in place: it only keeps the formatter from breaking a line. */
function isSpreadOfLiteral({ type, argument }) {
  if (type !== 'SpreadElement' && type !== 'JSXSpreadAttribute') return false
  let operand = argument
  while (['ParenthesizedExpression', 'TSAsExpression', 'TSSatisfiesExpression'].includes(operand.type))
    operand = operand.expression
  return ['ObjectExpression', 'ArrayExpression'].includes(operand.type)
}

function lineIndex(source) {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** @returns {string[]} the source files below a folder, relative to the root, tests included */
export function sourcesBelow(folder) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesBelow(path)
    return /\.(?:tsx?|mts|mjs)$/.test(path) && !/\.(?:d|data|gen)\.m?ts$/.test(path) ? [path] : []
  })
}

export const isTest = (path) => /\.test\.tsx?$/.test(path) || /\/(?:test|tests)\//.test(path)

export function measure(paths) {
  return paths.map((path) => measureFile(path, readFileSync(join(root, path), 'utf8')))
}

/** @returns {Map<string, number>} the count of source files directly in each folder */
export function folderSizes(paths) {
  const sizes = new Map()
  for (const path of paths) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
  return sizes
}

/** The files of the way of a confirmation, which ARCHITECTURE.md lists, and what they import directly. */
export function confirmPath() {
  const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [, section = ''] = document.split('## Confirm a transaction, end to end')
  const steps = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| \d+ \| `([^`]+)`/gm)].map(([, file = '']) => file)
  const files = new Set(steps)
  for (const step of steps)
    for (const name of measure([step])[0].imports) {
      const file = resolveImport(step, name)
      if (file) files.add(file)
    }
  const lines = [...files].reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0)
  return { steps, files: [...files], lines }
}

function resolveImport(from, name) {
  if (!name.startsWith('.')) return null
  const path = relative(root, resolve(root, dirname(from), name))
  return existsSync(join(root, path)) && /\.tsx?$/.test(path) ? path : null
}

/** The median count of files of the last ten commits that added a finding, and of those that added an endpoint. */
export async function filesOfAdditions() {
  return {
    finding: await medianFiles("^ *'?([A-Z][A-Z0-9]*(-[A-Z0-9]+)+)'?: \\{"),
    endpoint: await medianFiles('^export const (\\w+) = endpoint\\('),
  }
}

/** @param {string} row finds the row of an addition, whose name its first group is */
async function medianFiles(row) {
  const git = async (...args) => (await run('git', args, { isQuiet: true })).output
  const commits = (
    await git('log', '--format=%H', '-n', '60', '-E', '-G', row.replaceAll('\\w', '[A-Za-z]'), '--', 'packages')
  )
    .trim()
    .split('\n')
  const counts = []
  for (const commit of commits) {
    const changed = (await git('show', '--format=', '--unified=0', '-M', commit, '--', 'packages')).split('\n')
    const named = (sign) =>
      changed.flatMap((line) => (line[0] === sign ? (new RegExp(row).exec(line.slice(1))?.[1] ?? []) : []))
    const before = named('-')
    // A row that was moved or edited was not added.
    if (named('+').every((name) => before.includes(name))) continue
    const paths = (await git('show', '--name-only', '--format=', commit)).trim().split('\n')
    counts.push(paths.filter((path) => !isTest(path)).length)
    if (counts.length === 10) break
  }
  return counts.length === 0 ? null : quantile(counts, 0.5)
}

export function quantile(values, share) {
  const sorted = values.toSorted((one, another) => one - another)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Prints the table of this project's measures. */
export async function printMeasures(print) {
  const rows = areas.map(({ name, folder }) => ({ name, paths: sourcesBelow(folder) }))
  rows.unshift({ name: 'all', paths: rows.flatMap(({ paths }) => paths) })
  const spread = (values) => [0.5, 0.95, 1].map((share) => quantile(values, share)).join('/')
  const per = (count, lines) => ((count / lines) * 1_000).toFixed(1)
  const table = rows.map(({ name, paths }) => {
    const files = measure(paths.filter((path) => !isTest(path)))
    const tests = measure(paths.filter(isTest))
    const sum = (key, of = files) => of.reduce((total, file) => total + file[key], 0)
    const functions = files.flatMap((file) => file.functions)
    const lines = sum('lines')
    const crossing = files.reduce((total, file) => total + file.imports.filter((to) => /^\.\.\//.test(to)).length, 0)
    return {
      area: name,
      'files / lines': `${files.length} / ${(lines / 1_000).toFixed(1)}k`,
      function: spread(functions.map((each) => each.lines)),
      file: spread(files.map((file) => file.lines)),
      'complexity > 15': functions.filter(({ complexity }) => complexity > MAX_COMPLEXITY).length,
      'folder p95/max': [0.95, 1]
        .map((share) => quantile([...folderSizes(files.map(({ path }) => path)).values()], share))
        .join('/'),
      'exports p95': quantile(
        files.map((file) => file.exports),
        0.95,
      ),
      comments: `${Math.round((sum('comments') / lines) * 100)} %`,
      documented: `${Math.round((sum('documentedExports') / Math.max(1, sum('exports'))) * 100)} %`,
      'any/as/!': [sum('any'), sum('as'), sum('nonNull')].map((count) => per(count, lines)).join('/'),
      'cross-folder imports': (crossing / files.length).toFixed(1),
      'tests : code': (sum('lines', tests) / lines).toFixed(2),
      'literal spreads': files.concat(tests).reduce((total, file) => total + file.spreads.length, 0),
    }
  })
  const columns = Object.keys(table[0])
  const widths = columns.map((column) => Math.max(column.length, ...table.map((row) => String(row[column]).length)))
  const line = (cells) =>
    cells
      .map((cell, index) => String(cell).padEnd(widths[index]))
      .join('  ')
      .trimEnd()
  print(line(columns))
  for (const row of table) print(line(columns.map((column) => row[column])))
  const path = confirmPath()
  print(
    `The way of a confirmation, with what its ${path.steps.length} files import directly: ${path.files.length} files, ${path.lines} lines.`,
  )
  const { finding, endpoint } = await filesOfAdditions()
  print(
    `Files without tests that a commit changed, median of the last ten: ${finding} where it added a finding, ${endpoint} where it added an endpoint.`,
  )
}

export const MAX_COMPLEXITY = 15
