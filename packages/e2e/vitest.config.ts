import '../../scripts/map-group-by.mjs'
import { defineConfig } from 'vitest/config'
import { PATIENCE } from './src/patience.ts'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    // Each file starts a whole product and a browser, and waits for them most of the time.
    maxWorkers: 2,
    globalSetup: ['src/browser-setup.ts'],
    testTimeout: 5 * PATIENCE,
    hookTimeout: 5 * PATIENCE,
    // What is waited for has all the time that the page has.
    expect: { poll: { timeout: PATIENCE } },
    // A machine can be too busy for a browser. Whoever passes in the second try alone is named at the end.
    retry: 1,
  },
})
