import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from '@swc/core'
import { BaseSequencer, createVitest } from 'vitest/node'
import { root, runNode } from '../run.mjs'
import { createRandomInt } from './random-tests.mjs'

// Changes one operator of the code at a time and runs the tests that reach it. A survivor, a mutation that no test notices,
// stands for a mistake that no test would find either.

const packages = ['safe', 'review', 'server']
const DEFAULT_COUNT = 200
/** The closest test files that reach a mutation. */
const MAX_TEST_FILES = 40
/** Mutations per Vitest instance. The server's tests keep their databases until it closes. */
const MUTATIONS_PER_VITEST = 20
/** A mutation can make a test wait or loop forever. */
const TEST_MS = 60_000
const MAX_SLOWDOWN = 5
/** Outcome if the mutation may have broken more than the code, such as PostgreSQL, or if the machine was busy. */
const UNDECIDED = 'undecided, as its tests fail without it'

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

/** Put before a source, because the parser counts offsets from the first token and across all parsed sources. */
const MARK = '0;'

/**
 * Lists the mutations of a source. `node` is the whole expression, `operand` the part that is evaluated first.
 *
 * @param {Buffer} source
 * @returns {{ start: number, end: number, text: string, node: number[], operand: number[] }[]} offsets in bytes
 */
export function mutationsOf(source) {
  const { body } = parseSync(MARK + source, { syntax: 'typescript', tsx: false, target: 'es2022' })
  const base = body[0].span.start + MARK.length
  const found = []
  const visit = (node) => {
    if (typeof node !== 'object' || node === null || node.type === 'TsLiteralType') return
    found.push(...mutationsAt(node, base, source))
    for (const child of Object.values(node)) visit(child)
  }
  visit(body.slice(1))
  return found
}

function mutationsAt(node, base, source) {
  const placeOf = ({ span }) => [span.start - base, span.end - base]
  if (node.type === 'BooleanLiteral') {
    const [start, end] = placeOf(node)
    return [{ start, end, text: String(!node.value), node: [start, end], operand: [start, end] }]
  }
  if (node.type === 'UnaryExpression' && node.operator === '!') {
    const [start, end] = placeOf(node)
    return [{ start, end: start + 1, text: '', node: [start, end], operand: [start, end] }]
  }
  if (node.type !== 'BinaryExpression' || !(node.operator in operators)) return []
  const operand = placeOf(node.left)
  const between = source.subarray(operand[1], placeOf(node.right)[0]).toString()
  const start = operand[1] + between.indexOf(node.operator)
  // A comment may contain the operator: `a /* < */ < b`.
  if (start < operand[1] || /\/[/*]/.test(between)) return []
  return [{ start, end: start + node.operator.length, text: operators[node.operator], node: placeOf(node), operand }]
}

/** Returns the source with a mutation. `a ?? b ?? c` would not parse without brackets around `a && b`. */
function mutate(source, { start, end, text, node }) {
  const isMixed = source.subarray(start, end).toString() === '??'
  return edit(source, [
    { start, end, text },
    ...(isMixed
      ? [
          { start: node[0], end: node[0], text: '(' },
          { start: node[1], end: node[1], text: ')' },
        ]
      : []),
  ])
}

/** Returns the source with a call of `reach` around the operand of each mutation. */
function mark(source, mutations) {
  return edit(
    source,
    mutations.flatMap(({ id, operand: [start, end] }) => [
      { start, end: start, text: `reach(${id}, ` },
      { start: end, end, text: ')' },
    ]),
  )
}

function edit(source, edits) {
  let result = source
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start))
    result = Buffer.concat([result.subarray(0, start), Buffer.from(text), result.subarray(end)])
  return result
}

/** Draws different mutations at random. Every operator of the packages is equally likely. */
function drawMutations(names, count) {
  const randomInt = createRandomInt()
  const left = names.flatMap((name) =>
    sourcesOf(name).flatMap((path) => mutationsOf(readFileSync(path)).map((mutation) => ({ ...mutation, name, path }))),
  )
  const drawn = Array.from({ length: Math.min(count, left.length) }, () => left.splice(randomInt(left.length), 1)[0])
  return drawn.map((mutation, id) => ({ ...mutation, id }))
}

function sourcesOf(name) {
  return readdirSync(join(root, 'packages', name, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|\.data|\.d|\bscene)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/]test[\\/]/.test(path))
}

class InGivenOrder extends BaseSequencer {
  async sort(files) {
    return files
  }
}

function openVitest(name, options, plugins = []) {
  return createVitest(
    'test',
    {
      root: join(root, 'packages', name),
      watch: false,
      reporters: [{}],
      testTimeout: TEST_MS,
      hookTimeout: TEST_MS,
      ...options,
    },
    { plugins },
  )
}

