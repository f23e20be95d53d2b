import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeRunDirectory, takeLeftBehind } from './left-behind.mjs'
import { runNode } from './run.mjs'

const { directory, env } = makeRunDirectory()
Object.assign(process.env, env)

/** A suite with no tests, or one that ends without its report, counts as a failure. */
export async function vitest(name, ...more) {
  const report = join(directory, 'report.json')
  const args = [
    'run',
    '--root',
    `packages/${name}`,
    ...more,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const { code } = await runNode(
    ['--import', './scripts/map-group-by.mjs', 'node_modules/vitest/vitest.mjs', ...args],
    { within: 90 * 60_000, env: { CI: '1' } },
  )
  try {
    const { numPassedTests: passed, numFailedTests, testResults, success } = JSON.parse(readFileSync(report, 'utf8'))
    // A file that cannot be loaded has no tests that could fail.
    const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.every(isFine)).length
    const failed = numFailedTests + broken
    const retried = testResults.flatMap((file) => file.assertionResults.filter(isSecondTry))
    return { passed, failed: failed === 0 && (code !== 0 || !success || passed === 0) ? 1 : failed, retried }
  } catch {
    console.error(`The suite ${name} ended with exit code ${code} and left no report.`)
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(report, { force: true })
  }
}

function isFine({ status }) {
  return status !== 'failed'
}

/** It has passed, and says why not at first. */
function isSecondTry({ status, failureMessages }) {
  return status === 'passed' && failureMessages.length > 0
}

/** Runs suites one after the other, prints what came of them and sets the exit code. */
export async function runSuites(suites) {
  const results = []
  for (const { name, run } of suites) {
    console.log(`\n${name}`)
    const started = performance.now()
    const counts = await run()
    const seconds = (performance.now() - started) / 1000
    const leftBehind = await takeLeftBehind(directory)
    if (leftBehind.length > 0) counts.failed += 1
    results.push({ name, seconds, leftBehind, ...counts })
    if (process.exitCode === 130) break
  }

  console.log('')
  for (const { name, passed, failed, seconds } of results) {
    console.log(
      `${name.padEnd(12)}${`${passed} passed`.padStart(12)}${`${failed} failed`.padStart(12)}${`${seconds.toFixed(1)} s`.padStart(10)}`,
    )
  }
  for (const { name, leftBehind } of results)
    if (leftBehind.length > 0) console.log(`\n${name}: left behind:\n  ${leftBehind.join('\n  ')}`)
  for (const { name, retried = [] } of results)
    for (const { fullName, failureMessages } of retried)
      console.log(`\n${name}: passed only in the second try: ${fullName}\n  ${failureMessages[0].split('\n')[0]}`)
  const passed = results.reduce((total, result) => total + result.passed, 0)
  // An interrupted run is no passed run, and neither is one that was asked for a suite that does not exist.
  const failed =
    results.reduce((total, result) => total + result.failed, 0) +
    (process.exitCode === 130 || results.length === 0 ? 1 : 0)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}
