import '../../scripts/testing/map-group-by.mjs'
import { defineConfig } from 'vitest/config'

// A busy machine is no failure. What the files import keeps no state: it is loaded once, not once for each file.
export default defineConfig({ test: { testTimeout: 180_000, hookTimeout: 180_000, isolate: false, maxWorkers: 2 } })
