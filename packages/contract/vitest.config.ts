import '../../scripts/map-group-by.mjs'
import { defineConfig } from 'vitest/config'

// A busy machine is no failure.
export default defineConfig({ test: { testTimeout: 60_000 } })
