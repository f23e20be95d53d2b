import '../../scripts/map-group-by.mjs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { UI_TIMEOUT_MS } from './src/ui-timeout.ts'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    // Each file starts a whole product, and waits for it and for pages a third of the time.
    maxWorkers: availableParallelism() + 1,
    // Loaded once: what the files import, and a browser.
    isolate: false,
    globalSetup: ['src/browser-setup.ts'],
    testTimeout: 5 * UI_TIMEOUT_MS,
    hookTimeout: 5 * UI_TIMEOUT_MS,
    // A browser removes its folders while the process ends; a busy machine takes longer than ten seconds.
    teardownTimeout: 3 * UI_TIMEOUT_MS,
    // Expectations have all the time that the page has.
    expect: { poll: { timeout: UI_TIMEOUT_MS } },
    // A machine can be too busy for a browser. Whoever passes in the second try alone is named at the end.
    retry: 1,
  },
})
