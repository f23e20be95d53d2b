import '../../scripts/testing/map-group-by.mjs'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../../scripts/testing/longest-first.mjs'

// A busy machine is no failure. The files' imports keep no state: they are loaded once, not once for each file.
export default defineConfig({
  test: {
    testTimeout: 180_000,
    hookTimeout: 180_000,
    isolate: false,
    maxWorkers: 2,
    sequence: { sequencer: longestFirst(['lying-nodes', 'hostile']) },
  },
})
