import { defineConfig } from 'vitest/config'
import suite from './vitest.config.ts'

/** Tests that depend on PostgreSQL itself, once more, on one that the product neither made nor owns. */
const tests = ['db/*', 'live/*', 'indexer/lease', 'server', 'who-gets-what', 'tx-service/round-trip']
/** Tests of the client's own timeouts, which need no second PostgreSQL. */
const others = ['db/connection-wait', 'db/silence']

export default defineConfig({
  ...suite,
  test: {
    ...suite.test,
    include: tests.map((name) => `src/${name}.test.ts`),
    exclude: others.map((name) => `src/${name}.test.ts`),
    globalSetup: ['../../scripts/testing/own-directory.mjs', 'src/test/plain-postgres.ts'],
  },
})
