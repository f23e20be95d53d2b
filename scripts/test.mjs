import { build } from './build.mjs'
import { check } from './check.mjs'
import { install } from './install.mjs'
import { endChildrenWithUs } from './run.mjs'
import { runSuites, vitest } from './testing/suites.mjs'

endChildrenWithUs()
await install()

const stages = [
  // Two lanes of about the same length: most of these suites leave a core idle at their end, and the check uses one.
  [
    [{ name: 'check', run: check }, testsOf('web')],
    ['review', 'safe', 'simulation', 'contract', 'devnet'].map(testsOf),
  ],
  // Beside the server, which waits for a third of its time: what depends on the database, on a PostgreSQL that
  // DATABASE_URL names.
  [
    [testsOf('server')],
    [{ name: 'postgresql', run: (place) => vitest('server', place, '--config', 'vitest.postgresql.config.ts') }],
  ],
  [
    [
      { name: 'build', run: async () => ((await build()) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }) },
      testsOf('e2e'),
    ],
  ],
]

const asked = process.argv.slice(2)
await runSuites(
  stages
    .map((lanes) => lanes.map((suites) => suites.filter(({ name }) => asked.length === 0 || asked.includes(name))))
    .map((lanes) => lanes.filter((suites) => suites.length > 0)),
)

function testsOf(name) {
  return { name, run: (place) => vitest(name, place) }
}
