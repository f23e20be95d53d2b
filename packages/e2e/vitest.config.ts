import '../../scripts/testing/map-group-by.mjs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../../scripts/testing/longest-first.mjs'
import { UI_TIMEOUT_MS } from './src/browser/ui-timeout.ts'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    // A fifth of the time is waiting. One more yet would have files run into their time limits.
    maxWorkers: availableParallelism() + 1,
    sequence: {
      sequencer: longestFirst([
        'compose',
        'execution',
        'parts',
        'walletconnect',
        'countersign',
        'safe-app',
        'every-page',
        'random-walk',
        'dialog-access',
        'lost-network',
        'node-trouble',
        'simulation',
        'sending-elsewhere',
        'restart',
        'proof-packs',
        'chain-signatures',
        'safe-by-link',
        'odd-circumstances',
        'token-lists',
      ]),
    },
    // Loaded once: what the files import, a browser, and a product.
    isolate: false,
    globalSetup: ['../../scripts/testing/own-directory.mjs', 'src/browser/browser-setup.ts'],
    setupFiles: ['src/people/renew-team.ts'],
    testTimeout: 5 * UI_TIMEOUT_MS,
    hookTimeout: 5 * UI_TIMEOUT_MS,
    // A browser removes its folders while the process ends; a busy machine takes longer than ten seconds.
    teardownTimeout: 3 * UI_TIMEOUT_MS,
    // Expectations have all the time that the page has.
    expect: { poll: { timeout: UI_TIMEOUT_MS } },
    // A reply that a test holds up may outlive its page; whoever needs it has failed by then.
    onUnhandledError: ({ message }) =>
      !/Target page, context or browser has been closed|Route is already handled/.test(message),
  },
})
