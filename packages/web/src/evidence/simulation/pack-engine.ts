import type { PackEngine } from '@countersign/review'
import { awaitRun, runKey } from './precedence.ts'
import { runCallInPage } from './run-call.ts'
import { makeRun } from './simulate-in-page.ts'

/** Runs a proof pack in the Workers of the page: somebody waits for it. */
export const packEngine: PackEngine = {
  runCall: runCallInPage,
  run: async (reader, run) => {
    const key = runKey({ chainId: reader.chainId, run })
    const end = awaitRun(key)
    return makeRun(key, reader, run).finally(end)
  },
}
