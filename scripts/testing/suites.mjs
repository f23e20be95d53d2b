import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runNode } from '../run.mjs'
import { makeRunDirectory, takeLeftBehind } from './left-behind.mjs'

const HOUR_MS = 3_600_000

const { directory, env } = makeRunDirectory()
Object.assign(process.env, env)

/**
 * @typedef {{ directory: string, env: Record<string, string>, isQuiet: boolean, print: (text: string) => void }} Place
 *   Where a suite runs: a directory for its temporary files, and by `env` all that it starts. Beside others it is quiet, and
 *   what it prints is shown when it has ended.
 */

/** More files than these that fail are no matter of a busy machine. */
const MAX_FILES_AGAIN = 8

/**
 * Runs the tests of a package. A suite with no tests, or one that ends without its report, counts as a failure.
 *
 * A machine can be too busy. Files that failed run a second time, by themselves and from their first line, as tests of a
 * file build on each other; what failed in the first run alone is named at the end. A random test has no second run, which
 * would go other ways and pass by a fault that was found.
 *
 * @param {string} name
 * @param {Place} place
 */
export async function vitest(name, place, ...more) {
  const first = await runFiles(name, place, more)
  const files = [...new Set(first.failures.map(({ file }) => file))]
  const isFinal = process.env.SOAK_SEED !== undefined || files.length > MAX_FILES_AGAIN || first.failures.some(isRandom)
  if (files.length === 0 || isFinal) return first
  place.print(`\n${name}: a second run of ${files.map((file) => basename(file)).join(', ')}`)
  const second = await runFiles(name, place, [...more, ...files])
  const failed = new Set(second.failures.map(({ fullName }) => fullName))
  return {
    // All tests of these files have run again: those that passed in the first run are not counted twice.
    passed: first.passed - first.passedIn(files) + second.passed,
    failed: second.failed,
    failures: second.failures,
    retried: first.failures.filter(({ fullName }) => !failed.has(fullName)),
  }
}

async function runFiles(name, place, more) {
  const report = join(place.directory, 'report.json')
  const args = [
    'run',
    '--root',
    `packages/${name}`,
    ...more,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const { code, output } = await runNode(
    ['--import', './scripts/testing/map-group-by.mjs', 'node_modules/vitest/vitest.mjs', ...args],
    {
      within: (process.env.SOAK_SEED === undefined ? 1.5 : 24) * HOUR_MS,
      isQuiet: place.isQuiet,
      env: { ...place.env, CI: '1' },
    },
  )
  if (place.isQuiet) place.print(output)
  try {
    const { numPassedTests: passed, testResults, success } = JSON.parse(readFileSync(report, 'utf8'))
    const failures = testResults.flatMap(({ name: file, status, message, assertionResults }) => {
      const tests = assertionResults.filter((test) => test.status === 'failed')
      // A file that cannot be loaded has no tests that could fail.
      const broken =
        status === 'failed' && tests.length === 0 ? [{ fullName: file, failureMessages: [message] }] : tests
      return broken.map(({ fullName, failureMessages }) => ({ file, fullName, failureMessages }))
    })
    const passedIn = (files) =>
      testResults
        .filter((file) => files.includes(file.name))
        .flatMap((file) => file.assertionResults)
        .filter(({ status }) => status === 'passed').length
    if (failures.length > 0 || (code === 0 && success && passed > 0))
      return { passed, failed: failures.length, failures, passedIn }
    place.print(`The suite ${name} ended with exit code ${code}, though no test of it failed.`)
    return { passed, failed: 1, failures, passedIn }
  } catch {
    place.print(`The suite ${name} ended with exit code ${code} and left no report.`)
    return { passed: 0, failed: 1, failures: [] }
  } finally {
    rmSync(report, { force: true })
  }
}

/** Its title names its seed. */
function isRandom({ fullName }) {
  return / from seed \S/.test(fullName)
}

async function runSuite({ name, run }, isQuiet) {
  const own = join(directory, name)
  // PostgreSQL runs as another user, who passes through.
  mkdirSync(own, { mode: 0o711 })
  let printed = ''
  const print = (text) => {
    if (isQuiet) printed += `${text}\n`
    else console.log(text)
  }
  if (!isQuiet) console.log(`\n${name}`)
  const started = performance.now()
  const counts = await run({ directory: own, env: { TMPDIR: own, TEMP: own, TMP: own }, isQuiet, print })
  const seconds = (performance.now() - started) / 1000
  const leftBehind = await takeLeftBehind(own)
  if (leftBehind.length > 0) counts.failed += 1
  if (isQuiet) console.log(`\n${name}\n${printed.trimEnd()}`)
  rmSync(own, { recursive: true, force: true, maxRetries: 5 })
  return { name, seconds, leftBehind, ...counts }
}

function printTest(what, { fullName, failureMessages: [message = ''] }) {
  console.log(`\n${what}: ${fullName}\n  ${message.split('\n').slice(0, 4).join('\n  ')}`)
}

/**
 * Runs suites, prints what came of them and sets the exit code. Stages run one after the other; in a stage its lanes run
 * side by side, and in a lane one suite after the other.
 *
 * @param {{ name: string, run: (place: Place) => Promise<{ passed: number, failed: number }> }[][][]} stages
 */
export async function runSuites(stages) {
  const results = []
  for (const lanes of stages) {
    const isQuiet = lanes.length > 1
    await Promise.all(
      lanes.map(async (suites) => {
        for (const suite of suites) if (process.exitCode !== 130) results.push(await runSuite(suite, isQuiet))
      }),
    )
  }
  const leftBehind = await takeLeftBehind(directory)
  if (leftBehind.length > 0) results.push({ name: 'all', passed: 0, failed: 1, seconds: 0, leftBehind })

  console.log('')
  for (const { name, passed, failed, seconds } of results) {
    console.log(
      `${name.padEnd(12)}${`${passed} passed`.padStart(12)}${`${failed} failed`.padStart(12)}${`${seconds.toFixed(1)} s`.padStart(10)}`,
    )
  }
  for (const { name, leftBehind } of results)
    if (leftBehind.length > 0) console.log(`\n${name}: left behind:\n  ${leftBehind.join('\n  ')}`)
  for (const { name, retried = [], failures = [] } of results) {
    for (const test of retried) printTest(`${name}: failed in the first run alone`, test)
    for (const test of failures) printTest(`${name}: failed`, test)
  }
  const passed = results.reduce((total, result) => total + result.passed, 0)
  // An interrupted run is no passed run, and neither is one that was asked for a suite that does not exist.
  const failed =
    results.reduce((total, result) => total + result.failed, 0) +
    (process.exitCode === 130 || results.length === 0 ? 1 : 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
