import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { install } from './install.mjs'
import { endChildrenWithUs, root } from './run.mjs'
import { runSuites, vitest } from './testing/suites.mjs'

const HOUR_MS = 3_600_000

endChildrenWithUs()
await install()
process.env.SOAK_SEED ??= String(randomInt(2 ** 31))
const seed = `SOAK_SEED=${process.env.SOAK_SEED}`
console.log(`${seed} npm run soak   repeats this run`)

// These take their seed from the environment when they are loaded.
const { runMutations } = await import('./testing/mutations.mjs')

const asked = process.argv.slice(2)
const [what, count, ...packages] = asked
const suites = readdirSync(join(root, 'packages'))
  .map((name) => ({ name, files: randomTestsOf(name) }))
  .filter(({ name, files }) => files.length > 0 && (asked.length === 0 || asked.includes(name)))
await runSuites(
  what === 'mutations'
    ? [[[{ name: what, run: (place) => runMutations(place, count && Number(count), packages) }]]]
    : suites.map(({ name, files }) => [
        [{ name, run: (place) => vitest(name, place, `--testTimeout=${HOUR_MS}`, ...files) }],
      ]),
)
console.log(seed)

/** Lists the test files of a package that get their numbers from the seed. */
function randomTestsOf(name) {
  const directory = join(root, 'packages', name)
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts') && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path, 'utf8').includes('/scripts/testing/random-tests.mjs'))
}
