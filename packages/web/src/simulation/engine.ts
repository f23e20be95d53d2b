import {
  CountersignError,
  type SimulationResult,
  type SimulationRun,
  type StateReader,
  type UnfinishedReason,
} from '@countersign/safe-core'
import { ordinaryLimits, type SimulationOptions } from '@countersign/simulation'
import type { FromEngine, ToEngine } from './messages.ts'

/** The Worker ends a run at its own limit; one that does not come back by then hangs. */
const PATIENCE_MS = 3_000

let worker: Worker | null = null
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs in the Worker, one after the other. The page reads what the run needs; a run that does not come back is ended with
 * its Worker, and the next one gets a new Worker.
 */
export function runInWorker(
  reader: StateReader,
  run: SimulationRun,
  options: SimulationOptions = {},
): Promise<SimulationResult> {
  const result = last.then(() => runNext(reader, run, options))
  last = result
  return result
}

function runNext(reader: StateReader, run: SimulationRun, options: SimulationOptions): Promise<SimulationResult> {
  const { chainId, header, headerGrade, read } = reader
  const started = performance.now()
  return new Promise((resolve) => {
    const engine = openWorker()
    let patience: ReturnType<typeof setTimeout>
    const tell = (message: ToEngine) => engine.postMessage(message)
    const unfinished = (reason: UnfinishedReason) => {
      engine.terminate()
      worker = null
      const { number, hash, timestamp } = header
      const totalMs = performance.now() - started
      end({
        status: 'unfinished',
        reason,
        block: { chainId, number, hash, timestamp },
        cost: { rounds: 0, runs: 0, reads: 0, lastRunMs: 0, totalMs },
      })
    }
    const end = (result: SimulationResult) => {
      clearTimeout(patience)
      engine.onmessage = null
      engine.onerror = null
      resolve(result)
    }
    const wait = () => {
      clearTimeout(patience)
      const { milliseconds = ordinaryLimits.milliseconds } = options.limits ?? {}
      const expired = () => unfinished({ kind: 'limit', limit: 'milliseconds' })
      patience = setTimeout(expired, milliseconds + PATIENCE_MS)
    }
    engine.onmessage = async ({ data }: MessageEvent<FromEngine>) => {
      wait()
      if (data.kind === 'result') return end(data.result)
      const { id } = data
      await read(data.questions).then(
        (answers) => tell({ kind: 'answers', id, answers }),
        (error) => tell({ kind: 'unanswered', id, ...codeOf(error) }),
      )
    }
    engine.onerror = ({ message }) => unfinished({ kind: 'engine', message: message ?? 'The Worker failed.' })
    wait()
    tell({ kind: 'run', place: { chainId, header, headerGrade }, run, options })
  })
}

function openWorker(): Worker {
  worker ??= new Worker(new URL('./engine-worker.ts', import.meta.url), { type: 'module' })
  return worker
}

function codeOf(error: unknown): { code: string; message: string } {
  if (error instanceof CountersignError) return { code: error.code, message: error.message }
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) }
}
