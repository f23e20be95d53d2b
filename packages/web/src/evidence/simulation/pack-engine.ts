import type { PackEngine } from '@countersign/review'
import { awaitRun, runKey } from './precedence.ts'
import { runCallInEngine } from './run-call.ts'
import { runInEngine } from './runs.ts'

/** Runs a proof pack in the engines of this Worker, before the runs of lists. */
export const packEngine: PackEngine = {
  runCall: runCallInEngine,
  run: async (reader, run) => {
    const key = runKey({ chainId: reader.chainId, run })
    const end = awaitRun(key)
    return runInEngine(key, reader, run).finally(end)
  },
}
