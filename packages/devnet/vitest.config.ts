import '../../scripts/testing/map-group-by.mjs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../../scripts/testing/longest-first.mjs'

export default defineConfig({
  test: {
    globalSetup: ['../../scripts/testing/own-directory.mjs'],
    // Nodes are started as processes: a busy machine needs time for that.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Half of the time is waiting for nodes. What the files import keeps no state.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: longestFirst(['alive', 'bin']) },
    isolate: false,
  },
})
