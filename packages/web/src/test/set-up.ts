import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDevnet } from '@countersign/devnet'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'
import { compileAbisOfModules } from '../../compile-abis.mjs'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the devnet's node that the component tests of this run share. */
    rpcUrl: string
    /** Directory of the Workers' code. */
    workerDirectory: string
  }
}

const src = join(import.meta.dirname, '..')

/** Builds the Workers and starts one devnet for all component tests. Each test deploys its own Safe there. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const [devnet, workerDirectory] = await Promise.all([startDevnet({ port: 0 }), buildWorkers()])
  provide('rpcUrl', devnet.rpcUrl)
  provide('workerDirectory', workerDirectory)
  return async () => {
    rmSync(workerDirectory, { recursive: true, force: true })
    await devnet.close()
  }
}

/** @returns the directory of their code */
async function buildWorkers(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'workers-'))
  await build({
    configFile: false,
    root: src,
    logLevel: 'warn',
    plugins: [compileAbisOfModules()],
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: {
          'start-worker': join(src, 'test/start-worker.ts'),
          'review-worker': join(src, 'evidence/worker/review-worker.ts'),
          'bytecode-worker': join(src, 'evidence/calls/bytecode-worker.ts'),
          'payout-worker': join(src, 'features/compose/payout/payout-worker.ts'),
        },
        external: /^node:/,
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  })
  return outDir
}
