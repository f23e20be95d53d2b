import { defineConfig } from 'vitest/config'
import suite from './vitest.config.ts'

/** Tests that depend on the database most, once more, on a PostgreSQL that the product neither made nor owns. */
const tests = [
  'tx-service/**/{round-trip,conformance,api-kit,visibility,delegate-requests}',
  'features/{transactions,messages,team,book,tokens,safes}/*',
  'db/*',
  'live/*',
  'indexer/lease',
  'who-gets-what',
  'server',
]

export default defineConfig({
  ...suite,
  test: {
    ...suite.test,
    include: tests.map((name) => `src/${name}.test.ts`),
    globalSetup: ['../../scripts/testing/own-directory.mjs', 'src/test/plain-postgres.ts'],
  },
})
