import { build } from './build.mjs'
import { check } from './check.mjs'
import { install } from './install.mjs'
import { endChildrenWithUs } from './run.mjs'
import { runSuites, vitest } from './suites.mjs'

endChildrenWithUs()
await install()

const suites = [
  { name: 'check', run: check },
  { name: 'safe-core', run: () => vitest('safe-core') },
  { name: 'contract', run: () => vitest('contract') },
  { name: 'simulation', run: () => vitest('simulation') },
  { name: 'web', run: () => vitest('web') },
  { name: 'devnet', run: () => vitest('devnet') },
  { name: 'server', run: () => vitest('server') },
  // Tests that depend on the database, on a PostgreSQL that DATABASE_URL names.
  { name: 'postgresql', run: () => vitest('server', '--config', 'vitest.postgresql.config.ts') },
  { name: 'build', run: async () => ((await build()) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }) },
  { name: 'e2e', run: () => vitest('e2e') },
]

const asked = process.argv.slice(2)
await runSuites(suites.filter(({ name }) => asked.length === 0 || asked.includes(name)))
