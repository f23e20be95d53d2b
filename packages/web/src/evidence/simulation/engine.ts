import type { StateReader, UnfinishedReason } from '@countersign/review'
import { CountersignError } from '@countersign/safe'
import { ordinaryLimits } from '@countersign/simulation'
import type { FromEngine, Job, JobResult, ToEngine } from './messages.ts'

/** The Worker ends a job at its own limit; one that does not come back by then hangs. */
const PATIENCE_MS = 3_000

/** Stops an uncaught error of an engine from also ending the Worker that opened it. */
const contain = (event: Event) => event.preventDefault()

/** A job that did not end by itself. */
export type Ended = { kind: 'ended'; reason: UnfinishedReason }

/** A Worker for one job at a time. */
export type Engine = (job: Job, read: StateReader['read']) => Promise<JobResult | Ended>

/**
 * Opens an engine; its Worker starts with the first job. The caller reads the state for a job. A job that hangs is ended with
 * its Worker, and the next one gets a new Worker.
 */
export function openEngine(): Engine {
  let worker: Worker | null = null
  return (job, read) =>
    new Promise((resolve) => {
      worker ??= new Worker(new URL('../worker/review-worker.ts', import.meta.url), { type: 'module' })
      const engine = worker
      let patience: ReturnType<typeof setTimeout>
      const tell = (message: ToEngine) => engine.postMessage(message)
      const end = (result: JobResult | Ended) => {
        clearTimeout(patience)
        engine.onmessage = null
        engine.onerror = contain
        resolve(result)
      }
      const giveUp = (reason: UnfinishedReason) => {
        engine.terminate()
        worker = null
        end({ kind: 'ended', reason })
      }
      const wait = () => {
        clearTimeout(patience)
        const { milliseconds = ordinaryLimits.milliseconds } = job.options.limits ?? {}
        patience = setTimeout(() => giveUp({ kind: 'limit', limit: 'milliseconds' }), milliseconds + PATIENCE_MS)
      }
      engine.onmessage = async ({ data }: MessageEvent<FromEngine>) => {
        wait()
        if (data.kind !== 'questions') return end(data)
        const { id } = data
        await read(data.questions).then(
          (answers) => tell({ kind: 'answered', id, answers }),
          (error) => tell({ kind: 'unanswered', id, ...codeOf(error) }),
        )
      }
      engine.onerror = (event) => {
        contain(event)
        giveUp({ kind: 'engine', message: event.message ?? 'The Worker failed.' })
      }
      wait()
      tell(job)
    })
}

function codeOf(error: unknown): { code: string; message: string } {
  if (error instanceof CountersignError) return { code: error.code, message: error.message }
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) }
}
