import '../../scripts/map-group-by.mjs'
import { defineConfig } from 'vitest/config'

// Nodes are started as processes: a busy machine needs time for that.
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000 } })