/** Runs all tests of a package once. Returns the function that lists the tests of a mutation, the closest file first. */
async function findTests(name, mutations, print) {
  const plugin = {
    name: 'mark-reached',
    enforce: 'pre',
    transform(_, path) {
      const here = mutations.filter((mutation) => mutation.path === path)
      return here.length > 0 ? mark(readFileSync(path), here).toString() : undefined
    },
  }
  // The global setup of a package also loads its code, in this process.
  globalThis.reach = (_, operand) => operand
  const setupFiles = [fileURLToPath(new URL('mark-reached.mjs', import.meta.url))]
  const vitest = await openVitest(name, { setupFiles }, [plugin])
  try {
    const { testModules } = await vitest.runTestSpecifications(await vitest.globTestSpecifications(), true)
    for (const module of testModules)
      if (!module.ok()) print(`${module.moduleId} fails without a mutation and is left out.`)
    const tests = testModules
      .filter((module) => module.ok())
      .map((module) => ({ path: module.moduleId, ms: module.diagnostic().duration, ...module.meta() }))
    return ({ id, path }) => {
      // The first file of a worker loads the code for the other files of this worker.
      const isLoaded = tests.some(({ loaded = [] }) => loaded.includes(id))
      const reaching = tests.filter(({ reached = [] }) => isLoaded || reached.includes(id))
      // Code may run only in processes that a test starts.
      const beside = tests.filter((test) => dirname(test.path) === dirname(path))
      return (reaching.length > 0 ? reaching : beside)
        .sort((a, b) => closeness(b.path, path) - closeness(a.path, path) || a.ms - b.ms)
        .slice(0, MAX_TEST_FILES)
    }
  } finally {
    await vitest.close()
  }
}

function closeness(one, other) {
  let length = 0
  while (one[length] === other[length]) length += 1
  return length
}

/** Runs tests until one fails or does not end. Returns the failed ones. */
async function findFailed(vitest, tests) {
  const ms = TEST_MS + MAX_SLOWDOWN * tests.reduce((sum, test) => sum + test.ms, 0)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    // Twice: the second time, workers that do not answer are killed.
    vitest.cancelCurrentRun('test-failure')
    vitest.cancelCurrentRun('test-failure')
  }, ms)
  const specifications = tests.flatMap(({ path }) => vitest.getModuleSpecifications(path))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  clearTimeout(timer)
  const failed = new Set(testModules.filter((module) => !module.ok()).map((module) => module.moduleId))
  const found = tests.filter(({ path }) => failed.has(path))
  // An error between tests, or a test that does not end, may come from any of them.
  return found.length === 0 && (isLate || unhandledErrors.length > 0) ? tests : found
}

async function failsCompiler(name) {
  return (
    (await runNode(['node_modules/typescript/bin/tsc', '--project', `packages/${name}`], { isQuiet: true })).code !== 0
  )
}

/** Makes a mutation, runs its tests and undoes it. Returns the outcome. */
async function tryMutation(vitest, mutation, tests) {
  const { name, path } = mutation
  const source = readFileSync(path)
  const restore = () => {
    writeFileSync(path, source)
    vitest.invalidateFile(path)
  }
  process.once('exit', restore)
  try {
    writeFileSync(path, mutate(source, mutation))
    vitest.invalidateFile(path)
    const failed = tests.length > 0 ? await findFailed(vitest, tests) : []
    if (failed.length === 0) return (await failsCompiler(name)) ? 'noticed by the compiler' : 'survived'
    restore()
    return (await findFailed(vitest, failed)).length === 0 ? 'noticed by a test' : UNDECIDED
  } finally {
    restore()
    process.off('exit', restore)
  }
}

function describeMutation({ path, start, end, text }) {
  const source = readFileSync(path)
  const before = source.subarray(0, start).toString().split('\n')
  return {
    file: path,
    fullName: `${relative(root, path)}:${before.length}:${before.at(-1).length + 1}  \`${source.subarray(start, end)}\` → \`${text}\``,
    failureMessages: [source.toString().split('\n')[before.length - 1].trim()],
  }
}

/**
 * Makes mutations drawn by the seed, one after the other, and lists the survivors.
 *
 * @param {{ print: (text: string) => void }} place
 * @param {number} count
 * @param {string[]} asked names of packages, by default all three
 */
export async function runMutations({ print }, count = DEFAULT_COUNT, asked = []) {
  const names = asked.length > 0 ? asked : packages
  const drawn = drawMutations(names, count)
  // Tests run with their usual settings.
  delete process.env.SOAK_SEED
  const failures = []
  let made = 0
  for (const name of names) {
    const mutations = drawn.filter((mutation) => mutation.name === name)
    const testsOf = await findTests(name, mutations, print)
    while (mutations.length > 0) {
      const vitest = await openVitest(name, { bail: 1, sequence: { sequencer: InGivenOrder } })
      await vitest.globTestSpecifications()
      for (let tried = 0; tried < MUTATIONS_PER_VITEST && mutations.length > 0; tried += 1) {
        if (process.exitCode === 130) return { passed: 0, failed: 1 }
        const mutation = mutations.shift()
        const tests = testsOf(mutation)
        const started = performance.now()
        const outcome = await tryMutation(vitest, mutation, tests)
        const seconds = ((performance.now() - started) / 1000).toFixed(1)
        const described = describeMutation(mutation)
        made += 1
        print(`${made} of ${drawn.length}, ${seconds} s, ${tests.length} files: ${described.fullName}: ${outcome}`)
        if (!outcome.startsWith('noticed')) failures.push(described)
        if (outcome === UNDECIDED) break
      }
      await vitest.close()
    }
  }
  return { passed: made - failures.length, failed: failures.length, failures }
}
