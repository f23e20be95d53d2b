import type { SimulationResult, SimulationRun, StateReader, UnfinishedReason } from '@countersign/review'
import { ordinaryLimits, type SimulationOptions } from '@countersign/simulation'
import { type Engine, openEngine } from './engine.ts'
import { isAwaited, onAwaited } from './precedence.ts'

/** A run that nobody waits for lets the others go first after this time, and is made once more at the end. */
const FIRST_TRY_MS = 4_000

type Waiting = {
  key: string
  reader: StateReader
  run: SimulationRun
  options: SimulationOptions
  /** Its first try took too long. */
  isSlow: boolean
  resolve: (result: SimulationResult) => void
}

/** The queue of runs, and the engines that make them. */
export type RunQueue = (
  key: string,
  reader: StateReader,
  run: SimulationRun,
  options?: SimulationOptions,
) => Promise<SimulationResult>

/**
 * Opens a queue with two engines. One is kept for runs that somebody waits for, so that no row of a list stands in their
 * way; the other makes any run, slow ones last.
 */
export function openRunQueue(openOne: () => Engine = openEngine): RunQueue {
  const waiting: Waiting[] = []
  const engines = [
    { engine: openOne(), isBusy: false, isForAwaited: true },
    { engine: openOne(), isBusy: false, isForAwaited: false },
  ]
  const take = (isForAwaited: boolean): Waiting | undefined => {
    const awaited = waiting.find(({ key }) => isAwaited(key))
    const next = awaited ?? (isForAwaited ? undefined : (waiting.find(({ isSlow }) => !isSlow) ?? waiting[0]))
    if (next) waiting.splice(waiting.indexOf(next), 1)
    return next
  }
  const start = async (place: (typeof engines)[number], job: Waiting) => {
    const isFirstTry = !job.isSlow && !isAwaited(job.key)
    const result = await makeRun(place.engine, job, isFirstTry ? FIRST_TRY_MS : ordinaryLimits.milliseconds)
    const { status } = result
    const isTooLong =
      status === 'unfinished' && result.reason.kind === 'limit' && result.reason.limit === 'milliseconds'
    if (isFirstTry && isTooLong) waiting.push({ ...job, isSlow: true })
    else job.resolve(result)
    place.isBusy = false
    fill()
  }
  const fill = () => {
    for (const place of engines) {
      const job = place.isBusy ? undefined : take(place.isForAwaited)
      if (!job) continue
      place.isBusy = true
      void start(place, job)
    }
  }
  onAwaited(fill)
  return (key, reader, run, options = {}) =>
    new Promise((resolve) => {
      waiting.push({ key, reader, run, options, isSlow: false, resolve })
      fill()
    })
}

/** Simulates in an engine of this Worker. */
export const runInEngine: RunQueue = openRunQueue()

async function makeRun(engine: Engine, job: Waiting, milliseconds: number): Promise<SimulationResult> {
  const { reader, run, options } = job
  const { chainId, header, headerGrade } = reader
  const started = performance.now()
  const limits = { milliseconds, ...options.limits }
  const place = { chainId, header, headerGrade }
  const result = await engine({ kind: 'run', place, run, options: { ...options, limits } }, reader.read)
  if (result.kind === 'result') return result.result
  const reason: UnfinishedReason =
    result.kind === 'ended' ? result.reason : { kind: 'engine', message: 'The Worker answered something else.' }
  const { number, hash, timestamp } = header
  const cost = { rounds: 0, runs: 0, reads: 0, lastRunMs: 0, totalMs: performance.now() - started }
  return { status: 'unfinished', reason, block: { chainId, number, hash, timestamp }, cost }
}
