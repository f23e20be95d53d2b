import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { root } from '../run.mjs'

/*
 * A query whose key leaves out something that its function reads shows an old answer after that has changed. Every
 * `queryFn` must name in its `queryKey` what it takes from the functions around it, and `computedQuery`, whose key is
 * its input, must be given a function of the module, which can take nothing from around it.
 */

/** The key itself, and ways to ask, which change no answer. */
const waysToAsk = new Set(['queryKey', 'queryClient', 'ask'])

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const skipped = new Set(['span', 'typeAnnotation', 'typeArguments', 'typeParameters', 'returnType', 'typeParams'])

const isNode = (value) => typeof value === 'object' && value !== null

/** The nodes directly below, without types and the names of properties. */
function childrenOf(node) {
  return Object.entries(node).flatMap(([key, value]) => {
    if (skipped.has(key) || !isNode(value)) return []
    if (key === 'key' && value.type !== 'Computed') return []
    if (key === 'property' && value.type !== 'Computed') return []
    return Array.isArray(value)
      ? value.flatMap((element) => (isNode(element) ? [element.expression ?? element] : []))
      : [value]
  })
}

function walk(node, look, around = []) {
  look(node, around)
  const next = functionTypes.has(node.type) ? [node, ...around] : around
  for (const child of childrenOf(node)) walk(child, look, next)
}

/** Names that a function declares: parameters, variables, functions. */
function declaredBy(fn) {
  const names = new Set()
  const bind = (pattern) => {
    if (!isNode(pattern)) return
    if (pattern.type === 'Identifier') names.add(pattern.value)
    else if (pattern.type === 'KeyValuePatternProperty') bind(pattern.value)
    else if (pattern.type === 'AssignmentPatternProperty') names.add(pattern.key.value)
    else if (pattern.type === 'AssignmentPattern') bind(pattern.left)
    else if (pattern.type === 'RestElement') bind(pattern.argument)
    else for (const part of pattern.properties ?? pattern.elements ?? []) bind(part?.pat ?? part)
  }
  walk(fn, (node) => {
    if (functionTypes.has(node.type)) {
      for (const param of node.params) bind(param.pat ?? param)
      if (node.identifier) bind(node.identifier)
    }
    if (node.type === 'VariableDeclarator') bind(node.id)
  })
  return names
}

/** `place.chainId` for a member of a plain name, the name itself for a name, else null. */
function pathOf(node) {
  switch (node.type) {
    case 'Identifier':
      return node.value
    case 'ParenthesisExpression':
    case 'TsNonNullExpression':
      return pathOf(node.expression)
    case 'OptionalChainingExpression':
      return pathOf(node.base)
    case 'MemberExpression': {
      const of = pathOf(node.object)
      return of !== null && node.property.type === 'Identifier' ? `${of}.${node.property.value}` : null
    }
    default:
      return null
  }
}

/** Everything that an expression reads, as paths. A method is asked of its object. */
function pathsIn(node) {
  const path = pathOf(node)
  if (path !== null) return [path]
  if (node.type !== 'CallExpression') return childrenOf(node).flatMap(pathsIn)
  const callee = pathOf(node.callee)
  const object = callee === null ? pathsIn(node.callee) : [callee.split('.').slice(0, -1).join('.') || callee]
  return [...object, ...node.arguments.flatMap(({ expression }) => pathsIn(expression))]
}

function propertyOf(object, name) {
  for (const property of object.properties) {
    if (property.type === 'Identifier' && property.value === name) return property
    if (property.type === 'KeyValueProperty' && property.key.value === name) return property.value
    if (property.type === 'MethodProperty' && property.key.value === name) return property
  }
  return null
}

/** The value of a name that a function around declares, or the node itself. */
function resolved(node, around) {
  if (node.type !== 'Identifier') return node
  let found = node
  for (const fn of around)
    walk(fn, (inner) => {
      if (inner.type === 'VariableDeclarator' && inner.id.value === node.value && inner.init) found = inner.init
    })
  return found
}

const namesAround = (around) => new Set(around.flatMap((fn) => [...declaredBy(fn)]))

function faultsOf(path, source) {
  const faults = []
  if (!/queryFn|computedQuery/.test(source)) return faults
  const file = parseSync(source, { syntax: 'typescript', tsx: path.endsWith('x'), target: 'es2022' })
  walk(file, (node, around) => {
    if (node.type === 'CallExpression' && node.callee.value === 'computedQuery') {
      const compute = node.arguments[2]?.expression
      if (compute?.type !== 'Identifier' || namesAround(around).has(compute.value))
        faults.push(
          `${path}: computedQuery takes a function of the module, and no other: that could read more than its input.`,
        )
    }
    if (node.type !== 'ObjectExpression') return
    const [key, fn] = [propertyOf(node, 'queryKey'), propertyOf(node, 'queryFn')]
    if (!key || !fn || path.endsWith('computed-query.ts')) return
    const [outer, own] = [namesAround(around), declaredBy(fn)]
    const named = pathsIn(resolved(key, around))
    const isNamed = (read) => named.some((name) => read === name || read.startsWith(`${name}.`))
    const read = new Set(pathsIn(fn.body ?? fn))
    for (const chain of read) {
      const [name] = chain.split('.')
      if (outer.has(name) && !own.has(name) && !waysToAsk.has(name) && !isNamed(chain))
        faults.push(`${path}: a queryFn reads \`${chain}\`, and its queryKey does not name it.`)
    }
  })
  return faults
}

function checkRepository() {
  const folder = join(root, 'packages/web/src')
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .flatMap((path) => faultsOf(path, readFileSync(join(folder, path), 'utf8')))
}

/** Planted faults that must be found, and clean code in which nothing must be. */
function testItself() {
  const clean = [
    'const q = (a, b) => ({ queryKey: ["x", a, keys.of(b)], queryFn: ({ signal }) => api(get, { a, b }, signal) })',
    'function q(place, sent) { const queryKey = ["x", place, sent?.hash]; return useQuery({ queryKey, queryFn: async () => { const now = 1; return read(place.chainId, sent.hash, now) } }) }',
    'function q(list) { return { queryKey: [list.map((x) => x.id)], queryFn: () => list.filter((x) => x) } }',
    'function q(input) { return computedQuery("x", input, compute) }',
    'const q = { queryKey: ["x"], queryFn: () => api(get, {}) }',
  ]
  const planted = [
    'const q = (a, b) => ({ queryKey: ["x", a], queryFn: () => api(get, { a, b }) })',
    'const q = (place) => ({ queryKey: ["x", place.chainId], queryFn: () => read(place) })',
    'const q = (place) => ({ queryKey: ["x", place.chainId], queryFn: () => read(place.chainId, place.safe) })',
    'function q(a) { const rest = a.rest; return { queryKey: ["x"], queryFn: async () => { return rest ?? null } } }',
    'function q(a) { const queryKey = ["x"]; return { queryKey, queryFn: () => a.list.filter((x) => x) } }',
    'function q(all) { return all.map((one) => ({ queryKey: ["x", all], queryFn: () => verdict(one) })) }',
    'function q(input, more) { return computedQuery("x", input, () => compute(input, more)) }',
    'function q(input, more) { const own = () => more; return computedQuery("x", input, own) }',
  ]
  return [
    ...clean.flatMap((source) => faultsOf('clean.ts', source).map((fault) => `Found in clean code: ${fault}`)),
    ...planted.filter((source) => faultsOf('a.ts', source).length === 0).map((source) => `Not found: ${source}`),
  ]
}

const problems = process.argv.includes('--self-test') ? testItself() : checkRepository()
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
