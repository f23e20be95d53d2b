import '../../scripts/testing/map-group-by.mjs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../../scripts/testing/longest-first.mjs'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['../../scripts/testing/own-directory.mjs', 'src/test/global-setup.ts'],
    // A busy machine is no failure: what does not come true at all ends here.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Hundreds of databases are dropped at the end; if that were cut off, a PostgreSQL would go on running.
    teardownTimeout: 180_000,
    // A third of the time is waiting for chains and databases.
    maxWorkers: availableParallelism() + 1,
    sequence: {
      sequencer: longestFirst([
        'lying-nodes',
        'upgrade',
        'following-trouble',
        'doctor',
        'providers',
        'nodes',
        'rate',
        'database-trouble',
        'newest-first',
        'hostile',
        'book',
        'backup',
        'several-nodes',
        'webhooks',
        'connection-wait',
        'front',
        'alive',
      ]),
    },
    // Imported modules keep no state: they are loaded once.
    isolate: false,
  },
})
