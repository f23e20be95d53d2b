import { folderSizes, isTest, MAX_COMPLEXITY, measure, measureFile, quantile, sourcesBelow } from './measures.mjs'

const MAX_FOLDER_FILES = 25
const MAX_FUNCTION_LINES_P95 = 40
/** Maximum number of functions above MAX_COMPLEXITY. Each has its reason above it. */
const MAX_COMPLEX_FUNCTIONS = 25
/** Names that the entries of the protocol package export. */
const MAX_PUBLIC_NAMES = 250
const isPublicEntry = ({ path }) => /^packages\/safe\/src\/(?:\w+\/)?index\.ts$/.test(path)

/** Says which measures of the production code are out of bounds, and what to do about each. */
function problemsOf(files) {
  const production = files.filter(({ path }) => !isTest(path))
  const functions = production.flatMap((file) => file.functions)
  const complex = functions.filter(({ complexity }) => complexity > MAX_COMPLEXITY)
  const unexplained = complex.filter(({ reason }) => reason === null)
  const p95 = quantile(
    functions.map(({ lines }) => lines),
    0.95,
  )
  const publicNames = files.filter(isPublicEntry).reduce((sum, file) => sum + file.exports, 0)
  return [
    ...files.flatMap(({ path, spreads }) =>
      spreads.map(({ line }) => `${path}:${line} spreads a literal: write its members in place.`),
    ),
    ...[...folderSizes(production.map(({ path }) => path))]
      .filter(([, count]) => count > MAX_FOLDER_FILES)
      .map(
        ([folder, count]) =>
          `${folder} holds ${count} source files: group them into folders of at most ${MAX_FOLDER_FILES}.`,
      ),
    ...(complex.length > MAX_COMPLEX_FUNCTIONS
      ? [
          `${complex.length} functions have a complexity above ${MAX_COMPLEXITY}: at most ${MAX_COMPLEX_FUNCTIONS}, simplify some.`,
        ]
      : []),
    ...unexplained.map(
      ({ path, line, name, complexity }) =>
        `${path}:${line} ${name} has a complexity of ${complexity}, above ${MAX_COMPLEXITY}: simplify it, or write above it "// Complexity: " and why it is best left whole.`,
    ),
    ...(p95 > MAX_FUNCTION_LINES_P95
      ? [
          `The 95th percentile of the lines of a function is ${p95}: at most ${MAX_FUNCTION_LINES_P95}, split the longest.`,
        ]
      : []),
    ...(publicNames > MAX_PUBLIC_NAMES
      ? [
          `packages/safe exports ${publicNames} names: at most ${MAX_PUBLIC_NAMES}. Do not export unused names, and move names that one package uses into it.`,
        ]
      : []),
  ]
}

function selfTest() {
  const complex = `const f = (a) => ${'a || '.repeat(MAX_COMPLEXITY)}a\n`
  const explained = `// Complexity: one line for each a.\n${complex}`
  const cases = [
    [explained.repeat(MAX_COMPLEX_FUNCTIONS + 1), 'have a complexity above'],
    [explained.repeat(MAX_COMPLEX_FUNCTIONS), null],
    [complex, 'packages/web/src/example.tsx:1 f has a complexity of 16'],
    [`// Complexity:\n${complex}`, '// Complexity: '],
    ['const a = { ...{ b: 1 }, c: 2 }\n', 'spreads a literal'],
    ['const a = [...([1, 2] as const), 3]\n', 'spreads a literal'],
    ['const a = <B {...{ c, d }} />\n', 'spreads a literal'],
    ['const a = { ...b, ...(c ? { d: 1 } : {}) }\n', null],
    [`function long() {\n${'  step()\n'.repeat(60)}}\n`, 'The 95th percentile'],
  ]
  const failures = cases.flatMap(([source, expected]) => {
    const found = problemsOf([measureFile('packages/web/src/example.tsx', source)])
    const isRight = expected === null ? found.length === 0 : found.some((problem) => problem.includes(expected))
    return isRight ? [] : [`Expected ${expected ?? 'nothing'} of:\n${source}Found: ${found.join(' ') || 'nothing'}`]
  })
  const names = Array.from({ length: MAX_PUBLIC_NAMES }, (_, index) => `name${index}`).join(', ')
  const entries = [`export { ${names} } from './a.ts'\n`, "export { one, type Two } from './b.ts'\n"].map(
    (source, index) => measureFile(['packages/safe/src/index.ts', 'packages/safe/src/calls/index.ts'][index], source),
  )
  if (!problemsOf(entries).some((problem) => problem.startsWith('packages/safe exports 252 names')))
    failures.push('Too many names of the protocol package were not found.')
  const crowded = Array.from({ length: MAX_FOLDER_FILES + 1 }, (_, index) =>
    measureFile(`packages/web/src/room/file-${index}.ts`, ''),
  )
  if (!problemsOf(crowded).some((problem) => problem.startsWith('packages/web/src/room holds')))
    failures.push('A crowded folder was not found.')
  return failures
}

/** Measures all code that is versioned, tests, scripts and benchmarks included. */
function check() {
  return problemsOf(measure(['packages', 'scripts', 'second-look', 'bench'].flatMap(sourcesBelow)))
}

const problems = process.argv.includes('--self-test') ? selfTest() : check()
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
