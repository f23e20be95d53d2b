import '../../scripts/map-group-by.mjs'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    // Each file starts a whole product and a browser: one at a time, or two cores measure each other.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A second, which is the default, says more about the machine than about the product.
    expect: { poll: { timeout: 15_000 } },
  },
})
