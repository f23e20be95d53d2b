import type { PackEngine } from '@countersign/review'
import { awaitRun, runKey } from './precedence.ts'
import { runCallInEngine } from './run-call.ts'
import { openRunQueue } from './runs.ts'

const makeRun = openRunQueue()

/** Runs a proof pack in the Workers of the page: somebody waits for it. */
export const packEngine: PackEngine = {
  runCall: runCallInEngine,
  run: async (reader, run) => {
    const key = runKey({ chainId: reader.chainId, run })
    const end = awaitRun(key)
    return makeRun(key, reader, run).finally(end)
  },
}
