import { startDevnet } from '@countersign/devnet'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the devnet's node that the component tests of this run share. */
    rpcUrl: string
  }
}

/** Starts one devnet for all component tests. Each test deploys a Safe of its own there. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const devnet = await startDevnet({ port: 0 })
  provide('rpcUrl', devnet.rpcUrl)
  return devnet.close
}
